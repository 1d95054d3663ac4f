#include "app/tuning/key_code.hpp"

#include "app/keys/file_keys.hpp"
#include "gpu/base/translation.hpp"

#include <sstream>

namespace slotscape::tuning {
namespace {

constexpr char const* includes_of_texts = R"(#include <cstdint>
#include <cstring>
#include <string_view>
)";

/// Computes keys as `key_of_text` does.
constexpr char const* texts =
    R"(/// The key of a text, as the texts of the file became numbers: SplitMix64 of its length, and of 8 bytes at a time.
inline std::uint64_t key_of_text(std::string_view text)
{
  auto const mixed = [](std::uint64_t seed, std::uint64_t number) {
    std::uint64_t x = seed * 0xd1342543de82ef95u + (number + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  };
  std::uint64_t hash = mixed(0x6b657973u, text.size());
  for (; !text.empty(); text.remove_prefix(text.size() < 8 ? text.size() : 8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), text.size() < 8 ? text.size() : 8);
    hash = mixed(hash, word);
  }
  return hash < ~std::uint64_t{0} - 2 ? hash : hash - 3;  // tables reserve the three largest keys
}
)";

constexpr char const* includes_of_numbers = "#include <cstdint>\n";

/// Computes keys as `key_of_signed` does.
constexpr char const* numbers_with_sign =
    R"(/// The key of a number with a sign. -1, -2 and -3, whose keys tables reserve, change places with the three lowest.
inline std::uint64_t key_of_number(std::int64_t number)
{
  std::uint64_t const key = static_cast<std::uint64_t>(number);
  constexpr std::uint64_t lowest = std::uint64_t{1} << 63;
  if (key >= ~std::uint64_t{0} - 2) { return lowest + (~std::uint64_t{0} - key); }
  return key - lowest < 3 ? ~std::uint64_t{0} - (key - lowest) : key;
}
)";

}  // namespace

KeyCode code_of_keys(KeySettings const& keys)
{
  if (keys.distribution != KeyDistribution::file) { return {}; }
  KeyFileNotes const& notes = notes_of(keys);
  if (notes.hashed_from == HashedFrom::texts) {
    return {includes_of_texts, texts,
            tr("Your keys are strings, and the table stores 64-bit hashes of them: compute these with key_of_text, "
               "which is in the code. Two strings with the same hash would count as one key.")};
  }
  if (notes.hashed_from == HashedFrom::rows) {
    return {"", "",
            tr("Your keys are several columns, and the table stores 64-bit hashes of them: your program must compute "
               "the same hashes of its rows.")};
  }
  if (notes.are_floats) {
    return {
        "", "",
        tr("Your keys are numbers with fractions, and the table stores their 64 bits: std::bit_cast converts them.")};
  }
  if (notes.with_sign) {
    return {includes_of_numbers, numbers_with_sign,
            tr("Some of your keys are negative, and the table stores unsigned numbers: convert them with "
               "key_of_number, which is in the code.")};
  }
  if (!notes.units.empty()) {
    return {"", "", tr("Your keys are dates or times, and the table stores their numbers: {}.", notes.units)};
  }
  return {};
}

std::string with_key_code(std::string listing, KeyCode const& keys)
{
  if (keys.code.empty()) { return listing; }
  std::size_t const last = listing.rfind("\n#include");
  std::size_t const at = last == std::string::npos ? 0 : listing.find('\n', last + 1) + 1;
  std::string includes;
  std::istringstream lines(keys.includes);
  for (std::string line; std::getline(lines, line);) {
    if (listing.find(line + "\n") == std::string::npos) { includes += line + "\n"; }
  }
  listing.insert(at, includes + "\n" + keys.code);
  return listing;
}

}  // namespace slotscape::tuning
