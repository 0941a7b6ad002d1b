# What makes a defect harder to exploit, for everything we compile; docs/decisions/0012 says why it is an option. Sanitizers bring
# checks of their own, and FORTIFY needs an optimised build.
option(RAAK_HARDENING "Protect stacks, copies, control flow and relocations" OFF)
include(CheckPIESupported)
check_pie_supported(OUTPUT_VARIABLE ignored LANGUAGES CXX)
if(RAAK_HARDENING AND CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_options(raak_flags INTERFACE -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
                                              -fcf-protection=full)
  target_link_options(raak_flags INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
endif()
