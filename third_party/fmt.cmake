slotscape_find(fmt DEBIAN libfmt-dev CONFIG fmt TARGET fmt::fmt MODULE fmt HEADER fmt/format.h LIBRARY fmt)
