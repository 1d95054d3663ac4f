slotscape_find(tbb DEBIAN libtbb-dev CONFIG TBB TARGET TBB::tbb MODULE "tbb>=2021" HEADER oneapi/tbb.h LIBRARY tbb)
