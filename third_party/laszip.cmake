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
add_library(dependency_laszip_sources STATIC ${laszip_sources})
target_include_directories(dependency_laszip_sources
  SYSTEM PUBLIC "${laszip_folder}" "${laszip_folder}/dll" "${laszip_folder}/include" "${laszip_folder}/include/laszip")
# NDEBUG in every build: what it asserts depends on the file.
target_compile_definitions(dependency_laszip_sources PRIVATE LASZIPDLL_EXPORTS UNORDERED HAVE_UNORDERED_MAP=1 NDEBUG)
target_compile_options(dependency_laszip_sources PRIVATE -w)  # its warnings are not ours to mend
if(SLOTSCAPE_SANITIZE MATCHES "undefined")  # it reads numbers where they lie, aligned or not
  target_compile_options(dependency_laszip_sources PRIVATE -fno-sanitize=undefined)
endif()
slotscape_add_dependency(laszip "${laszip_version} (${laszip_folder})" dependency_laszip_sources)
