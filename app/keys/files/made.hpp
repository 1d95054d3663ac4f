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

/// Converts a file's numbers and texts of any kind to 64-bit keys, with findings about them.
namespace slotscape::key_files {

/// The names of a file and of places in it, for messages.
struct Origin {
  enum class Unit : std::uint8_t { line, row, word };
  std::string file;         ///< the file's name, as in messages
  std::string column = {};  ///< name of the key column; empty if there is only one
  Unit unit = Unit::line;

  std::string short_name() const;                 ///< without its folders
  std::string row(std::uint64_t number) const;    ///< "line 3"
  std::string place(std::uint64_t number) const;  ///< "line 3, column 'user'"
};

/// The number of occurrences of something, and the place of the first.
struct Occurrences {
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  std::string text = {};        ///< text of the first occurrence; may be empty
  std::uint64_t with_text = 0;  ///< number of occurrences that have a text
  std::string a_text = {};      ///< the first of those texts

  void add(std::uint64_t place, std::string_view what);
};

struct MadeKeys {
  std::vector<Key> keys;
  KeyFileNotes notes = {};  ///< without `reading` and `key_bits`
};

/// Keys that are integers, some of which may be negative. Reserved keys are left out and counted.
class NumberKeys {
public:
  explicit NumberKeys(Origin origin) : origin_(std::move(origin)) {}
  void reserve(std::uint64_t count) { keys_.reserve(count); }

  void add(std::uint64_t number, std::uint64_t place);
  void add_negative(std::int64_t number, std::uint64_t place);
  /// Throws Error if there are both negative numbers and numbers that do not fit into 63 bits.
  MadeKeys take();

private:
  Origin origin_;
  std::vector<Key> keys_;
  Occurrences negative_;
  Occurrences beyond_sign_;
  Occurrences beyond_32_bits_;
  Occurrences reserved_;  // reserved keys if numbers are read without a sign, and with one
  Occurrences reserved_with_sign_;
};

/// Collects a `TextSample`. Look-alikes in two files are found only if both samples contain their look, so samples keep
/// the texts with the lowest looks (Broder 1997).
class TextSampler {
public:
  static constexpr std::size_t max_texts = std::size_t{1} << 16;

  /// parts: one per column; `key` is the key of all of them.
  void add(Key key, std::span<std::string const> parts, std::uint64_t place);
  TextSample take();

private:
  void leave_out_the_upper_half();

  TextSample sample_;
  std::unordered_set<Key> keys_;  ///< keys of the texts in the sample
};

/// Keys that are texts or several numbers, hashed to 64 bits. Collisions are counted by means of a second hash.
class HashedKeys {
public:
  explicit HashedKeys(Origin origin) : origin_(std::move(origin)) {}

  /// Adds a part of a key, which may consist of several columns.
  void add_part(std::string_view text);
  void end_key(std::uint64_t place);
  /// `what`: a description, as the start of a sentence: "the keys of column 'user' are texts, such as 'anna'".
  MadeKeys take(HashedFrom from, std::string_view what);

private:
  Origin origin_;
  TextKey key_;
  std::uint64_t check_ = 0;
  std::vector<Key> keys_;
  std::vector<std::uint64_t> checks_;
  std::vector<std::string> parts_;  ///< parts of the current key; later entries are left over from longer keys
  std::size_t part_count_ = 0;
  TextSampler texts_;
};

/// The number of keys that stand for more than one text, detected by a second hash.
std::uint64_t collisions(std::vector<Key> const& keys, std::vector<std::uint64_t> const& checks);

/// A short quotation from a file.
std::string in_quotes(std::string_view text);

}  // namespace slotscape::key_files
