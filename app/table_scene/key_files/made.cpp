#include "app/table_scene/key_files/made.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "app/table_map/key_text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/pair_format.hpp"
#include "gpu/base/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace slotscape::key_files {
namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
constexpr std::uint64_t lowest_free = 3;  ///< numbers from -2^63 on whose keys are reserved

/// Of the bytes of a text, each eight at a time, and of its length.
std::uint64_t hash_of(std::uint64_t seed, std::string_view text)
{
  std::uint64_t hash = random64(seed, text.size());
  while (!text.empty()) {
    std::uint64_t word = 0;
    std::size_t const bytes = std::min(text.size(), sizeof(word));
    std::memcpy(&word, text.data(), bytes);
    hash = random64(hash, word);
    text.remove_prefix(bytes);
  }
  return hash;
}

constexpr std::uint64_t hash_seed = 0x6b657973;
constexpr std::uint64_t check_seed = 0x636865636b;

}  // namespace

std::string Origin::short_name() const
{
  return file.substr(file.rfind('/') + 1);
}

std::string Origin::place(std::uint64_t number) const
{
  return column.empty() ? fmt::format("{} {}", unit, number)
                        : fmt::format("{} {}, column {}", unit, number, in_quotes(column));
}

void Occurrences::add(std::uint64_t place, std::string_view what)
{
  if (!what.empty() && with_text++ == 0) { a_text = what; }
  if (count++ != 0) { return; }
  first = place;
  text = what;
}

std::string in_quotes(std::string_view text)
{
  constexpr std::size_t most = 40;
  std::string shown;
  for (char const letter : text.substr(0, most)) {
    auto const byte = static_cast<unsigned char>(letter);
    shown += byte < 0x20 || byte == 0x7f ? '?' : letter;
  }
  while (!is_utf8(shown) && !shown.empty()) { shown.pop_back(); }  // it was cut within a letter
  return fmt::format("'{}{}'", shown, text.size() > most ? "..." : "");
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view several)
{
  return fmt::format("{} {}", grouped(count), count == 1 ? one : several);
}

void NumberKeys::add(std::uint64_t number, std::uint64_t place)
{
  if (number >= sign_bit) { beyond_sign_.add(place, std::to_string(number)); }
  if (is_reserved(number, 64)) { return reserved_.add(place, std::to_string(number)); }
  if (is_reserved(number, 32)) { beyond_32_bits_.add(place, std::to_string(number)); }
  keys_.push_back(number);
}

void NumberKeys::add_negative(std::int64_t number, std::uint64_t place)
{
  negative_.add(place, std::to_string(number));
  bool const has_no_key = static_cast<std::uint64_t>(number) - sign_bit < lowest_free;
  if (has_no_key) { return reserved_with_sign_.add(place, std::to_string(number)); }
  keys_.push_back(key_of_signed(number));
}

MadeKeys NumberKeys::take()
{
  if (negative_.count != 0 && beyond_sign_.count != 0) {
    throw Error(
        fmt::format("{}: {}: {} is too large beside negative numbers, such as {} in {} {}: they would share keys; "
                    "keys are either from 0 to 18446744073709551615 or from -9223372036854775808 to "
                    "9223372036854775807",
                    origin_.file, origin_.place(beyond_sign_.first), beyond_sign_.text, negative_.text, origin_.unit,
                    negative_.first));
  }
  MadeKeys made{.keys = std::move(keys_), .with_sign = negative_.count != 0, .findings = {}};
  if (made.with_sign) {
    made.findings.push_back(
        fmt::format("{}: {} negative (the first is {} in {} {}). Tables store them as unsigned 64-bit numbers, one to "
                    "one, and they are shown with their sign.",
                    origin_.short_name(), counted(negative_.count, "key is", "keys are"), negative_.text, origin_.unit,
                    negative_.first));
  }
  if (!made.with_sign && beyond_32_bits_.count != 0) {
    made.findings.push_back(
        fmt::format("{}: {} not fit in 32 bits (the first is {} in {} {}), so tables have 64-bit keys.",
                    origin_.short_name(), counted(beyond_32_bits_.count, "key does", "keys do"), beyond_32_bits_.text,
                    origin_.unit, beyond_32_bits_.first));
  }
  Occurrences const& reserved = made.with_sign ? reserved_with_sign_ : reserved_;
  if (reserved.count != 0) {
    made.findings.push_back(fmt::format(
        "{}: {} left out (the first is {} in {} {}): tables reserve the three {} 64-bit numbers. If you need "
        "these keys, give them other numbers in the file.",
        origin_.short_name(), counted(reserved.count, "key was", "keys were"), reserved.text, origin_.unit,
        reserved.first, made.with_sign ? "lowest" : "largest"));
    made.left_out = reserved.count;
  }
  return made;
}

void HashedKeys::add_part(std::string_view text)
{
  hash_ = hash_of(hash_ ^ hash_seed, text);
  check_ = hash_of(check_ ^ check_seed, text);
}

void HashedKeys::end_key()
{
  std::uint64_t const hash = std::exchange(hash_, 0);
  keys_.push_back(is_reserved(hash, 64) ? hash - lowest_free : hash);
  checks_.push_back(std::exchange(check_, 0));
}

MadeKeys HashedKeys::take(std::string_view what)
{
  std::uint64_t const same = collisions(keys_, checks_);
  std::string const fell_together = same == 0 ? "No two different ones have the same hash."
                                              : fmt::format("{} for different ones, which count as the same.",
                                                            counted(same, "hash stands", "hashes stand"));
  Findings findings{
      fmt::format("{}: {}: each was hashed to a key of 64 bits. {}", origin_.short_name(), what, fell_together)};
  return {.keys = std::move(keys_), .hashed = true, .findings = std::move(findings)};
}

std::uint64_t collisions(std::vector<Key> const& keys, std::vector<std::uint64_t> const& checks)
{
  std::vector<std::pair<Key, std::uint64_t>> both(keys.size());
  std::ranges::transform(keys, checks, both.begin(),
                         [](Key key, std::uint64_t check) { return std::pair(key, check); });
  std::ranges::sort(both);
  both.erase(std::unique(both.begin(), both.end()), both.end());
  std::uint64_t count = 0;
  for (std::size_t i = 1; i < both.size(); ++i) {
    bool const goes_on = both[i].first == both[i - 1].first;
    bool const is_counted = i >= 2 && both[i - 2].first == both[i].first;
    count += goes_on && !is_counted ? 1u : 0u;
  }
  return count;
}

}  // namespace slotscape::key_files
