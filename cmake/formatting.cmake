# fmt, linked statically: Debian has it as a shared library only, which a program would load at each start. Its functions
# are compiled once, from its headers.
add_library(raak_fmt STATIC ${PROJECT_SOURCE_DIR}/cmake/formatting.cpp)
target_include_directories(raak_fmt SYSTEM PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
