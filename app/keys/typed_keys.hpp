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

/// The form in which keys are typed for a table.
struct KeyForm {
  int key_bits = 32;
  KeyStyle style = KeyStyle::numbers;
  HashedFrom keys_of = HashedFrom::nothing;  ///< what the keys were in the file that they come from
  friend bool operator==(KeyForm const&, KeyForm const&) = default;
};
/// Whether keys are typed as words, names or texts.
bool has_letters(KeyForm const& form);

/// The pairs that a text stands for, or what is wrong with it.
struct ParsedKeys {
  std::vector<Pair> pairs;
  std::string error;  ///< empty if the text is valid
};

inline constexpr std::size_t max_typed_keys = 1'000'000;

/// Reads keys such as "17, 42 0x2a, 33–40, 5=12": numbers, ranges, and values after an equals sign (0 without one). A
/// word or a name of the style is the key that it stands for: "Ada", "ben=12". 128-bit keys are up to 32 hexadecimal
/// digits each: a pair has the lower half as its key, and the upper half as its value. If a file's keys were texts,
/// words that are not numbers are texts, too, and become keys through `key_of_text`: apple, apple=12, or "red apple",
/// "42", "a=5" in quotation marks.
ParsedKeys parse_keys(std::string_view text, Operation operation, KeyForm const& form);

/// The text to type for a pair: "42", "5=12" or "Ada=12".
std::string pair_text(Pair const& pair, KeyStyle style);
/// Why a table with `key_bits` rejects this key or value; empty if it accepts them.
std::string why_refused(OnKey const& operation, int key_bits);

/// The field for keys: the operation, the keys, and the history.
struct TypedKeys {
  Operation operation = Operation::insert;
  std::string text;
  std::vector<std::string> past;  ///< entries, oldest first
  std::vector<Pair> lately;       ///< keys that were typed or dragged onto the map, most recent first
  std::size_t shown = 0;          ///< the history entry shown; past the end: the current text
  bool focus = false;             ///< the field should get the keyboard, but does not have it yet
  int frames_without = 0;         ///< frames since `focus` was set
  bool active = false;            ///< the field has the keyboard
  bool replaced = false;          ///< the text was set from outside
  bool begun = false;             ///< characters were typed before the field had the focus
  bool is_new = false;        ///< the text was typed or changed, and has since been neither entered nor stepped through
  bool steps_wanted = false;  ///< T was pressed in the field, but not within a word; numeric keys do not contain it
  int message_end = 0;        ///< lower end of the error message on the screen; 0: none
  bool t_is_typed = false;    ///< T is an ordinary letter, for example during a question that step mode would answer

  /// Puts the text of an operation into the field.
  void show(OnKey const& on_key, KeyStyle style = KeyStyle::numbers);
  /// Appends a character that was typed outside of the field, and moves the keyboard there.
  void type(std::string_view character);
  /// Parses the text. The result is cached until the text changes: parsing a million keys takes longer than a frame.
  ParsedKeys const& parsed(KeyForm const& form);
  /// The operation to run now, if the text is valid; the text is then added to the history.
  std::optional<OnKeys> enter(KeyForm const& form);
  /// Puts these keys at the front of `lately`.
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

/// --- the outcome of operations on typed keys.

/// The typed keys that the table, in its state after their insertion, does not contain. Empty if it refused none, or if
/// there are too many to look up.
std::vector<Key> refused_keys(Engine& table, OnKeys const& on_keys, Tally const& outcomes);

/// The keys that were inserted by name and not erased since; empty if there are too many to search for.
std::vector<Key> keys_given(std::vector<Done> const& done);
/// Those of the keys that are not in the table.
std::vector<Key> absent_keys(Engine& table, std::vector<Key> const& keys);

/// "Key 6 did not fit.", "12 keys did not fit."; with the keys' names if all are known.
std::string refusal_text(std::uint64_t count, std::vector<Key> const& refused, KeyStyle style);

/// The outcome of an operation on typed keys: "2 keys were inserted. 17 did not fit." `refused`: the refused keys,
/// if they are known.
std::string answer_to(OnKeys const& on_keys, Tally const& outcomes, std::vector<Key> const& refused, KeyStyle style);

}  // namespace slotscape
