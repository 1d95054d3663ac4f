# The tables as a library of headers, installed beside the program, or alone as the component `tables`. Other projects find
# it with find_package(slotscape) or pkg-config, or have this one as a folder (add_subdirectory, FetchContent); with CMake
# they link slotscape::tables.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package_folder "${CMAKE_INSTALL_DATADIR}/cmake/slotscape")
set(package_files "${PROJECT_BINARY_DIR}/library")

configure_package_config_file("${PROJECT_SOURCE_DIR}/assets/package/slotscapeConfig.cmake.in"
                              "${package_files}/slotscapeConfig.cmake" INSTALL_DESTINATION "${package_folder}"
                              PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
set(compatibility SameMajorVersion)
if(PROJECT_VERSION VERSION_LESS 1)  # until then, a minor version may break the interface
  set(compatibility SameMinorVersion)
endif()
write_basic_package_version_file("${package_files}/slotscapeConfigVersion.cmake" COMPATIBILITY ${compatibility}
                                 ARCH_INDEPENDENT)
install(FILES "${package_files}/slotscapeConfig.cmake" "${package_files}/slotscapeConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/assets/package/slotscapeTables.cmake"
        DESTINATION "${package_folder}" COMPONENT tables)
foreach(name slotscape slotscape-threads)
  configure_file("${PROJECT_SOURCE_DIR}/assets/package/${name}.pc.in" "${package_files}/${name}.pc" @ONLY)
  install(FILES "${package_files}/${name}.pc" DESTINATION "${CMAKE_INSTALL_DATADIR}/pkgconfig" COMPONENT tables)
endforeach()
install(FILES "${PROJECT_SOURCE_DIR}/assets/package/copyright"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/libslotscape-dev" COMPONENT tables)
install(CODE "set(source [[${PROJECT_SOURCE_DIR}]])
set(staging [[${package_files}/include]])
set(destination [[${CMAKE_INSTALL_INCLUDEDIR}]])" COMPONENT tables)
install(SCRIPT "${PROJECT_SOURCE_DIR}/assets/package/install_headers.cmake" COMPONENT tables)

if(SLOTSCAPE_LIBRARY_ONLY)
  include("${PROJECT_SOURCE_DIR}/assets/package/slotscapeTables.cmake")
  set(source "${PROJECT_SOURCE_DIR}")
  set(staging "${package_files}/include")
  include("${PROJECT_SOURCE_DIR}/assets/package/stage_headers.cmake")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
  slotscape_make_tables("${staging}")
endif()
