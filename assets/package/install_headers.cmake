# Installs what stage_headers.cmake stages to `destination`.
include("${source}/assets/package/stage_headers.cmake")
foreach(header IN LISTS staged_headers)
  get_filename_component(folder "${header}" DIRECTORY)
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/${destination}/${folder}" TYPE FILE FILES "${staging}/${header}")
endforeach()
