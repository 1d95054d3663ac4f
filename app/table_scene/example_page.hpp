#pragma once

#include "app/base/enum_names.hpp"
#include "app/base/json.hpp"
#include "app/keys/key_text.hpp"
#include "app/table_scene/setup.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace slotscape {

/// What a page asks about one key.
enum class ExampleQuestion : std::uint8_t { lands, found, accesses, moves };
template <>
std::span<EnumName<ExampleQuestion> const> enum_names();

/// A lesson's page about a table that somebody has just filled: what its author decides. All else comes from the table.
struct ExamplePage {
  std::string title = {};
  std::string text = {};
  ExampleQuestion question = ExampleQuestion::lands;
  Key key = 0;
  Value value = 0;         ///< of a key that is inserted
  std::string ask = {};    ///< in the author's words; empty: `usual_words`
  std::string tell = {};   ///< said after an answer; may be empty
  std::string notes = {};  ///< for the lecturer alone; may be empty
  bool operator==(ExamplePage const&) const = default;
};

/// What an author has written for each question: it fits no other one.
using OwnWords = std::map<ExampleQuestion, std::pair<std::string, std::string>>;
/// Asks another question: the words of the present one are kept, and those that were kept for this one come back.
void choose_question(ExamplePage& page, ExampleQuestion question, OwnWords& kept);

/// Why a table that is set up so cannot be the start of a page, in a sentence that says what to do; empty: it can.
std::string why_no_page(TableSetup const& set_up);

/// Without what was done before the table was cleared for the last time, where that makes no difference to what is in
/// it now: later steps draw no keys, and nothing rehashed it.
TableSetup since_last_clear(TableSetup set_up);

/// The operation on one key that was done last or is stepped through; nothing if the last thing done was another one.
std::optional<OnKey> last_operation(TableSetup const& set_up);
/// The table before `last_operation`.
TableSetup before_last_operation(TableSetup set_up);

/// What to ask of an operation.
ExampleQuestion question_about(Operation operation);
/// "In which slot will **42** land?"
std::string usual_words(ExampleQuestion question, Key key, KeyStyle style);
/// The rule of the family without which the question has two right answers; empty: it needs none.
std::string rule_for(ExampleQuestion question, TableSettings const& table);
/// The family, with what it was told to do: two tables of other rules have other answers.
std::string family_rule(TableSettings const& table);
/// What leads a key to its slots, for whoever is to compute it: the hash, and the family's own functions and probes
/// where sums are done by hand. Empty where the family has no hash to choose.
std::string hash_rule(TableSettings const& table);

/// The operation that the question is about, as `Subject::predict` takes it.
Json operation_of(ExamplePage const& page);
/// The right answer in what `Subject::predict` returned. Throws Error that says what to change where the question makes
/// no sense in this table.
std::uint64_t answer_in(Json const& predicted, ExamplePage const& page, KeyStyle style);

/// The page, for a lesson's list of pages. `answer`: none where it can differ from device to device; then the reader's
/// own table decides alone.
Json page_json(ExamplePage const& page, TableSetup const& set_up, std::optional<std::uint64_t> answer);

/// A lesson with this page alone.
Json lesson_with(Json page, std::string const& title);
/// Appends the page to a lesson. Throws Error if the document has no pages of its own; `name`: its file.
void append_page(Json& lesson, Json page, std::string const& name);

}  // namespace slotscape
