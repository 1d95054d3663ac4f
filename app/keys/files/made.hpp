#pragma once

#include "app/keys/file_keys.hpp"
#include "gpu/base/types.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

/// Keys of files: from numbers and texts of any kind to numbers of 64 bits, and what is to be said of them.
namespace slotscape::key_files {

/// What the file is to people, and where in it something is.
struct Origin {
  enum class Unit : std::uint8_t { line, row, word };
  std::string file;         ///< as in messages
  std::string column = {};  ///< empty: there is one only
  Unit unit = Unit::line;

  std::string short_name() const;                 ///< without its folders
  std::string row(std::uint64_t number) const;    ///< "line 3"
  std::string place(std::uint64_t number) const;  ///< "line 3, column 'user'"
};

/// How many of something there are, and where the first one is.
struct Occurrences {
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  std::string text = {};        ///< of the first; may be empty
  std::uint64_t with_text = 0;  ///< of these
  std::string a_text = {};      ///< of the first of these

  void add(std::uint64_t place, std::string_view what);
};

struct MadeKeys {
  std::vector<Key> keys;
  KeyFileNotes notes = {};  ///< without `reading` and `key_bits`
};

/// Keys that are whole numbers, of which some may be negative. Reserved ones are left out and counted.
class NumberKeys {
public:
  explicit NumberKeys(Origin origin) : origin_(std::move(origin)) {}
  void reserve(std::uint64_t count) { keys_.reserve(count); }

  void add(std::uint64_t number, std::uint64_t place);
  void add_negative(std::int64_t number, std::uint64_t place);
  /// Throws Error if there are negative numbers beside ones that do not fit in 63 bits.
  MadeKeys take();

private:
  Origin origin_;
  std::vector<Key> keys_;
  Occurrences negative_;
  Occurrences beyond_sign_;
  Occurrences beyond_32_bits_;
  Occurrences reserved_;  // without and with a sign
  Occurrences reserved_with_sign_;
};

/// Collects a `TextSample`. Texts are found alike in two files if their looks are in the samples of both: so these keep
/// the ones with the lowest looks (Broder 1997).
class TextSampler {
public:
  static constexpr std::size_t max_texts = std::size_t{1} << 16;

  /// parts: of several columns; `key` is the key of all.
  void add(Key key, std::span<std::string const> parts, std::uint64_t place);
  TextSample take();

private:
  void leave_out_the_upper_half();

  TextSample sample_;
  std::unordered_set<Key> keys_;  ///< of the texts of the sample
};

/// Keys that are texts or several numbers: hashed to 64 bits. How many different ones fall together is counted, by a
/// second hash.
class HashedKeys {
public:
  explicit HashedKeys(Origin origin) : origin_(std::move(origin)) {}

  /// A part of a key: several columns make one.
  void add_part(std::string_view text);
  void end_key(std::uint64_t place);
  /// `what` they are, as the start of a sentence: "the keys of column 'user' are texts, such as 'anna'".
  MadeKeys take(HashedFrom from, std::string_view what);

private:
  Origin origin_;
  TextKey key_;
  std::uint64_t check_ = 0;
  std::vector<Key> keys_;
  std::vector<std::uint64_t> checks_;
  std::vector<std::string> parts_;  ///< of the present key, and some of others behind them
  std::size_t part_count_ = 0;
  TextSampler texts_;
};

/// How many keys stand for more than one text, by hashes that tell these apart.
std::uint64_t collisions(std::vector<Key> const& keys, std::vector<std::uint64_t> const& checks);

/// A short quotation from a file.
std::string in_quotes(std::string_view text);

}  // namespace slotscape::key_files
