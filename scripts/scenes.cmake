# Lists the scenes for the code.

# slotscape_list_scenes(TARGET NAME...): scenes.inc with a line SLOTSCAPE_SCENE(NAME) for each.
function(slotscape_list_scenes target)
  set(generated "${PROJECT_BINARY_DIR}/scenes/${target}")
  set(list "")
  foreach(scene IN LISTS ARGN)
    string(APPEND list "SLOTSCAPE_SCENE(${scene})\n")
  endforeach()
  file(GENERATE OUTPUT "${generated}/scenes.inc" CONTENT "${list}")
  target_include_directories(${target} BEFORE PRIVATE "${generated}")
endfunction()
