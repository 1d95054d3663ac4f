# Files inside the binary: app/gl/embedded.hpp gives them by name.

# slotscape_embed(TARGET FILES FILE... NAMED NAME FILE ...): FILES are named by their path in the repository.
function(slotscape_embed target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FILES;NAMED")
  foreach(file IN LISTS arg_FILES)
    file(RELATIVE_PATH name "${PROJECT_SOURCE_DIR}" "${file}")
    list(APPEND arg_NAMED "${name}" "${file}")
  endforeach()

  set(folder "${PROJECT_BINARY_DIR}/embedded")
  set(writer "${PROJECT_SOURCE_DIR}/scripts/embed_file.cmake")
  set(SLOTSCAPE_EMBEDDED_DECLARATIONS "")
  set(SLOTSCAPE_EMBEDDED_ENTRIES "")
  while(arg_NAMED)
    list(POP_FRONT arg_NAMED name file)
    string(MAKE_C_IDENTIFIER "${name}" symbol)
    add_custom_command(OUTPUT "${folder}/${symbol}.cpp"
      COMMAND "${CMAKE_COMMAND}" "-DINPUT=${file}" "-DOUTPUT=${folder}/${symbol}.cpp" "-DSYMBOL=${symbol}"
              -P "${writer}"
      DEPENDS "${file}" "${writer}"
      COMMENT "Embedding ${name}" VERBATIM)
    target_sources(${target} PRIVATE "${folder}/${symbol}.cpp")
    string(APPEND SLOTSCAPE_EMBEDDED_DECLARATIONS "extern std::span<unsigned char const> const ${symbol};\n")
    string(APPEND SLOTSCAPE_EMBEDDED_ENTRIES "    {\"${name}\", ${symbol}},\n")
  endwhile()
  configure_file("${PROJECT_SOURCE_DIR}/app/gl/embedded.cpp.in" "${folder}/embedded.cpp" @ONLY)
  target_sources(${target} PRIVATE "${folder}/embedded.cpp")
endfunction()
