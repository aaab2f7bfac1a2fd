# cmake --install gives a package that an outside project uses by find_package(sinew) and sinew::sinew.
include(CMakePackageConfigHelpers)

add_library(sinew INTERFACE)
add_library(sinew::sinew ALIAS sinew)
foreach(room ${SINEW_ROOMS})
  target_link_libraries(sinew INTERFACE sinew_${room})
  list(APPEND sinew_installed sinew_${room})
endforeach()

install(TARGETS sinew ${sinew_installed} EXPORT sinew_targets)
install(TARGETS sinew_cli)
install(DIRECTORY include/sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY sinew DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT sinew_targets NAMESPACE sinew:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
configure_package_config_file(cmake/sinew-config.cmake.in ${PROJECT_BINARY_DIR}/sinew-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinew-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinew-config.cmake ${PROJECT_BINARY_DIR}/sinew-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
