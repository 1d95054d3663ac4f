slotscape_find(libzip DEBIAN libzip-dev MODULE libzip HEADER zip.h LIBRARY zip)
