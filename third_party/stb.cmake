slotscape_find(stb DEBIAN libstb-dev MODULE stb HEADER stb_image_write.h FOLDER stb)
