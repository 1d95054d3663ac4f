# slotscape_make_tables(FOLDER): makes the target slotscape::tables of the headers in FOLDER/slotscape.
#
# On the CPU it uses oneTBB if that is installed; SLOTSCAPE_WITHOUT_TBB does without. CUDA is needed only by sources that
# include <slotscape/cuda_table.cuh>: they are compiled by nvcc, from CUDA 12 on.
option(SLOTSCAPE_WITHOUT_TBB "Have slotscape::tables use threads of its own on the CPU, even if there is oneTBB" OFF)

function(slotscape_make_tables folder)
  add_library(slotscape::tables INTERFACE IMPORTED GLOBAL)
  target_include_directories(slotscape::tables INTERFACE "${folder}")
  target_compile_features(slotscape::tables INTERFACE cxx_std_20)
  # The standard as an option, because CMake before 3.26 does not know that nvcc has it.
  target_compile_options(slotscape::tables INTERFACE
    "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--expt-relaxed-constexpr>")
  target_link_libraries(slotscape::tables INTERFACE atomic)  # the compiler's own, for 16-byte atomics

  if(NOT SLOTSCAPE_WITHOUT_TBB AND NOT TARGET TBB::tbb)
    find_package(TBB QUIET CONFIG)
    if(TARGET TBB::tbb)
      set_target_properties(TBB::tbb PROPERTIES IMPORTED_GLOBAL TRUE)  # for projects that this one is a folder of
    endif()
  endif()
  if(TARGET TBB::tbb AND NOT SLOTSCAPE_WITHOUT_TBB)
    target_link_libraries(slotscape::tables INTERFACE TBB::tbb)
    return()
  endif()
  if(NOT TARGET Threads::Threads)
    find_package(Threads REQUIRED)
    set_target_properties(Threads::Threads PROPERTIES IMPORTED_GLOBAL TRUE)
  endif()
  target_compile_definitions(slotscape::tables INTERFACE SLOTSCAPE_WITHOUT_TBB)
  target_link_libraries(slotscape::tables INTERFACE Threads::Threads)
endfunction()
