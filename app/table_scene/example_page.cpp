#include "app/table_scene/example_page.hpp"

#include "app/base/text.hpp"
#include "app/keys/keys_json.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/names.hpp"
#include "app/simulation/small_keys.hpp"
#include "app/table_map/plane.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/parts.hpp"
#include "gpu/tables/family.hpp"
#include "gpu/tables/probe_sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace slotscape {

template <>
std::span<EnumName<ExampleQuestion> const> enum_names()
{
  using Question = ExampleQuestion;
  static constexpr EnumName<Question> names[]{{Question::lands, "lands", "In which slot will it land?"},
                                              {Question::found, "found", "Where is it found?"},
                                              {Question::accesses, "accesses",
                                               "How many accesses does its lookup take?"},
                                              {Question::moves, "moves", "How many keys must move for it?"}};
  return names;
}

namespace {

constexpr std::size_t max_keys_in_page = 4096;                    ///< listed one by one
constexpr std::uint64_t max_page_slots = std::uint64_t{1} << 22;  ///< for a page that opens without delay
constexpr std::size_t max_page_steps = 2000;

bool is_of_file(KeySettings const& keys)
{
  return keys.distribution == KeyDistribution::file && !are_small(keys);
}

std::size_t listed_keys(std::vector<Action> const& steps)
{
  std::size_t count = 0;
  for (Action const& step : steps) {
    if (auto const* several = std::get_if<OnKeys>(&step)) { count += several->pairs.size(); }
    count += std::holds_alternative<OnKey>(step) ? 1 : 0;
  }
  return count;
}

bool reads_files(TableSetup const& set_up)
{
  auto const reads = [](Action const& step) {
    auto const* keys = std::get_if<SetKeys>(&step);
    auto const* several = std::get_if<OnKeys>(&step);
    return (keys != nullptr && is_of_file(keys->keys)) || (several != nullptr && !several->file.empty());
  };
  return is_of_file(set_up.settings.keys) || std::ranges::any_of(set_up.steps, reads);
}

Operation operation_asked(ExampleQuestion question)
{
  bool const inserts = question == ExampleQuestion::lands || question == ExampleQuestion::moves;
  return inserts ? Operation::insert : Operation::find;
}

/// The name that lessons use for the predicted number.
std::string_view asked_number(ExampleQuestion question)
{
  switch (question) {
    case ExampleQuestion::accesses: return "accesses";
    case ExampleQuestion::moves: return "moves";
    case ExampleQuestion::lands:
    case ExampleQuestion::found: break;
  }
  return "slot";
}

/// A text field in the format of lessons: a line, or a list of lines.
Json lines_json(std::string const& text)
{
  if (text.find('\n') == std::string::npos) { return text; }
  Json lines = Json::array();
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t const end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// The hash functions of textbook cuckoo hashing in words; empty for other variants.
std::string rule_by_digits(TableSettings const& table, FamilyInfo const& cuckoo)
{
  TableParts const parts = table.shards == 1 ? parts_of(table) : TableParts();
  if (parts.empty()) { return {}; }
  std::vector<std::string> sums{fmt::format("k mod m ({})", parts.front().name)};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    std::string const power = i > 1 ? fmt::format("^{}", i) : "";
    sums.push_back(fmt::format("(k div m{}) mod m ({})", power, parts[i].name));
  }
  std::uint32_t const bucket = parameter_of(cuckoo, table, "bucket");
  std::string const rule = tr("Its hash functions, with m = {}: {}.", parts.front().slots / bucket,
                              fmt::format("{}", fmt::join(sums, ", ")));
  if (bucket != 1) { return rule + " " + tr("They lead to buckets of {} slots.", bucket); }
  // the map counts the slots of each from 0, and answers count on
  return rule + " " +
         tr("Answers number the slots consecutively: slot 0 in {} is slot {}.", parts[1].name, parts[1].first);
}

/// The step size of double hashing, as a formula to compute by hand.
std::string step_size(TableSettings const& table, FamilyInfo const& family)
{
  if (std::has_single_bit(table.slots)) { return fmt::format("(1 + 2 (k div {0})) mod {0}", table.slots); }
  return fmt::format("1 + k mod {}", table.slots - parameter_of(family, table, "modulus_below"));
}

/// The probe sequence from the home slot h, as the family describes it; chosen by the parameter `sequence` if it has
/// one.
std::string_view probes_of(FamilyInfo const& family, TableSettings const& table)
{
  Parameter const* const sequence = find_parameter(family, "sequence");
  if (sequence == nullptr) { return family.probes; }
  auto const choice = std::ranges::find(sequence->choices, parameter_of(family, table, sequence->name));
  return sequence->choice_names[static_cast<std::size_t>(choice - sequence->choices.begin())];
}

/// The set-up for a page. The table is at rest, so settings that are not needed to fill it are left out. A small table
/// is shown whole.
Json set_up_json(TableSetup set_up)
{
  set_up.step_mode.reset();
  if (is_arranged(set_up.settings.table.slots, set_up.settings.view)) { set_up.camera = {}; }
  Json json = table_setup_json(set_up, {});
  json.erase("drive");
  return json;
}

}  // namespace

