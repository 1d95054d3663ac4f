if(WIN32)  # gpu/execution/own_threads.hpp stands in: one library less to compile
  slotscape_add_dependency(tbb "none: threads of its own")
  target_compile_definitions(dependency_tbb INTERFACE SLOTSCAPE_WITHOUT_TBB)
  return()
endif()
slotscape_find(tbb DEBIAN libtbb-dev CONFIG TBB TARGET TBB::tbb MODULE "tbb>=2021" HEADER oneapi/tbb.h LIBRARY tbb)
