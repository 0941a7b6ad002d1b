# raak_optimise_lightly(TARGET): for what reads, writes and reports and has no inner loops; it takes a quarter less time to
# compile. Targets that share a precompiled header share this. At -O1 GCC 12 takes parts of Eigen for uninitialised.
function(raak_optimise_lightly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>
    $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-finline-small-functions> -Wno-maybe-uninitialized)
endfunction()

# raak_precompile(TARGET OWNER headers...): what nearly every file includes, and what takes longer to read than most files
# take to compile, is read once for OWNER; other targets with the same flags and definitions use that.
function(raak_precompile target owner)
  if(RAAK_FUZZ)  # where the owner of most is not compiled
    return()
  endif()
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE <Eigen/Cholesky> <Eigen/Core> <Eigen/LU> <Eigen/QR> <Eigen/SparseCore>
                              <fmt/format.h> <algorithm> <array> <cmath> <filesystem>
                              <functional> <map> <memory> <optional> <string> <utility> <vector> ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()
