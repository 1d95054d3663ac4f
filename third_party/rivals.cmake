# slotscape_rivals: hash tables for CPUs by others, which 'slotscape bench tables --rivals' measures beside the families.
# Those that are not found are left out.
if(WIN32)
  add_library(slotscape_rivals INTERFACE)
  return()
endif()
file(GLOB rival_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/gpu/bench/rivals/*.cpp")
add_library(slotscape_rivals OBJECT ${rival_sources})
target_link_libraries(slotscape_rivals PRIVATE slotscape_gpu_headers slotscape::warnings)
if(SLOTSCAPE_SANITIZE)  # they are not ours to check, and abseil's are to be compiled as its library was
  target_compile_options(slotscape_rivals PRIVATE -fno-sanitize=all)
endif()

# slotscape_rival(NAME FOUND VERSION)
function(slotscape_rival name found version)
  string(TOUPPER "${name}" upper)
  target_compile_definitions(slotscape_rivals PRIVATE SLOTSCAPE_HAS_${upper}=$<BOOL:${found}>)
  if(found)
    slotscape_summary("${name}" "${version}, a rival of 'slotscape bench tables'")
  endif()
endfunction()

find_package(absl CONFIG QUIET)
slotscape_rival(abseil ${absl_FOUND} "${absl_VERSION}")
if(absl_FOUND)
  target_link_libraries(slotscape_rivals PRIVATE absl::flat_hash_map)
endif()

find_path(SLOTSCAPE_libcuckoo_INCLUDE libcuckoo/cuckoohash_map.hh)
slotscape_rival(libcuckoo "${SLOTSCAPE_libcuckoo_INCLUDE}" "${SLOTSCAPE_libcuckoo_INCLUDE}")
if(SLOTSCAPE_libcuckoo_INCLUDE)
  target_include_directories(slotscape_rivals SYSTEM PRIVATE "${SLOTSCAPE_libcuckoo_INCLUDE}")
endif()

find_path(SLOTSCAPE_boost_INCLUDE boost/unordered/concurrent_flat_map.hpp)  # from Boost 1.83 on
slotscape_rival(boost "${SLOTSCAPE_boost_INCLUDE}" "${SLOTSCAPE_boost_INCLUDE}")
if(SLOTSCAPE_boost_INCLUDE)
  target_include_directories(slotscape_rivals SYSTEM PRIVATE "${SLOTSCAPE_boost_INCLUDE}")
endif()

find_path(SLOTSCAPE_nanoflann_INCLUDE nanoflann.hpp)  # of 'slotscape bench neighbours'
target_compile_definitions(slotscape_rivals PRIVATE SLOTSCAPE_HAS_NANOFLANN=$<BOOL:${SLOTSCAPE_nanoflann_INCLUDE}>)
if(SLOTSCAPE_nanoflann_INCLUDE)
  target_include_directories(slotscape_rivals SYSTEM PRIVATE "${SLOTSCAPE_nanoflann_INCLUDE}")
  slotscape_summary("nanoflann" "${SLOTSCAPE_nanoflann_INCLUDE}, a rival of 'slotscape bench neighbours'")
endif()
