slotscape_find(utf8proc DEBIAN libutf8proc-dev MODULE libutf8proc HEADER utf8proc.h LIBRARY utf8proc)
