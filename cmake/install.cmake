# What is installed, as components: program, development, documentation; src/python has the component python. And the
# CMake package that finds the libraries: find_package(scree CONFIG).
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)

set(scree_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/scree)
get_property(scree_modules GLOBAL PROPERTY SCREE_MODULES)

# scree::scree stands for all modules.
add_library(scree INTERFACE)
add_library(scree::scree ALIAS scree)
target_link_libraries(scree INTERFACE ${scree_modules})

install(TARGETS ${scree_modules} scree EXPORT scree_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT scree_targets NAMESPACE scree:: DESTINATION ${scree_package_dir})
install(DIRECTORY include/scree DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
foreach(shared share/scree scenes studies)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/${shared})
    string(REPLACE "share/scree" "" below ${shared})
    install(DIRECTORY ${shared}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/scree/${below} COMPONENT program
      PATTERN "__pycache__" EXCLUDE)
  endif()
endforeach()
install(FILES LICENSE NOTICE CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)

# The programs are the executables made in apps/scree, whatever their targets are called.
if(SCREE_BUILD_APP)
  get_property(app_targets DIRECTORY apps/scree PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS app_targets)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      get_target_property(component ${target} SCREE_COMPONENT)
      if(NOT component)
        set(component program)
      endif()
      install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component})
    endif()
  endforeach()
endif()

# A static library needs its private libraries when somebody links it. Each imported target that a module links must be
# found again by scree-config.cmake; the package it comes from is told here.
set(scree_package_of_TBB TBB)
set(scree_package_of_fmt fmt)
set(scree_package_of_spdlog spdlog)
set(scree_package_of_yaml-cpp yaml-cpp)
set(scree_package_of_nlohmann_json nlohmann_json)
set(scree_package_of_valijson valijson)
set(scree_package_of_ValiJSON valijson)
set(scree_package_of_ZLIB ZLIB)
set(scree_package_of_Threads Threads)
set(scree_package_of_Eigen3 Eigen3)
set(scree_package_of_CLI11 CLI11)
set(scree_package_of_Qhull Qhull)
set(scree_package_of_assimp assimp)
set(scree_package_of_tinyxml2 tinyxml2)
set(scree_dependencies)
foreach(module IN LISTS scree_modules)
  get_target_property(libraries ${module} LINK_LIBRARIES)
  get_target_property(interface ${module} INTERFACE_LINK_LIBRARIES)
  foreach(library IN LISTS libraries interface)
    if(library MATCHES "^\\$<LINK_ONLY:(.+)>$")
      set(library ${CMAKE_MATCH_1})
    endif()
    if(library MATCHES "^\\$<" OR library MATCHES "^scree(_|::)")
      continue()  # for this build only, or ours
    endif()
    # Imported targets are not visible here, so they are told from plain library files by their names.
    string(REGEX REPLACE "::.*" "" package ${library})
    if(NOT DEFINED scree_package_of_${package})
      if(library MATCHES "::")
        message(FATAL_ERROR "cmake/install.cmake: ${module} links ${library}; say above which package finds it")
      endif()
      continue()
    endif()
    list(APPEND scree_dependencies ${scree_package_of_${package}})
  endforeach()
endforeach()
list(REMOVE_DUPLICATES scree_dependencies)
list(TRANSFORM scree_dependencies REPLACE "(.+)" "find_dependency(\\1)")
list(JOIN scree_dependencies "\n" SCREE_FIND_DEPENDENCIES)

configure_package_config_file(cmake/scree-config.cmake.in ${PROJECT_BINARY_DIR}/scree-config.cmake
  INSTALL_DESTINATION ${scree_package_dir} PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/scree-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/scree-config.cmake ${PROJECT_BINARY_DIR}/scree-config-version.cmake
  DESTINATION ${scree_package_dir})
