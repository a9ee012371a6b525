# scree_module(NAME [COLD] [INTERNAL] DEPENDS other modules … LINKS private libraries … PUBLIC_LINKS public libraries …)
#
# One static library scree_NAME (alias scree::NAME) out of every source in src/NAME, with its public headers in
# include/scree/NAME. DEPENDS lists the modules to its left in the layering; tools/check_layers.py checks the order.
# INTERNAL: not installed; its headers are in src/NAME.
# COLD: no loop over bodies or contacts is in it that a run would wait for.
function(scree_module name)
  cmake_parse_arguments(arg "COLD;INTERNAL" "" "SOURCES;DEPENDS;LINKS;PUBLIC_LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  add_library(scree_${name} STATIC ${sources} ${arg_SOURCES})
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
  scree_unity(scree_${name})
  if(arg_COLD)
    scree_cold(scree_${name})
  endif()
  if(SCREE_FUZZ AND name IN_LIST SCREE_READERS)  # what -fsanitize=fuzzer-no-link adds; elsewhere it would only cost time
    target_compile_options(scree_${name} PRIVATE
      -fsanitize-coverage=inline-8bit-counters,indirect-calls,trace-cmp,pc-table)
  endif()
  if(arg_INTERNAL)
    target_include_directories(scree_${name} INTERFACE ${PROJECT_SOURCE_DIR}/src)
  else()
    set_property(GLOBAL APPEND PROPERTY SCREE_MODULES scree_${name})
  endif()
endfunction()

# Modules that read files and expressions, which libFuzzer's targets feed.
set(SCREE_READERS math scene io run)

# scree_unity(TARGET)
#
# Compiles several sources as one: most of the time of a source goes into the headers that its neighbours include, too.
# So names in anonymous namespaces are unique within a target. ./dev lint compiles each source alone.
function(scree_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${SCREE_UNITY} UNITY_BUILD_BATCH_SIZE 16)
endfunction()

# scree_cold(TARGET): optimised little, because it compiles in two thirds of the time and is waited for nowhere.
function(scree_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
endfunction()

# scree_instruction_sets(MODULE FOLDER)
#
# FOLDER/instruction_set.inl has the kernels of a module. It is compiled once for each instruction set, with two macros:
# SCREE_OF_SET(name) is scalar_name, avx2_name or avx512_name, and SCREE_LANES is the number of lanes. The widest set
# that the machine has is taken at start-up.
function(scree_instruction_sets module folder)
  set(sets scalar)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND sets avx2 avx512)
  endif()
  set(lanes_of_scalar 1)
  set(lanes_of_avx2 4)
  set(lanes_of_avx512 8)
  # gcc 12 takes lanes that begin as {} for uninitialised where it unrolls
  set(options_of_avx2 "-mavx2;$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>")
  set(options_of_avx512 "-mavx512f;-mavx512dq;-mavx512vl;-mprefer-vector-width=512")
  foreach(set IN LISTS sets)
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/${folder}/${set}.cpp)
    file(CONFIGURE OUTPUT ${unit} CONTENT
      "#define SCREE_OF_SET(name) ${set}_##name\n#define SCREE_LANES ${lanes_of_${set}}\n#include \"${folder}/instruction_set.inl\"\n")
    target_sources(scree_${module} PRIVATE ${unit})
    set_source_files_properties(${unit} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
      COMPILE_OPTIONS "${options_of_${set}}")
  endforeach()
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
