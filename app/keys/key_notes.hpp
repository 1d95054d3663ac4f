#pragma once

#include "app/base/findings.hpp"
#include "app/keys/key_text.hpp"
#include "gpu/workloads/settings.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace slotscape {

/// How the keys of a file are read.
struct KeyReading {
  std::string column = {};     ///< of several: its name, or some with " + " between them, which are hashed together
  bool refuses_empty = false;  ///< empty cells are an error; else they are left out
  bool as_text = false;        ///< all keys are hashed as texts, also where they are numbers
  friend bool operator==(KeyReading const&, KeyReading const&) = default;
};

/// A text that became a key.
struct SampledText {
  Key look = 0;  ///< the key of its `look_of`
  Key key = 0;
  std::uint64_t place = 0;  ///< in the file, from 1, of its first occurrence
  std::string text = {};    ///< of several columns, with a comma between them; long ones are cut
};
/// Different texts of a file, to find those that look alike. Of many, those with the lowest looks: the same ones of
/// each file.
struct TextSample {
  std::vector<SampledText> texts = {};  ///< by their looks
  Key end = ~Key{0};                    ///< all texts whose looks are below are among them
  bool is_whole() const { return end == ~Key{0}; }
};

/// What is known of the keys of a file, besides themselves.
struct KeyFileNotes {
  KeyReading reading;
  bool with_sign = false;  ///< they are numbers with a sign: `key_of_signed`
  HashedFrom hashed_from = HashedFrom::nothing;
  bool are_floats = false;                ///< the bits of floating-point numbers
  std::string units = {};                 ///< of dates and times; of several columns, with a comma between them
  int key_bits = 32;                      ///< that a table needs for them
  Findings findings;                      ///< left out, mapped, hashed
  TextSample texts = {};                  ///< of hashed keys
  std::uint64_t left_out = 0;             ///< rows of the file without a key, or with one that tables reserve
  std::vector<std::string> columns = {};  ///< the names of the file's columns; none if it has one only
  std::shared_ptr<void> file = {};        ///< removes a temporary file with the last of its keys
};
/// The keys of a file with what is known of them, which goes wherever they go.
std::shared_ptr<std::vector<Key> const> with_notes(std::vector<Key> keys, KeyFileNotes notes);
/// Empty ones for keys of no file.
KeyFileNotes const& notes_of(KeySettings const& keys);
/// Null for keys of no file.
KeyFileNotes* editable_notes_of(KeySettings const& keys);

}  // namespace slotscape
