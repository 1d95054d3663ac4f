# Files inside the binary: app/gl/embedded.hpp gives them by name.

# slotscape_embed_bytes(TARGET NAME FILE SYMBOL): the file's bytes as a std::span in slotscape::gl::files; SYMBOL is set to its
# name, which comes from NAME.
function(slotscape_embed_bytes target name file symbol_name)
  set(folder "${PROJECT_BINARY_DIR}/embedded")
  set(writer "${PROJECT_SOURCE_DIR}/scripts/embed_file.cmake")
  string(MAKE_C_IDENTIFIER "${name}" symbol)
  add_custom_command(OUTPUT "${folder}/${symbol}.cpp"
    COMMAND "${CMAKE_COMMAND}" "-DINPUT=${file}" "-DOUTPUT=${folder}/${symbol}.cpp" "-DSYMBOL=${symbol}"
            -P "${writer}"
    DEPENDS "${file}" "${writer}"
    COMMENT "Embedding ${name}" VERBATIM)
  target_sources(${target} PRIVATE "${folder}/${symbol}.cpp")
  set(${symbol_name} "${symbol}" PARENT_SCOPE)
endfunction()

# slotscape_embed(TARGET FILES FILE... NAMED NAME FILE ...): FILES are named by their path in the repository.
function(slotscape_embed target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FILES;NAMED")
  foreach(file IN LISTS arg_FILES)
    file(RELATIVE_PATH name "${PROJECT_SOURCE_DIR}" "${file}")
    list(APPEND arg_NAMED "${name}" "${file}")
  endforeach()

  set(SLOTSCAPE_EMBEDDED_DECLARATIONS "")
  set(SLOTSCAPE_EMBEDDED_ENTRIES "")
  while(arg_NAMED)
    list(POP_FRONT arg_NAMED name file)
    slotscape_embed_bytes(${target} "${name}" "${file}" symbol)
    string(APPEND SLOTSCAPE_EMBEDDED_DECLARATIONS "extern std::span<unsigned char const> const ${symbol};\n")
    string(APPEND SLOTSCAPE_EMBEDDED_ENTRIES "    {\"${name}\", ${symbol}},\n")
  endwhile()
  set(source "${PROJECT_BINARY_DIR}/embedded/embedded.cpp")
  configure_file("${PROJECT_SOURCE_DIR}/app/gl/embedded.cpp.in" "${source}" @ONLY)
  target_sources(${target} PRIVATE "${source}")
endfunction()
