if(WIN32)  # which has OpenGL without a window in windows that nobody sees
  slotscape_add_dependency(egl "none")
  return()
endif()
slotscape_find(egl DEBIAN libegl-dev MODULE egl HEADER EGL/egl.h LIBRARY EGL)
