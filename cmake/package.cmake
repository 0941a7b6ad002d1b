# Debian packages by CPack: raak (the program), libraak0, libraak-dev and python3-raak. `./dev package` makes and tests them.
set(RAAK_MAINTAINER "The Raak authors <raak@example.org>" CACHE STRING "Who answers for the packages")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME raak)
set(CPACK_PACKAGE_VENDOR "The Raak authors")
set(CPACK_PACKAGE_CONTACT "${RAAK_MAINTAINER}")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL raak libraak0 libraak-dev)
if(TARGET raak_python)
  list(APPEND CPACK_COMPONENTS_ALL python3-raak)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
                                                WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(about "Raak describes planar and spatial mechanisms in TOML files, finds
consistent starts, integrates their equations of motion to the digits
that are asked for, and reports how good the result is.")
set(CPACK_DEBIAN_RAAK_PACKAGE_NAME raak)
set(CPACK_DEBIAN_RAAK_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RAAK_PACKAGE_RECOMMENDS libcairo2)
set(CPACK_DEBIAN_RAAK_DESCRIPTION "${about}\n\nThis package has the program.")
set(CPACK_DEBIAN_LIBRAAK0_PACKAGE_NAME libraak0)
set(CPACK_DEBIAN_LIBRAAK0_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRAAK0_DESCRIPTION "${about}\n\nThis package has the shared library.")
file(WRITE ${PROJECT_BINARY_DIR}/generated/shlibs "libraak 0 libraak0 (>= ${PROJECT_VERSION})\n")
file(WRITE ${PROJECT_BINARY_DIR}/generated/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRAAK0_PACKAGE_CONTROL_EXTRA
    "${PROJECT_BINARY_DIR}/generated/shlibs;${PROJECT_BINARY_DIR}/generated/triggers")
set(CPACK_DEBIAN_LIBRAAK-DEV_PACKAGE_NAME libraak-dev)
set(CPACK_DEBIAN_LIBRAAK-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRAAK-DEV_PACKAGE_DEPENDS "libraak0 (= ${PROJECT_VERSION}-1)")
set(CPACK_DEBIAN_LIBRAAK-DEV_DESCRIPTION "${about}\n\nThis package has what is needed to compile with C++20 or C.")

# The module is built for one version of Python, and finds the library where the system has it.
if(TARGET raak_python)
  string(REGEX REPLACE "^3\\." "" next ${RAAK_PYTHON_VERSION})
  math(EXPR next "${next} + 1")
  set(CPACK_DEBIAN_PYTHON3-RAAK_PACKAGE_NAME python3-raak)
  set(CPACK_DEBIAN_PYTHON3-RAAK_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON3-RAAK_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_PYTHON3-RAAK_PACKAGE_DEPENDS
      "libraak0 (= ${PROJECT_VERSION}-1), libc6 (>= 2.34), libgcc-s1, libstdc++6 (>= 12), python3 (>= ${RAAK_PYTHON_VERSION}), python3 (<< 3.${next}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON3-RAAK_PACKAGE_SUGGESTS "python3-matplotlib, python3-pandas, python3-xarray")
  set(CPACK_DEBIAN_PYTHON3-RAAK_DESCRIPTION "${about}\n\nThis package has the Python module.")
  file(WRITE ${PROJECT_BINARY_DIR}/generated/python/postinst
       "#!/bin/sh\nset -e\nif [ \"$1\" = configure ] && command -v py3compile >/dev/null 2>&1; then py3compile -p python3-raak; fi\n")
  file(WRITE ${PROJECT_BINARY_DIR}/generated/python/prerm
       "#!/bin/sh\nset -e\nif command -v py3clean >/dev/null 2>&1; then py3clean -p python3-raak; fi\n")
  set(CPACK_DEBIAN_PYTHON3-RAAK_PACKAGE_CONTROL_EXTRA
      "${PROJECT_BINARY_DIR}/generated/python/postinst;${PROJECT_BINARY_DIR}/generated/python/prerm")
  set(package lib/python3/dist-packages/raak)
  install(FILES $<TARGET_FILE:raak_python> DESTINATION ${package} COMPONENT python3-raak EXCLUDE_FROM_ALL)
  install(CODE "set(module \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${package}/$<TARGET_FILE_NAME:raak_python>\")
file(RPATH_REMOVE FILE \"\${module}\")
execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-unneeded \"\${module}\" COMMAND_ERROR_IS_FATAL ANY)"
          COMPONENT python3-raak EXCLUDE_FROM_ALL)
  file(GLOB parts CONFIGURE_DEPENDS python/raak/*.py python/raak/*.pyi python/raak/py.typed)
  install(FILES ${parts} DESTINATION ${package} COMPONENT python3-raak EXCLUDE_FROM_ALL)
  set(python_examples ${CMAKE_INSTALL_DATADIR}/doc/python3-raak/examples)
  file(GLOB scripts CONFIGURE_DEPENDS examples/0*.py)
  file(GLOB notebooks CONFIGURE_DEPENDS examples/notebooks/*.ipynb)
  install(FILES ${scripts} examples/four-bar.toml DESTINATION ${python_examples} COMPONENT python3-raak EXCLUDE_FROM_ALL)
  install(FILES ${notebooks} DESTINATION ${python_examples}/notebooks COMPONENT python3-raak EXCLUDE_FROM_ALL)
endif()

# What Debian wants in every package; left out of an ordinary installation.
string(TIMESTAMP RAAK_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(changelog ${PROJECT_BINARY_DIR}/generated/changelog.Debian)
configure_file(packaging/changelog.in ${changelog} @ONLY)
execute_process(COMMAND gzip -9nkf ${changelog})
foreach(component ${CPACK_COMPONENTS_ALL})
  install(FILES packaging/copyright ${changelog}.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${component}
          COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()

# Guides and examples, for everybody.
set(doc ${CMAKE_INSTALL_DATADIR}/doc/raak)
file(GLOB guides ${PROJECT_SOURCE_DIR}/docs/*.md)
install(FILES README.md ${guides} DESTINATION ${doc} COMPONENT raak)
install(DIRECTORY examples/ DESTINATION ${doc}/examples COMPONENT raak FILES_MATCHING PATTERN *.toml PATTERN *.csv
        PATTERN notebooks EXCLUDE PATTERN __pycache__ EXCLUDE)
file(GLOB programs CONFIGURE_DEPENDS examples/0*.cpp examples/0*.c)
install(FILES ${programs} examples/four-bar.toml DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libraak-dev/examples
        COMPONENT libraak-dev)
include(CPack)
