# The Python package, if what it needs is here. Debian's Python unless another is named by Python_EXECUTABLE: the first
# in PATH need not have its packages.
if(NOT DEFINED Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module)
find_package(pybind11 2.10 QUIET CONFIG)
if(Python_FOUND AND pybind11_FOUND)
  add_subdirectory(src/python)
else()
  message(STATUS "The Python package is not built: pybind11 2.10 and the headers of Python 3.9 or later are needed")
endif()