std::string why_no_page(TableSetup const& set_up)
{
  std::uint64_t const slots = set_up.settings.table.slots;
  if (reads_files(set_up)) {
    return tr(
        "Its keys come from a file, which a page cannot include. Choose another distribution of keys, or type some "
        "keys.");
  }
  if (slots > max_page_slots) {
    return tr("It has {} slots; the limit for a page is {}. Choose fewer slots.", grouped(slots),
              grouped(max_page_slots));
  }
  if (std::size_t const keys = listed_keys(set_up.steps); keys > max_keys_in_page) {
    return tr(
        "A page would have to list {} keys, one by one; the limit is {}. Start over, and insert keys of the stream "
        "instead of typed ones, or type fewer.",
        grouped(keys), grouped(max_keys_in_page));
  }
  if (set_up.steps.size() > max_page_steps) {
    return tr("{} steps led to this table; the limit for a page is {}. Start over, and use fewer steps.",
              grouped(set_up.steps.size()), grouped(max_page_steps));
  }
  return {};
}

TableSetup since_last_clear(TableSetup set_up)
{
  auto const clears = [](Action const& step) { return std::holds_alternative<Clear>(step); };
  auto const after = std::find_if(set_up.steps.rbegin(), set_up.steps.rend(), clears).base();
  auto const rehashes = [](Action const& step) { return std::holds_alternative<Rehash>(step); };
  auto const is_of_keys = [](Action const& step) {
    return std::holds_alternative<OnKey>(step) || std::holds_alternative<OnKeys>(step);
  };
  bool const can_forget =
      std::none_of(set_up.steps.begin(), after, rehashes) && std::all_of(after, set_up.steps.end(), is_of_keys);
  if (can_forget) { set_up.steps.erase(set_up.steps.begin(), after); }
  return set_up;
}

std::optional<OnKey> last_operation(TableSetup const& set_up)
{
  if (set_up.step_mode) { return set_up.step_mode->operation; }
  if (set_up.looked_up) { return set_up.looked_up; }
  if (set_up.steps.empty()) { return std::nullopt; }
  Action const& last = set_up.steps.back();
  if (auto const* one = std::get_if<OnKey>(&last)) { return *one; }
  auto const* several = std::get_if<OnKeys>(&last);
  if (several == nullptr || several->pairs->empty()) { return std::nullopt; }
  Pair const& pair = several->pairs->back();
  return OnKey{several->operation, pair.key, pair.value};
}

TableSetup before_last_operation(TableSetup set_up)
{
  bool const is_shown_only = set_up.step_mode || set_up.looked_up;
  set_up.step_mode.reset();
  set_up.looked_up.reset();
  if (is_shown_only || set_up.steps.empty()) { return set_up; }
  auto* const several = std::get_if<OnKeys>(&set_up.steps.back());
  if (several == nullptr || several->pairs.size() == 1) {
    set_up.steps.pop_back();
    return set_up;
  }
  several->pairs = std::make_shared<std::vector<Pair> const>(several->pairs->begin(), several->pairs->end() - 1);
  return set_up;
}

ExampleQuestion question_about(Operation operation)
{
  return operation == Operation::insert ? ExampleQuestion::lands : ExampleQuestion::accesses;
}

std::string usual_words(ExampleQuestion question, Key key, KeyStyle style)
{
  std::string const name = key_text(key, style);
  switch (question) {
    case ExampleQuestion::lands: return tr("In which slot will **{}** land?", name);
    case ExampleQuestion::found: return tr("In which slot is **{}** found?", name);
    case ExampleQuestion::accesses: return tr("How many accesses does the lookup of **{}** make?", name);
    case ExampleQuestion::moves: break;
  }
  return tr("How many other keys must move to make room for **{}**?", name);
}

