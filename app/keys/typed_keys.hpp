#pragma once

#include "app/keys/key_text.hpp"
#include "app/simulation/action.hpp"
#include "gpu/engine/engine.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// How keys are typed for a table.
struct KeyForm {
  int key_bits = 32;
  KeyStyle style = KeyStyle::numbers;
  HashedFrom keys_of = HashedFrom::nothing;  ///< what they were in the file that they come from
  friend bool operator==(KeyForm const&, KeyForm const&) = default;
};
/// Whether that is as words, names or texts.
bool has_letters(KeyForm const& form);

/// What a text says, or what is wrong with it.
struct ParsedKeys {
  std::vector<Pair> pairs;
  std::string error;  ///< empty if all is right
};

inline constexpr std::size_t max_typed_keys = 1'000'000;

/// Reads keys such as "17, 42 0x2a, 33–40, 5=12": numbers, ranges, and values after an equals sign (0 without one). A
/// word or a name of the style is the key that it stands for: "Ada", "ben=12". Keys of 128 bits are up to 32
/// hexadecimal digits each: a pair has the lower half as its key, and the upper one as its value. Where a file's keys
/// were texts, what is no number is one of them, as `key_of_text` has it: apple, apple=12, or "red apple", "42", "a=5"
/// in quotation marks.
ParsedKeys parse_keys(std::string_view text, Operation operation, KeyForm const& form);

/// "42", "5=12" or "Ada=12": what is to be typed for it.
std::string pair_text(Pair const& pair, KeyStyle style);
/// Why a table with `key_bits` refuses this key or value; empty if it accepts them.
std::string why_refused(OnKey const& operation, int key_bits);

/// The field for keys: what to do, with which keys, and what was typed before.
struct TypedKeys {
  Operation operation = Operation::insert;
  std::string text;
  std::vector<std::string> past;  ///< entries, the latest last
  std::vector<Pair> lately;       ///< keys that were typed or dragged onto the map, the latest first
  std::size_t shown = 0;          ///< the one the user walked back to; past the end: the present text
  bool focus = false;             ///< the field is to have the keyboard, and does not have it yet
  int frames_without = 0;         ///< since then
  bool active = false;            ///< the field has the keyboard
  bool replaced = false;          ///< the text was set from outside
  bool begun = false;             ///< characters were typed before the field had the focus
  bool is_new = false;            ///< the text was typed or changed, and neither entered nor stepped through since
  bool steps_wanted = false;      ///< T was pressed in the field, where no key has this letter
  int message_end = 0;            ///< the lower end of what is said of a wrong text, on the screen; 0: nothing is
  bool t_is_typed = false;        ///< like any letter, as while a question is open, which step mode would answer

  /// Puts the text of an operation into the field.
  void show(OnKey const& on_key, KeyStyle style = KeyStyle::numbers);
  /// Appends a character that was typed outside of the field, and moves there.
  void type(std::string_view character);
  /// What the text says. It is read again only where it has changed: a million keys take longer than a frame.
  ParsedKeys const& parsed(KeyForm const& form);
  /// The operation to do now, if the text is right, which is then kept for walking back.
  std::optional<OnKeys> enter(KeyForm const& form);
  /// Puts these keys before others of `lately`.
  void note(OnKeys const& on_keys);

private:
  struct Reading {
    std::string text;
    Operation operation;
    KeyForm form;
    friend bool operator==(Reading const&, Reading const&) = default;
  };
  std::optional<Reading> read_;
  ParsedKeys parsed_;
};

/// --- what became of typed keys.

/// The typed keys that a table did not take, as it stands after their insertion: those that are not in it. None where
/// it refused none, or there are too many to look up.
std::vector<Key> refused_keys(Engine& table, OnKeys const& on_keys, Tally const& outcomes);

/// The keys that were inserted by name and not erased since; none of so many that it would take long to look for them.
std::vector<Key> keys_given(std::vector<Done> const& done);
/// Those of them that are not in the table.
std::vector<Key> absent_keys(Engine& table, std::vector<Key> const& keys);

/// "Key 6 found no place.", "12 keys found no place.": of so many, with their names where all are known.
std::string refusal_text(std::uint64_t count, std::vector<Key> const& refused, KeyStyle style);

/// What became of an operation on typed keys: "2 keys were inserted. 17 found no place." `refused`: those keys, if they
/// are known.
std::string answer_to(OnKeys const& on_keys, Tally const& outcomes, std::vector<Key> const& refused, KeyStyle style);

}  // namespace slotscape
