# Debian packages, made by `cpack`: one for each component that is installed.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the scree authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_COMPONENTS_ALL)

# scree_debian_package(COMPONENT PACKAGE DESCRIPTION)
macro(scree_debian_package component package description)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${description}")
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/${package} COMPONENT ${component} RENAME copyright
    EXCLUDE_FROM_ALL)
endmacro()

# Packages of a section of packages.txt, separated by commas.
function(scree_packages_of section result)
  file(STRINGS ${PROJECT_SOURCE_DIR}/packages.txt lines)
  set(packages)
  foreach(line IN LISTS lines)
    if(line MATCHES "^# (.+)$")
      set(here ${CMAKE_MATCH_1})
    elseif(here STREQUAL section AND line MATCHES "^[^ ]+")
      list(APPEND packages ${CMAKE_MATCH_0})
    endif()
  endforeach()
  if(NOT packages)
    message(FATAL_ERROR "cmake/debian.cmake: packages.txt has no section ${section}")
  endif()
  list(JOIN packages ", " packages)
  set(${result} ${packages} PARENT_SCOPE)
endfunction()

scree_debian_package(program scree "The program scree with its scenes and studies.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
scree_packages_of("Pictures" CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS)

# The libraries are static: those who link them link what they use, too.
scree_debian_package(development scree-dev "Headers, libraries and CMake package of scree, for C++20.")
scree_packages_of("Libraries of the engine" CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "scree, scree-doc")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)

if(TARGET scree_mpi_program)
  scree_debian_package(mpi scree-mpi "Runs of scree on several processes, by Open MPI.")
  set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "openmpi-bin, scree")
endif()

if(TARGET scree_python)
  scree_debian_package(python python3-scree "The Python package scree.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_minor}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS scree)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
endif()

# Where `./dev docs` has made it.
if(EXISTS ${PROJECT_SOURCE_DIR}/site/index.html)
  install(DIRECTORY site/ DESTINATION share/doc/scree/html COMPONENT documentation EXCLUDE_FROM_ALL)
  scree_debian_package(documentation scree-doc "The documentation of scree, as a site: /usr/share/doc/scree/html.")
  set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
  set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SECTION doc)
endif()

include(CPack)
