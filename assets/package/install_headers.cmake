# Installs the headers of gpu/library and all that they include, from `source` to `destination`, by way of `staging`.
# gpu/library/NAME becomes <slotscape/NAME>, and gpu/FOLDER/NAME <slotscape/gpu/FOLDER/NAME>, so that they get along with
# any other project's folders. Nothing else is changed in them.

cmake_policy(VERSION 3.22)

file(GLOB waiting LIST_DIRECTORIES false RELATIVE "${source}" "${source}/gpu/library/*")
set(headers "")
while(waiting)
  list(POP_FRONT waiting header)
  if(header IN_LIST headers)
    continue()
  endif()
  list(APPEND headers "${header}")
  file(STRINGS "${source}/${header}" included REGEX "^#include \"gpu/")
  list(TRANSFORM included REPLACE "^#include \"([^\"]*)\".*$" "\\1")
  list(APPEND waiting ${included})
endwhile()

foreach(header IN LISTS headers)
  string(REGEX REPLACE "^gpu/library/" "" name "${header}")
  file(READ "${source}/${header}" text)
  string(REPLACE "#include \"gpu/library/" "#include \"slotscape/" text "${text}")
  string(REPLACE "#include \"gpu/" "#include \"slotscape/gpu/" text "${text}")
  set(old "")
  if(EXISTS "${staging}/${name}")
    file(READ "${staging}/${name}" old)
  endif()
  if(NOT text STREQUAL old)  # a file that stays keeps its time: what includes it need not be compiled again
    file(WRITE "${staging}/${name}" "${text}")
  endif()
  get_filename_component(folder "slotscape/${name}" DIRECTORY)
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/${destination}/${folder}" TYPE FILE FILES "${staging}/${name}")
endforeach()
