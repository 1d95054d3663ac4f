# The module that lesson pages run: the tables, and the reading and checking of lessons, as WebAssembly. Configured with
# Emscripten's toolchain (the preset `web`), the project builds this alone. CMake must have been told:
#   emcmake cmake --preset web

if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 18)
  message(FATAL_ERROR "Emscripten is too old: its clang is ${CMAKE_CXX_COMPILER_VERSION}, and its library lacks most of "
                      "C++20. Version 3.1.50 or newer is needed; Debian 13 has one.")
endif()

include(scripts/warnings.cmake)
include(scripts/unity.cmake)
include(gpu/tables/families.cmake)
include(scripts/families.cmake)

# Headers of the machine that builds, one by one: the others in their folder are not for WebAssembly.
set(web_headers "${PROJECT_BINARY_DIR}/include")
foreach(header IN ITEMS fmt/format.h nlohmann/json.hpp glm/vec2.hpp)
  get_filename_component(folder "${header}" DIRECTORY)
  find_path(where_${folder} "${header}" PATHS /usr/include /usr/local/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(MAKE_DIRECTORY "${web_headers}")
  file(CREATE_LINK "${where_${folder}}/${folder}" "${web_headers}/${folder}" SYMBOLIC)
endforeach()

file(GLOB web_sources CONFIGURE_DEPENDS
  gpu/base/*.cpp gpu/execution/*.cpp gpu/tables/*.cpp gpu/workloads/*.cpp gpu/analysis/*.cpp gpu/engine/*.cpp app/simulation/*.cpp)
list(APPEND web_sources
  app/base/catalogue.cpp app/base/catalogue_json.cpp app/base/encoding.cpp app/base/files.cpp app/base/findings.cpp app/base/format_json.cpp app/base/json.cpp app/base/json_edit.cpp
  app/base/scenario_files.cpp app/base/setting.cpp app/base/text.cpp
  app/scene/file_question.cpp app/scene/scenario.cpp
  app/lessons/condition.cpp app/lessons/expression.cpp app/lessons/lesson.cpp app/lessons/markdown.cpp
  app/lessons/page.cpp app/lessons/progress.cpp app/lessons/read_answer.cpp app/lessons/read_task.cpp app/lessons/right_answer.cpp
  app/lessons/session.cpp app/lessons/session_answers.cpp app/lessons/translated.cpp app/lessons/variables.cpp
  app/keys/file_keys.cpp app/keys/key_text.cpp app/keys/keys_json.cpp app/keys/parse_keys.cpp app/keys/typed_keys.cpp
  app/table_map/palette.cpp app/table_map/settings.cpp app/table_map/step/plain.cpp app/table_map/step/player.cpp
  app/table_map/step/retold.cpp app/table_map/step/words.cpp
  app/table_scene/compared.cpp app/table_scene/formats.cpp app/table_scene/predicted.cpp
  app/table_scene/report.cpp app/table_scene/setup.cpp app/table_scene/step_request_json.cpp app/table_scene/steps_json.cpp
  app/web/module/module.cpp app/web/page_lesson.cpp app/web/page_tables.cpp app/web/reports.cpp)

add_executable(lesson_page ${web_sources})
slotscape_add_families(lesson_page gpu/tables WITHOUT_RACES ${SLOTSCAPE_FAMILIES})
target_include_directories(lesson_page PRIVATE "${PROJECT_SOURCE_DIR}" SYSTEM "${web_headers}")
target_compile_definitions(lesson_page PRIVATE SLOTSCAPE_HAS_CUDA=0 SLOTSCAPE_WITHOUT_TBB FMT_HEADER_ONLY
                                               SLOTSCAPE_VERSION="${PROJECT_VERSION}")
# As on other devices: no fused multiplications and additions. Sizes have 32 bits here, which no page's table needs more of.
target_compile_options(lesson_page PRIVATE -Os -fwasm-exceptions -ffp-contract=off -Wno-c++11-narrowing
                       -Wno-atomic-alignment
                       "SHELL:-include ${PROJECT_SOURCE_DIR}/app/web/missing_in_libcxx.hpp")
target_link_libraries(lesson_page PRIVATE slotscape::warnings)
target_link_options(lesson_page PRIVATE -Os -fwasm-exceptions --no-entry -sSTANDALONE_WASM -sALLOW_MEMORY_GROWTH
                    -sMAXIMUM_MEMORY=1GB -sSTACK_SIZE=1MB -sEXPORTED_FUNCTIONS=_slotscape_ask,_malloc,_free)
set_target_properties(lesson_page PROPERTIES SUFFIX .wasm RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
slotscape_unite(lesson_page)
add_custom_command(TARGET lesson_page POST_BUILD COMMAND gzip --best --no-name --keep --force "$<TARGET_FILE:lesson_page>"
                   VERBATIM)
