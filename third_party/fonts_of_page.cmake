# A page is loaded from far away: it has parts of the two fonts, without what nothing draws with (fonts_of_page.py). Sets
# SLOTSCAPE_UI_FONT and SLOTSCAPE_SIGNS_FONT to these, which it makes once. Also run alone, with -D SLOTSCAPE_DOWNLOADS=… -P, where
# there is a network.
include("${CMAKE_CURRENT_LIST_DIR}/python.cmake")
set(ui_of_page "${SLOTSCAPE_DOWNLOADS}/ui-of-page.ttf")
set(signs_of_page "${SLOTSCAPE_DOWNLOADS}/signs-beside-ui-of-page.ttf")
if(NOT EXISTS "${ui_of_page}" OR NOT EXISTS "${signs_of_page}")
  if(NOT COMMAND slotscape_summary)
    function(slotscape_summary)
    endfunction()
    include("${CMAKE_CURRENT_LIST_DIR}/fonts.cmake")
  endif()
  slotscape_pip("fonttools" install fonttools==4.60.1)
  slotscape_python(fonts_python)
  execute_process(COMMAND "${fonts_python}" "${CMAKE_CURRENT_LIST_DIR}/fonts_of_page.py" "${SLOTSCAPE_UI_FONT}" "${ui_of_page}"
                          "${SLOTSCAPE_SIGNS_FONT}" "${signs_of_page}"
                  RESULT_VARIABLE status OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "The page's parts of the fonts could not be made:\n${log}")
  endif()
endif()
set(SLOTSCAPE_UI_FONT "${ui_of_page}")
set(SLOTSCAPE_SIGNS_FONT "${signs_of_page}")
