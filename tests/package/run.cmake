# Installs BUILD to a prefix of its own, then configures, builds and runs CONSUMER against it. All in WORK, made anew.
function(must)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "status ${status} from: ${ARGN}\n${text}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
must(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
must(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${COMPILER}
     -D CMAKE_C_COMPILER=${C_COMPILER} -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
must(${CMAKE_COMMAND} --build ${WORK}/build)
must(${WORK}/build/consumer)
if(EXISTS ${WORK}/prefix/bin/scree)
  must(${WORK}/prefix/bin/scree --help)
endif()
