# The package must have the GLFW and OpenGL 3 backends, as Debian's has.
slotscape_find(imgui DEBIAN libimgui-dev CONFIG imgui TARGET imgui::imgui MODULE imgui
               HEADER imgui.h FOLDER imgui LIBRARY imgui)
