# The library that others link: libraak with what include/raak declares and nothing else, raak::raak for
# find_package(raak), and raak.pc.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(raak_library SHARED $<TARGET_OBJECTS:raak_api>)
add_library(raak::raak ALIAS raak_library)
# Its numbers: the version of Raak, and that of the layout of its types (namespace raak_v0).
set_target_properties(raak_library PROPERTIES OUTPUT_NAME raak EXPORT_NAME raak VERSION ${PROJECT_VERSION} SOVERSION 0
                                              LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/libraak.map)
target_link_libraries(raak_library PRIVATE raak_api)
target_link_options(raak_library PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/libraak.map -Wl,--no-undefined
                                         -Wl,-O1 -Wl,--as-needed)
target_include_directories(raak_library INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(raak_library INTERFACE cxx_std_20)

# Said at once and in words, before anything is copied.
install(CODE [[
  set(raak_prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E make_directory "${raak_prefix}" RESULT_VARIABLE raak_refused ERROR_QUIET)
  if(NOT raak_refused)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E touch "${raak_prefix}/.raak-install" RESULT_VARIABLE raak_refused ERROR_QUIET)
    file(REMOVE "${raak_prefix}/.raak-install")
  endif()
  if(raak_refused)
    message(FATAL_ERROR "raak cannot be installed: the prefix \"${raak_prefix}\" cannot be written. "
                        "Choose another with --prefix, or install as its owner.")
  endif()
]] ALL_COMPONENTS)
install(TARGETS raak_library EXPORT raak LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libraak0
                                                 NAMELINK_COMPONENT libraak-dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/raak DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT libraak-dev)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/raak)
install(EXPORT raak NAMESPACE raak:: FILE raak-targets.cmake DESTINATION ${config_folder} COMPONENT libraak-dev)
configure_package_config_file(cmake/raak-config.cmake.in ${PROJECT_BINARY_DIR}/generated/raak-config.cmake
                              INSTALL_DESTINATION ${config_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generated/raak-config-version.cmake COMPATIBILITY SameMinorVersion)
# Relative to where it lies, so that the installed tree may be moved.
file(RELATIVE_PATH RAAK_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" RAAK_PC_PREFIX "${RAAK_PC_PREFIX}")
configure_file(cmake/raak.pc.in ${PROJECT_BINARY_DIR}/generated/raak.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/generated/raak-config.cmake ${PROJECT_BINARY_DIR}/generated/raak-config-version.cmake
        DESTINATION ${config_folder} COMPONENT libraak-dev)
install(FILES ${PROJECT_BINARY_DIR}/generated/raak.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT libraak-dev)
