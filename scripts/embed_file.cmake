# cmake -DINPUT=FILE -DOUTPUT=FILE.cpp -DSYMBOL=NAME -P embed_file.cmake: writes a file's bytes as a C++ source.
file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "(................................................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE "${OUTPUT}" "#include <span>

namespace slotscape::gl::files {

// The zero at the end is not counted; it lets an empty file be an array too.
static constexpr unsigned char bytes[] = {
${bytes}0};
extern std::span<unsigned char const> const ${SYMBOL};
constinit std::span<unsigned char const> const ${SYMBOL}{bytes, sizeof bytes - 1};

}  // namespace slotscape::gl::files
")
