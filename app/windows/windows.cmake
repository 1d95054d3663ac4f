# The program for Windows, compiled by mingw-w64: scripts/windows. Everything is compiled from the sources of the program, but for
# what Windows has none of or does in its own way, which stands in app/windows.

# Of gpu_sources and app_sources.
set(slotscape_sources_left_out
    "/gpu/watch/live[^/]*$|/app/(gl/offscreen|base/(child_process|interrupt|mapped_file|this_executable)|serve/(listening|server|without_server))\\.cpp$")

# What Linux has and mingw-w64 lacks, under the names of Linux.
include_directories(SYSTEM "${PROJECT_SOURCE_DIR}/app/windows/posix")
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wa,-mbig-obj>)  # sources that are compiled together have many sections
# 8 MiB of stack for each thread, as on Linux; no library but those of the system.
add_link_options(-static -Wl,--stack,8388608)
# GCC 12 puts a constant of a header into .rdata of one object and .data of another, which the linker takes for two.
add_link_options(-Wl,--allow-multiple-definition)

# What stands in for it, for the library of the program and for the program itself.
function(slotscape_stand_ins library program)
  set(folder "${PROJECT_SOURCE_DIR}/app/windows")
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.cpp")
  list(REMOVE_ITEM sources "${folder}/start.cpp")
  set_source_files_properties(${sources} "${folder}/start.cpp" PROPERTIES
    SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON COMPILE_DEFINITIONS "NOMINMAX;WIN32_LEAN_AND_MEAN")  # <windows.h>
  target_sources(${library} PRIVATE ${sources})
  target_compile_options(${library} PRIVATE -Wno-maybe-uninitialized)  # GCC 12 for Windows sees it in std::optional
  target_link_libraries(${library} PUBLIC z ws2_32 bcrypt imm32)  # what the libraries and they are linked to
  target_sources(slotscape_gpu PRIVATE "${PROJECT_SOURCE_DIR}/app/page/without_rivals.cpp")
  enable_language(RC)
  target_sources(${program} PRIVATE "${folder}/start.cpp" "${folder}/slotscape.rc")
endfunction()