std::string rule_for(ExampleQuestion question, TableSettings const& table)
{
  bool const keys_decide = family_info(table.family).misses_by == MissesBy::home_and_key;
  return keys_decide && question != ExampleQuestion::found
             ? tr("Of two keys that are equally far from home, the smaller one gets the slot.")
             : "";
}

std::string family_rule(TableSettings const& table)
{
  FamilyInfo const& family = family_info(table.family);
  std::string words = translated(family.title);
  for (Parameter const& parameter : family.parameters) {
    bool const is_number = parameter.choice_names.empty() && !parameter.is_by_hand;
    if (is_number) {
      words += fmt::format(", {} {}", translated(parameter.title), parameter_of(family, table, parameter.name));
    }
  }
  if (!ways_to_erase(family, table).empty()) {
    words += ", " + tr("erasing: {}", translated(to_label(table.deletion)));
  }
  std::string rule = tr("Its family: {}.", words);
  return family.rule.empty() ? rule : rule + " " + translated(family.rule);
}

std::string hash_rule(TableSettings const& table)
{
  FamilyInfo const& family = family_info(table.family);
  if (hashes_by_digits(family, table)) { return rule_by_digits(table, family); }
  if (!family.uses_hash) { return {}; }
  std::string rule = tr("Its hash: {}.", words_of(table.hash));
  if (table.hash != HashKind::identity) { return rule; }
  if (find_parameter(family, "modulus_below") != nullptr) {
    return rule + " " + tr("Its step size: {}.", step_size(table, family));
  }
  std::string_view const probes = probes_of(family, table);
  return probes.empty() ? rule : rule + " " + tr("Its probes: {}.", probes);
}

void choose_question(ExamplePage& page, ExampleQuestion question, OwnWords& kept)
{
  kept[page.question] = {page.ask, page.tell};
  page.question = question;
  std::tie(page.ask, page.tell) = kept[question];
}

Json operation_of(ExamplePage const& page)
{
  return on_key_json({operation_asked(page.question), page.key, page.value});
}

std::uint64_t answer_in(Json const& predicted, ExamplePage const& page, KeyStyle style)
{
  auto const outcome = predicted.at("outcome").get<std::string>();
  std::string const name = key_text(page.key, style);
  bool const inserts = operation_asked(page.question) == Operation::insert;
  if (inserts && outcome == "updated") {
    throw Error(tr("{} is already in the table by then. Ask where it is found, or about another key.", name));
  }
  if (inserts && outcome != "inserted") {
    throw Error(tr("{} does not fit into this table. Ask about another key, or make room first.", name));
  }
  if (page.question == ExampleQuestion::found && outcome != "found") {
    throw Error(tr("{} is not in the table. Ask where it will land, or how many accesses its lookup makes.", name));
  }
  Json const& answer = predicted.at(std::string(asked_number(page.question)));
  if (!answer.is_number()) { throw Error(tr("This table has no answer for {}. Ask something else.", name)); }
  return answer.get<std::uint64_t>();
}

Json page_json(ExamplePage const& page, TableSetup const& set_up, std::optional<std::uint64_t> answer)
{
  KeyStyle const style = set_up.settings.view.keys_as;
  Json json{{"title", page.title}, {"text", lines_json(page.text)}};
  if (!page.notes.empty()) { json["notes"] = lines_json(page.notes); }
  json["set_up"] = set_up_json(set_up);
  std::string ask = page.ask.empty() ? usual_words(page.question, page.key, style) : page.ask;
  if (std::string const rule = rule_for(page.question, set_up.settings.table); !rule.empty()) { ask += " " + rule; }
  Json task{{"kind", "prediction"},
            {"ask", std::move(ask)},
            {"operation", operation_of(page)},
            {"asks", asked_number(page.question)}};
  if (answer) { task["answer"] = std::to_string(*answer); }
  if (!page.tell.empty()) { task["tell"] = lines_json(page.tell); }
  json["task"] = std::move(task);
  return json;
}

Json lesson_with(Json page, std::string const& title)
{
  return {{"version", 1}, {"title", title}, {"pages", Json::array({std::move(page)})}};
}

void append_page(Json& lesson, Json page, std::string const& name)
{
  if (lesson.is_object() && lesson.contains("playlist")) {
    throw Error(tr("{} is a playlist, which has no pages of its own. Choose one of its lessons, or a new file.", name));
  }
  bool const has_pages = lesson.is_object() && lesson.contains("pages") && lesson.at("pages").is_array();
  if (!has_pages) { throw Error(tr("{} is not a lesson. Choose a lesson, or a new file.", name)); }
  lesson["pages"].push_back(std::move(page));
}

}  // namespace slotscape
