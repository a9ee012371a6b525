# Writes OUTPUT, a header with the commit that SOURCE stands at. Run at build time; touches the header only if it changes.
set(commit "unknown")
set(modified 0)
find_program(GIT git)
# Only a repository of our own counts: a source package unpacked inside somebody's repository is not at its commit.
if(GIT AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND ${GIT} -C ${SOURCE} rev-parse HEAD
    OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(commit ${head})
    execute_process(COMMAND ${GIT} -C ${SOURCE} status --porcelain --untracked-files=no
      OUTPUT_VARIABLE changes ERROR_QUIET)
    if(NOT changes STREQUAL "")
      set(modified 1)
    endif()
  endif()
endif()
set(text "#pragma once\n\n#define SCREE_COMMIT \"${commit}\"\n#define SCREE_MODIFIED ${modified}\n")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
