slotscape_find(glfw DEBIAN libglfw3-dev CONFIG glfw3 TARGET glfw MODULE glfw3 HEADER GLFW/glfw3.h LIBRARY glfw)
target_compile_definitions(dependency_glfw INTERFACE GLFW_INCLUDE_NONE)
