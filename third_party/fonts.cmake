# The fonts of the interface, embedded in the binary: SLOTSCAPE_UI_FONT and SLOTSCAPE_MONO_FONT.
file(GLOB font_folders LIST_DIRECTORIES true /usr/share/fonts/truetype/* /usr/share/fonts/truetype/*/*
     /usr/share/fonts/truetype/*/*/* /usr/share/fonts/TTF /usr/share/fonts/*)
find_file(SLOTSCAPE_UI_FONT NAMES Roboto-Regular.ttf DejaVuSans.ttf PATHS ${font_folders})
find_file(SLOTSCAPE_MONO_FONT NAMES DejaVuSansMono.ttf RobotoMono-Regular.ttf PATHS ${font_folders})
if(NOT SLOTSCAPE_UI_FONT OR NOT SLOTSCAPE_MONO_FONT)
  message(FATAL_ERROR "No font was found for the interface. On Debian and Ubuntu: apt-get install fonts-roboto-unhinted "
                      "fonts-dejavu-core; or set SLOTSCAPE_UI_FONT and SLOTSCAPE_MONO_FONT to TrueType files.")
endif()
slotscape_summary("fonts" "${SLOTSCAPE_UI_FONT}, ${SLOTSCAPE_MONO_FONT}")
