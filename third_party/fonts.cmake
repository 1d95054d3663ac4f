# The fonts of the interface, embedded in the binary: SLOTSCAPE_UI_FONT and, for the signs that it lacks, such as those of
# mathematics, SLOTSCAPE_SIGNS_FONT.
file(GLOB font_folders LIST_DIRECTORIES true /usr/share/fonts/truetype/* /usr/share/fonts/truetype/*/*
     /usr/share/fonts/truetype/*/*/* /usr/share/fonts/TTF /usr/share/fonts/*)
find_file(SLOTSCAPE_UI_FONT NAMES Roboto-Regular.ttf DejaVuSans.ttf PATHS ${font_folders} NO_CMAKE_FIND_ROOT_PATH)
if(NOT SLOTSCAPE_UI_FONT)
  message(FATAL_ERROR "Could not find a font for the interface. On Debian and Ubuntu: apt-get install "
                      "fonts-roboto-unhinted. Or set SLOTSCAPE_UI_FONT to a TrueType file.")
endif()
find_file(SLOTSCAPE_SIGNS_FONT NAMES DejaVuSans.ttf PATHS ${font_folders} NO_CMAKE_FIND_ROOT_PATH)
if(NOT SLOTSCAPE_SIGNS_FONT)
  set(SLOTSCAPE_SIGNS_FONT "${SLOTSCAPE_UI_FONT}")
endif()
slotscape_summary("font" "${SLOTSCAPE_UI_FONT}")
slotscape_summary("font of signs" "${SLOTSCAPE_SIGNS_FONT}")
