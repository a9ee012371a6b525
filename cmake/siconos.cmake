# Another implementation to compare with: siconos::numerics is a target if it is here. It leaks, so not under sanitizers.
find_library(SICONOS_LIBRARY siconos_numerics)
find_path(SICONOS_INCLUDE_DIR numerics/fc3d_Solvers.h PATH_SUFFIXES siconos)
if(SICONOS_LIBRARY AND SICONOS_INCLUDE_DIR AND NOT SCREE_SANITIZE)
  add_library(siconos::numerics INTERFACE IMPORTED)
  target_include_directories(siconos::numerics INTERFACE ${SICONOS_INCLUDE_DIR} ${SICONOS_INCLUDE_DIR}/numerics)
  target_link_libraries(siconos::numerics INTERFACE ${SICONOS_LIBRARY})
endif()
