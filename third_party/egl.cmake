slotscape_find(egl DEBIAN libegl-dev MODULE egl HEADER EGL/egl.h LIBRARY EGL)
