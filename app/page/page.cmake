# The program in a page: build/web/app. Configured with Emscripten's toolchain, the preset `page` builds this alone:
# scripts/web --app. Everything is compiled from the sources of the program, but for what a browser has none of (app/page).

include(scripts/parts.cmake)

# As on other devices: no fused multiplications and additions. Sizes have 32 bits here.
add_compile_options(-Os -fwasm-exceptions -ffp-contract=off -Wno-c++11-narrowing -Wno-atomic-alignment)

# The canvas is GLFW's window: Emscripten has a GLFW of its own. What the program needs beside it:
add_library(dependency_glfw INTERFACE)
add_library(slotscape::glfw ALIAS dependency_glfw)
target_compile_definitions(dependency_glfw INTERFACE GLFW_INCLUDE_NONE)
function(slotscape_add_dependency name version)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "INCLUDES")
  add_library(dependency_${name} INTERFACE)
  add_library(slotscape::${name} ALIAS dependency_${name})
  target_link_libraries(dependency_${name} INTERFACE ${arg_UNPARSED_ARGUMENTS})
endfunction()
include(third_party/glad.cmake)
include(third_party/imgui.cmake)
include(third_party/laszip.cmake)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE BOTH)  # fonts and headers are those of the machine that builds
include(third_party/fonts.cmake)
include(third_party/fonts_of_page.cmake)

set(page_headers "${PROJECT_BINARY_DIR}/include")  # of the machine that builds, one by one: others beside them are not for WebAssembly
file(MAKE_DIRECTORY "${page_headers}")
foreach(header IN ITEMS fmt/format.h nlohmann/json.hpp glm/vec2.hpp CLI/CLI.hpp stb/stb_image.h)
  get_filename_component(folder "${header}" DIRECTORY)
  find_path(where_${folder} "${header}" PATHS /usr/include /usr/local/include REQUIRED)
  file(CREATE_LINK "${where_${folder}}/${folder}" "${page_headers}/${folder}" SYMBOLIC)
endforeach()

file(GLOB_RECURSE page_sources CONFIGURE_DEPENDS gpu/*.cpp app/*.cpp)
list(FILTER page_sources EXCLUDE REGEX
     "/gpu/(bench/rivals|python)/|/gpu/watch/live[^/]*$|/app/(main|gl/(window|offscreen)|base/(alike|interrupt|npz|page_address)|watch/unpacked)\\.cpp$")
list(FILTER page_sources EXCLUDE REGEX "/app/(windows/|web/module/|web/package\\.cpp|serve/server\\.cpp|dialogs/desktop_dialog\\.cpp)")
# What draws and reads is as short as can be (-Oz: a fifth less code); tables and what looks through them stay faster (-Os).
set(short_sources ${page_sources})
list(FILTER short_sources INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/app/")
list(REMOVE_ITEM page_sources ${short_sources})
add_library(slotscape_short OBJECT ${short_sources})
add_executable(slotscape ${page_sources})
set_source_files_properties("${PROJECT_SOURCE_DIR}/app/registry/scenes.cpp" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
slotscape_add_families(slotscape gpu/tables ${SLOTSCAPE_FAMILIES})
include(app/registry/scenes.cmake)
slotscape_list_scenes(slotscape_short ${SLOTSCAPE_SCENES})
file(GLOB shaders CONFIGURE_DEPENDS shaders/*.vert shaders/*.frag shaders/*.comp shaders/*.glsl)
file(GLOB catalogues RELATIVE "${PROJECT_SOURCE_DIR}" CONFIGURE_DEPENDS assets/languages/*.po)
set(brief_catalogues "")
foreach(catalogue IN LISTS catalogues)  # without what says where a text stands
  set(brief "${PROJECT_BINARY_DIR}/${catalogue}")
  get_filename_component(folder "${brief}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(OUTPUT "${brief}" COMMAND sed "/^#:/d" "${PROJECT_SOURCE_DIR}/${catalogue}" > "${brief}"
                     DEPENDS "${PROJECT_SOURCE_DIR}/${catalogue}" VERBATIM)
  list(APPEND brief_catalogues "${catalogue}" "${brief}")
endforeach()
slotscape_embed(slotscape FILES ${shaders} NAMED ${brief_catalogues} fonts/ui.ttf "${SLOTSCAPE_UI_FONT}"
                fonts/signs.ttf "${SLOTSCAPE_SIGNS_FONT}")
foreach(target IN ITEMS slotscape slotscape_short)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}" SYSTEM "${page_headers}" "${page_headers}/stb")
  target_compile_definitions(${target} PRIVATE SLOTSCAPE_HAS_CUDA=0 SLOTSCAPE_WITHOUT_TBB FMT_HEADER_ONLY
                             _LIBCPP_ENABLE_EXPERIMENTAL SLOTSCAPE_VERSION="${PROJECT_VERSION}")
  target_compile_options(${target} PRIVATE -w "SHELL:-include ${PROJECT_SOURCE_DIR}/app/web/missing_in_libcxx.hpp")
  target_link_libraries(${target} PRIVATE slotscape::imgui slotscape::glad slotscape::glfw slotscape::laszip)
  slotscape_unite(${target})
endforeach()
target_compile_options(slotscape_short PRIVATE -Oz)
target_link_libraries(slotscape PRIVATE slotscape_short)
target_link_options(slotscape PRIVATE -Os -fwasm-exceptions --no-entry -sUSE_GLFW=3 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
  -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=2GB -sINITIAL_MEMORY=128MB -sSTACK_SIZE=1MB -sEXIT_RUNTIME=0
  -sENVIRONMENT=web -lidbfs.js -sFORCE_FILESYSTEM
  -sJSPI -sJSPI_EXPORTS=slotscape_run_aside,slotscape_start,slotscape_frame,slotscape_keep
  -sEXPORTED_FUNCTIONS=_malloc,_free -sEXPORTED_RUNTIME_METHODS=FS,IDBFS,ccall
  "SHELL:--js-library ${PROJECT_SOURCE_DIR}/app/page/aside.js"
  "SHELL:--js-library ${PROJECT_SOURCE_DIR}/app/page/page_library.js"
  "SHELL:--preload-file ${PROJECT_SOURCE_DIR}/assets@/usr/share/slotscape --exclude-file */languages/* --exclude-file */pictures/* --exclude-file */web/* --exclude-file */package/* --exclude-file */serve/* --exclude-file */page/*")
set(page_folder "${PROJECT_SOURCE_DIR}/build/web/app")
set_target_properties(slotscape PROPERTIES SUFFIX .js RUNTIME_OUTPUT_DIRECTORY "${page_folder}")
file(GLOB parts CONFIGURE_DEPENDS assets/page/*)
file(GLOB_RECURSE linked CONFIGURE_DEPENDS app/page/*.js assets/begin/* assets/compare/* assets/lessons/* assets/tour/* assets/words.md)
set_target_properties(slotscape PROPERTIES LINK_DEPENDS "${parts};${linked}")  # what the linker and the copy below take
add_custom_command(TARGET slotscape POST_BUILD
  COMMAND "${CMAKE_COMMAND}" -E copy ${parts} "${page_folder}"
  COMMAND "${CMAKE_COMMAND}" "-DFOLDER=${page_folder}" -P "${PROJECT_SOURCE_DIR}/app/page/edition.cmake" VERBATIM)
