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

/// A lesson page about a table that the author has just filled. These are the author's choices; the rest comes from the
/// table.
struct ExamplePage {
  std::string title = {};
  std::string text = {};
  ExampleQuestion question = ExampleQuestion::lands;
  Key key = 0;
  Value value = 0;         ///< value of an inserted key
  std::string ask = {};    ///< the question in the author's words; empty: `usual_words`
  std::string tell = {};   ///< reaction to an answer; may be empty
  std::string notes = {};  ///< notes for the lecturer only; may be empty
  bool operator==(ExamplePage const&) const = default;
};

/// The author's own words for each question; they do not fit any other question.
using OwnWords = std::map<ExampleQuestion, std::pair<std::string, std::string>>;
/// Switches to another question: keeps the words for the present question and restores those kept for the new one.
void choose_question(ExamplePage& page, ExampleQuestion question, OwnWords& kept);

/// Why a page cannot start from this set-up, in a sentence that says what to do; empty if it can.
std::string why_no_page(TableSetup const& set_up);

/// Drops the steps before the last clear if they do not affect the table's present contents: later steps draw no keys,
/// and nothing rehashed the table.
TableSetup since_last_clear(TableSetup set_up);

/// The last operation on one key, done or being stepped through; nullopt if the last action was of another kind.
std::optional<OnKey> last_operation(TableSetup const& set_up);
/// The table before `last_operation`.
TableSetup before_last_operation(TableSetup set_up);

/// The question to ask about an operation.
ExampleQuestion question_about(Operation operation);
/// "In which slot will **42** land?"
std::string usual_words(ExampleQuestion question, Key key, KeyStyle style);
/// The family's rule that makes the answer unique; empty if the question needs none.
std::string rule_for(ExampleQuestion question, TableSettings const& table);
/// The family and its chosen variant: tables with other rules have other answers.
std::string family_rule(TableSettings const& table);
/// How a key gets to its slots, for readers who compute it: the hash and, where computed by hand, the family's own
/// functions and probes. Empty if the family has no choice of hash.
std::string hash_rule(TableSettings const& table);

/// The operation in question, in the format of `Subject::predict`.
Json operation_of(ExamplePage const& page);
/// Extracts the right answer from the result of `Subject::predict`. Throws Error if the question makes no sense in this
/// table; the message says what to change.
std::uint64_t answer_in(Json const& predicted, ExamplePage const& page, KeyStyle style);

/// The page, for a lesson's list of pages. `answer`: nullopt if it may differ between devices; the reader's own table
/// then decides.
Json page_json(ExamplePage const& page, TableSetup const& set_up, std::optional<std::uint64_t> answer);

/// A lesson that consists of this page.
Json lesson_with(Json page, std::string const& title);
/// Appends the page to a lesson. Throws Error if the document has no pages of its own; `name`: its file.
void append_page(Json& lesson, Json page, std::string const& name);

}  // namespace slotscape
