# Another reader of MJCF files to compare with: mujoco::mujoco is a target if it is here.
find_library(MUJOCO_LIBRARY mujoco)
find_path(MUJOCO_INCLUDE_DIR mujoco/mujoco.h)
if(MUJOCO_LIBRARY AND MUJOCO_INCLUDE_DIR AND NOT TARGET mujoco::mujoco)
  add_library(mujoco::mujoco INTERFACE IMPORTED)
  target_include_directories(mujoco::mujoco SYSTEM INTERFACE ${MUJOCO_INCLUDE_DIR})
  target_link_libraries(mujoco::mujoco INTERFACE ${MUJOCO_LIBRARY})
endif()
