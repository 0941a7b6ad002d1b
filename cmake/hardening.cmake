# What makes a defect harder to exploit, for everything we compile; docs/decisions/0012 has the costs. Sanitizers bring
# checks of their own, and FORTIFY needs an optimised build.
option(RAAK_HARDENING "Protect stacks, copies, control flow and relocations" ON)
include(CheckPIESupported)
check_pie_supported(OUTPUT_VARIABLE ignored LANGUAGES CXX)
set(RAAK_HARDENED FALSE)
if(RAAK_HARDENING AND CMAKE_BUILD_TYPE STREQUAL "Release")
  set(RAAK_HARDENED TRUE)
  target_compile_options(raak_flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fcf-protection=full)
  target_compile_options(raak_fmt PRIVATE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fcf-protection=full)
  target_link_options(raak_flags INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
endif()

# raak_protect_stack(TARGET): every function of TARGET that has an array guards its stack. In the folders that compute,
# which share a precompiled header and so these flags, only those with arrays of characters do.
set(RAAK_COMPUTES raak_base raak_system raak_kinematics raak_methods raak_problems raak_mechanism raak_run)
function(raak_protect_stack target)
  if(NOT RAAK_HARDENED)
    return()
  endif()
  if(target IN_LIST RAAK_COMPUTES)
    target_compile_options(${target} PRIVATE -fstack-protector)
  else()
    target_compile_options(${target} PRIVATE -fstack-protector-strong)
  endif()
endfunction()
raak_protect_stack(raak_fmt)
