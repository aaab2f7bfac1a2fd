# cmake --install: the program, public headers, both libraries static and shared, and what find_package(sinew) and
# pkg-config read. docs/using-the-library.md shows how each is used; tests/house/check_install.sh does.
# --component takes a part: program, libraries (shared ones), headers, development (the rest), torch.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)

install(DIRECTORY include/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT headers FILES_MATCHING PATTERN "*.h")
foreach(library sinew sinew_runtime)
  foreach(kind static shared)
    install(TARGETS ${library}_${kind} EXPORT ${library}-${kind} LIBRARY COMPONENT libraries
            INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT ${library}-${kind} NAMESPACE sinew:: DESTINATION ${package_folder})
  endforeach()
endforeach()
configure_package_config_file(cmake/sinew-config.cmake.in ${PROJECT_BINARY_DIR}/sinew-config.cmake
                              INSTALL_DESTINATION ${package_folder})
set(compatibility SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinew-config-version.cmake COMPATIBILITY ${compatibility})
install(FILES ${PROJECT_BINARY_DIR}/sinew-config.cmake ${PROJECT_BINARY_DIR}/sinew-config-version.cmake
        DESTINATION ${package_folder})

string(REGEX REPLACE "[^/]+" ".." prefix_from_pkgconfig ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
foreach(name sinew sinew-runtime)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

install(FILES LICENSE THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(SINEW_APPS)
  install(TARGETS sinew_cli COMPONENT program)
endif()
