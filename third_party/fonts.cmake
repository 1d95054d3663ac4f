# The font of the interface, embedded in the binary: SLOTSCAPE_UI_FONT.
file(GLOB font_folders LIST_DIRECTORIES true /usr/share/fonts/truetype/* /usr/share/fonts/truetype/*/*
     /usr/share/fonts/truetype/*/*/* /usr/share/fonts/TTF /usr/share/fonts/*)
find_file(SLOTSCAPE_UI_FONT NAMES Roboto-Regular.ttf DejaVuSans.ttf PATHS ${font_folders})
if(NOT SLOTSCAPE_UI_FONT)
  message(FATAL_ERROR "Could not find a font for the interface. On Debian and Ubuntu: apt-get install "
                      "fonts-roboto-unhinted. Or set SLOTSCAPE_UI_FONT to a TrueType file.")
endif()
slotscape_summary("font" "${SLOTSCAPE_UI_FONT}")
