# slotscape::laszip: LASzip, which reads LAS and LAZ, compiled from its sources: those of the folder that
# SLOTSCAPE_LASZIP_SOURCE names, or those in the source package of laszip on PyPI, which carries them as their authors
# released them.
set(SLOTSCAPE_LASZIP_SOURCE "" CACHE PATH "A checkout of LASzip 3.5 or newer; empty: from PyPI")
set(laszip_package_version 0.3.0)
set(laszip_hash 9ddf91649b519db308f63d772a19e7647458f5d5512e3d927629f0196b9c6216)

set(laszip_folder "${SLOTSCAPE_LASZIP_SOURCE}")
if(NOT laszip_folder)
  slotscape_source_package(package laszip ${laszip_package_version} ${laszip_hash} "LASzip"
                           "*/vendor/*/src/*" "*/vendor/*/dll/*" "*/vendor/*/include/*")
  file(GLOB laszip_folder "${package}/src/vendor/LASzip-*")
endif()
if(NOT EXISTS "${laszip_folder}/dll/laszip_api.h")
  message(FATAL_ERROR "${laszip_folder} has no dll/laszip_api.h. Set SLOTSCAPE_LASZIP_SOURCE to a folder with the sources of "
                      "LASzip.")
endif()
foreach(part IN ITEMS MAJOR MINOR PATCH)
  slotscape_version_in(laszip_${part} "${laszip_folder}/include/laszip/laszip_api_version.h" LASZIP_API_VERSION_${part})
endforeach()
set(laszip_version "${laszip_MAJOR}.${laszip_MINOR}.${laszip_PATCH}")
if(laszip_version VERSION_LESS 3.5)
  message(FATAL_ERROR "LASzip ${laszip_version} (${laszip_folder}) is too old: 3.5 is needed. Leave SLOTSCAPE_LASZIP_SOURCE "
                      "empty to get it from PyPI.")
endif()

file(GLOB laszip_sources "${laszip_folder}/src/*.cpp")
list(FILTER laszip_sources EXCLUDE REGEX "/las(un)?zipper\\.cpp$")  # an older interface

# A time in a file may lead to another one, which LASzip reads by a call within the call. What LASzip writes does so once;
# a damaged file could do it until the stack is full. Copies of these sources give up after a few.
set(laszip_nesting "struct NestedCall {
  static int& depth() { static thread_local int calls = 0; return calls; }
  NestedCall() { if (depth() == 8) throw 4711; ++depth(); }  // as LASzip tells of damaged files
  ~NestedCall() { --depth(); }
};
")
foreach(version IN ITEMS v2 v3 v4)
  set(laszip_source "${laszip_folder}/src/lasreaditemcompressed_${version}.cpp")
  file(READ "${laszip_source}" laszip_text)
  foreach(call IN ITEMS "read(item, context)" "read_gps_time()")
    string(REPLACE "\n      ${call};" "\n      { NestedCall const nested; ${call}; }" laszip_text "${laszip_text}")
  endforeach()
  if(NOT laszip_text MATCHES "NestedCall const nested")
    message(FATAL_ERROR "${laszip_source} is not the LASzip that Slotscape knows. Leave SLOTSCAPE_LASZIP_SOURCE out.")
  endif()
  set(laszip_copy "${CMAKE_CURRENT_BINARY_DIR}/laszip/lasreaditemcompressed_${version}.cpp")
  file(CONFIGURE OUTPUT "${laszip_copy}" CONTENT "${laszip_nesting}${laszip_text}" @ONLY)
  list(REMOVE_ITEM laszip_sources "${laszip_source}")
  list(APPEND laszip_sources "${laszip_copy}")
endforeach()

add_library(dependency_laszip_sources STATIC ${laszip_sources})
target_include_directories(dependency_laszip_sources PRIVATE "${laszip_folder}/src")
target_include_directories(dependency_laszip_sources
  SYSTEM PUBLIC "${laszip_folder}" "${laszip_folder}/dll" "${laszip_folder}/include" "${laszip_folder}/include/laszip")
# NDEBUG in every build: what it asserts depends on the file.
target_compile_definitions(dependency_laszip_sources PRIVATE LASZIPDLL_EXPORTS UNORDERED HAVE_UNORDERED_MAP=1 NDEBUG)
target_compile_options(dependency_laszip_sources PRIVATE -w)  # its warnings are not ours to mend
if(SLOTSCAPE_SANITIZE MATCHES "undefined")  # it reads numbers where they lie, aligned or not
  target_compile_options(dependency_laszip_sources PRIVATE -fno-sanitize=undefined)
endif()
slotscape_add_dependency(laszip "${laszip_version} (${laszip_folder})" dependency_laszip_sources)
