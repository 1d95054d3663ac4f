# What `cmake --install` and the Debian package of the program put where. The library of headers (library.cmake) has a
# package of its own; scripts/package makes both.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
set(packaging "${PROJECT_SOURCE_DIR}/assets/package")

install(TARGETS slotscape RUNTIME)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/assets/begin" "${PROJECT_SOURCE_DIR}/assets/tour" "${PROJECT_SOURCE_DIR}/assets/lessons"
                  "${PROJECT_SOURCE_DIR}/assets/compare"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/slotscape")
install(FILES "${PROJECT_SOURCE_DIR}/assets/words.md" DESTINATION "${CMAKE_INSTALL_DATADIR}/slotscape")
install(FILES "${PROJECT_SOURCE_DIR}/build/web/lesson_page.wasm.gz" DESTINATION "${CMAKE_INSTALL_DATADIR}/slotscape/web"
        OPTIONAL)
install(CODE "if(NOT EXISTS [[${PROJECT_SOURCE_DIR}/build/web/lesson_page.wasm.gz]])
  message(WARNING \"Installed without lesson_page.wasm.gz: this program cannot export lessons as pages. \"
                  \"Run scripts/web --beside, and install again.\")
endif()")
if(NOT WIN32)  # what tells a desktop and man of the program
  configure_file("${packaging}/slotscape.1.in" "${PROJECT_BINARY_DIR}/slotscape.1" @ONLY)
  execute_process(COMMAND gzip --best --no-name --keep --force "${PROJECT_BINARY_DIR}/slotscape.1"
                  COMMAND_ERROR_IS_FATAL ANY)
  install(FILES "${packaging}/slotscape.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
  install(FILES "${packaging}/slotscape.svg" DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
  install(FILES "${packaging}/slotscape-mime.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages"
          RENAME slotscape.xml)
  install(FILES "${packaging}/slotscape.metainfo.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
  install(FILES "${PROJECT_BINARY_DIR}/slotscape.1.gz" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()
install(FILES "${packaging}/copyright" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# Only the program is packaged: the tests need not be built.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "The Slotscape authors")
set(CPACK_PACKAGE_CONTACT "The Slotscape authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program tables)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has one of its own

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME slotscape)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
# GLFW opens libGL by name, which no tool sees.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS libgl1)
# They tell the desktop about scenarios, and draw without a GPU.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "libgl1-mesa-dri, shared-mime-info, desktop-file-utils, hicolor-icon-theme")
# They make films of the window, put its picture on the clipboard, and have the tables for programs of one's own.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "ffmpeg, xclip | wl-clipboard, libslotscape-dev")
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "live microscope for GPU hash tables
Slotscape runs real hash tables at full speed, on an NVIDIA GPU or on the CPU,
and draws every slot while keys are inserted, looked up and deleted. Watch one
table, compare several, step through a single operation, or see spatial
hashing intersect two moving models.")

set(CPACK_DEBIAN_TABLES_PACKAGE_NAME libslotscape-dev)
set(CPACK_DEBIAN_TABLES_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_TABLES_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_TABLES_PACKAGE_RECOMMENDS libtbb-dev)
set(CPACK_DEBIAN_TABLES_PACKAGE_SUGGESTS "nvidia-cuda-toolkit, slotscape")
set(CPACK_DEBIAN_TABLES_DESCRIPTION "hash tables for GPUs and CPUs, as headers
The hash tables that Slotscape runs and draws, for programs of your own: C++20
and CUDA headers, with files for CMake and pkg-config. Keys and values of any
type, in bulk calls on arrays and in kernels.")
include(CPack)
