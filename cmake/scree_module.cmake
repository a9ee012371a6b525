# scree_module(NAME SOURCES a.cpp … DEPENDS other modules … LINKS private libraries … PUBLIC_LINKS public libraries …)
#
# One static library scree_NAME (alias scree::NAME) out of src/NAME, with its public headers in include/scree/NAME.
# DEPENDS lists the modules to its left in the layering; the order itself is checked by tools/check_layers.py.
function(scree_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;DEPENDS;LINKS;PUBLIC_LINKS" ${ARGN})
  add_library(scree_${name} STATIC ${arg_SOURCES})
  add_library(scree::${name} ALIAS scree_${name})
  target_compile_features(scree_${name} PUBLIC cxx_std_20)
  # Same bits on every instruction set: no contraction into fused multiply-adds. errno of maths functions is never read.
  target_compile_options(scree_${name} PRIVATE -ffp-contract=off -fno-math-errno)
  scree_compile_options(scree_${name})
  target_include_directories(scree_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  list(TRANSFORM arg_DEPENDS PREPEND scree::)
  target_link_libraries(scree_${name} PUBLIC ${arg_DEPENDS} ${arg_PUBLIC_LINKS} PRIVATE ${arg_LINKS})
  set_target_properties(scree_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  scree_precompiled(scree_${name} scree_core)
  if(SCREE_FUZZ AND name IN_LIST SCREE_READERS)  # what -fsanitize=fuzzer-no-link adds; elsewhere it would only cost time
    target_compile_options(scree_${name} PRIVATE
      -fsanitize-coverage=inline-8bit-counters,indirect-calls,trace-cmp,pc-table)
  endif()
  set_property(GLOBAL APPEND PROPERTY SCREE_MODULES scree_${name})
endfunction()

# Modules that read files and expressions, which libFuzzer's targets feed.
set(SCREE_READERS math scene io run)

# scree_precompiled(TARGET FIRST HEADERS …)
#
# Headers that most sources of some targets include are compiled once: for FIRST, which the other targets reuse. All of
# them need the same compile options. Not where a compiler cache is used: it would take none of these files from other
# build folders. That a source includes what it uses is seen by ./dev lint, which compiles without these.
function(scree_precompiled target first)
  if(CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  if(target STREQUAL first)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <cmath> <cstdint> <functional> <limits> <memory>
      <numeric> <optional> <span> <string> <utility> <variant> <vector> <Eigen/Core> <Eigen/SparseCore> ${ARGN})
    target_link_libraries(${target} PRIVATE Eigen3::Eigen)
  else()
    target_precompile_headers(${target} REUSE_FROM ${first})
  endif()
endfunction()

# Warnings and sanitizers, the same for modules, programs, tests and benchmarks.
function(scree_compile_options target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    -Wnon-virtual-dtor -Wold-style-cast -Wno-missing-field-initializers -Wno-dangling-else
    # gcc 12 sees overlaps in std::string, and reads beyond its end, that are not there
    "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds>")
  if(SCREE_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(SCREE_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${SCREE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)  # half of the time that they take to compile goes into Eigen's arithmetic
      target_compile_options(${target} PRIVATE -fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitizers.ignore)
    endif()
    target_compile_definitions(${target} PRIVATE SCREE_SANITIZED)
    if(SCREE_SANITIZE MATCHES thread)
      target_compile_definitions(${target} PRIVATE SCREE_THREAD_SANITIZER)
    endif()
    target_link_options(${target} PUBLIC -fsanitize=${SCREE_SANITIZE})
  endif()
endfunction()
