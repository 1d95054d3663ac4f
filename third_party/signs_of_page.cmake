# A page is loaded from far away: of the font of signs, it has those of mathematics, arrows, shapes and rarer Latin letters. Sets
# SLOTSCAPE_SIGNS_FONT to that part, which it makes once. Also run alone, with -D SLOTSCAPE_DOWNLOADS=… -P, where there is a network.
include("${CMAKE_CURRENT_LIST_DIR}/python.cmake")
set(signs_of_page "${SLOTSCAPE_DOWNLOADS}/signs-of-page.ttf")
if(NOT EXISTS "${signs_of_page}")
  if(NOT COMMAND slotscape_summary)
    function(slotscape_summary)
    endfunction()
    include("${CMAKE_CURRENT_LIST_DIR}/fonts.cmake")
  endif()
  slotscape_pip("fonttools" install fonttools==4.60.1)
  slotscape_python(fonts_python)
  execute_process(COMMAND "${fonts_python}" -m fontTools.subset "${SLOTSCAPE_SIGNS_FONT}" --output-file=${signs_of_page}
                          --unicodes=0180-024F,1E00-1EFF,2000-214F,2150-23FF,2500-27FF,2900-297F,2A00-2AFF
                  RESULT_VARIABLE status OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "The page's part of the font of signs could not be made:\n${log}")
  endif()
endif()
set(SLOTSCAPE_SIGNS_FONT "${signs_of_page}")
