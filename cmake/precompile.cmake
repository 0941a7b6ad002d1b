# raak_precompile(TARGET OWNER headers...): what nearly every file includes, and what takes longer to read than most files
# take to compile, is read once for OWNER; other targets with the same flags and definitions use that.
function(raak_precompile target owner)
  if(RAAK_FUZZ)  # where the owner of most is not compiled
    return()
  endif()
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE <Eigen/Core> <fmt/format.h> <algorithm> <array> <cmath> <filesystem>
                              <functional> <map> <memory> <optional> <string> <utility> <vector> ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()
