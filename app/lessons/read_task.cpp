#include "app/lessons/read_task.hpp"

#include "app/base/enum_names.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/random.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace slotscape {

template <>
std::span<EnumName<lessons::Prediction::Asks> const> enum_names()
{
  using Asks = lessons::Prediction::Asks;
  static constexpr EnumName<Asks> names[]{{Asks::slot, "slot", "slot"},
                                          {Asks::accesses, "accesses", "accesses"},
                                          {Asks::moves, "moves", "moves"}};
  return names;
}

}  // namespace slotscape

namespace slotscape::lessons {
namespace {

constexpr std::size_t min_options = 2;
constexpr std::size_t max_options = 6;
constexpr double any = std::numeric_limits<double>::max();

/// Reads parts of one task. Each `json` is the value at the node passed with it.
class TaskReader {
public:
  TaskReader(SceneList scenes, Page const& page) : scenes_(scenes), page_(page) {}

  Change change(Json const& json, JsonNode const& node, std::string path) const
  {
    if (json.is_object() && json.contains("op")) {
      node.fail(tr(R"(a step must be in a list, even if it is the only one: [ { "op": … } ])"));
    }
    Change change{json, std::move(path)};
    if (change.is_anew()) {
      changed(scenes_, page_, change);
    } else {
      check_steps(node);
    }
    return change;
  }

  Challenge challenge(Json const& json, JsonNode const& node) const
  {
    expect_fields(node, {"until", "solution", "also", "not_yet"});
    Challenge challenge;
    challenge.until = read_conditions(node.at("until"), page_.variables);
    if (challenge.until.empty()) { node.at("until").fail("it must list at least one condition"); }
    challenge.solution = change_at(json, node, "solution", task_path());
    challenge.also = changes_at(json, node, "also");
    challenge.not_yet = changes_at(json, node, "not_yet");
    return challenge;
  }

  Prediction prediction(Json const& json, JsonNode const& node) const
  {
    expect_fields(node, {"operation", "asks", "answer"});
    Prediction prediction;
    JsonNode const operation = node.at("operation");
    if (!operation.is_object()) { operation.expect_fields({}); }
    check_steps(operation);
    prediction.operation = json.at("operation");
    prediction.path = task_path() + ".operation";
    prediction.asks = node.at("asks").one_of<Prediction::Asks>("question");
    if (auto const answer = node.find("answer")) { prediction.answer = expression(*answer); }
    return prediction;
  }

  Choice choice(Json const& json, JsonNode const& node, std::uint64_t seed) const
  {
    expect_fields(node, {"options", "keep_order"});
    JsonNode const list = node.at("options");
    auto const elements = list.elements();
    if (elements.size() < min_options || elements.size() > max_options) {
      list.fail(tr("it must list {} to {} options", min_options, max_options));
    }
    Choice choice;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      choice.options.push_back(
          option(json.at("options")[i], elements[i], fmt::format("{}.options[{}]", task_path(), i)));
    }
    if (std::ranges::count(choice.options, true, &Option::right) != 1) {
      list.fail(tr(R"(exactly one option must be "right": true)"));
    }
    auto const keeps_order = node.find("keep_order");
    if (!keeps_order || !keeps_order->flag()) { shuffle(choice.options, seed); }
    return choice;
  }

  Number number(Json const& json, JsonNode const& node) const
  {
    expect_fields(node, {"answer", "within", "factor", "after"});
    Number number;
    number.answer = expression(node.at("answer"));
    if (auto const within = node.find("within")) { number.within = within->number(0.0, any); }
    if (auto const factor = node.find("factor")) { number.factor = factor->number(1.0, any); }
    if (node.find("after")) { number.after = change_at(json, node, "after", task_path()); }
    return number;
  }

private:
  std::string task_path() const { return page_.path + ".task"; }

  /// Accepts the fields of every task, and these.
  static void expect_fields(JsonNode const& node, std::initializer_list<std::string_view> own)
  {
    std::vector<std::string_view> fields{"kind", "ask", "hint", "tell", "leads_to"};
    fields.insert(fields.end(), own);
    node.expect_fields(fields);
  }

  void check_steps(JsonNode const& node) const
  {
    SceneEntry const& scene = *page_.scenario.scene;
    if (!scene.check_steps) {
      node.fail(tr("the scene '{}' takes no steps; write an object with changes to the setup", scene.name));
    }
    scene.check_steps(node, page_.scenario.set_up);
  }

  Change change_at(Json const& json, JsonNode const& node, std::string_view field, std::string const& path) const
  {
    JsonNode const found = node.at(field);
    return change(json.at(std::string(field)), found, fmt::format("{}.{}", path, field));
  }

  std::vector<Change> changes_at(Json const& json, JsonNode const& node, std::string_view field) const
  {
    std::vector<Change> changes;
    auto const list = node.find(field);
    if (!list) { return changes; }
    auto const elements = list->elements();
    for (std::size_t i = 0; i < elements.size(); ++i) {
      changes.push_back(
          change(json.at(std::string(field))[i], elements[i], fmt::format("{}.{}[{}]", task_path(), field, i)));
    }
    return changes;
  }

  /// An expression, which may also be a plain number.
  std::string expression(JsonNode const& node) const
  {
    std::string text = node.is_text() ? node.text() : fmt::format("{}", node.number(-any, any));
    try {
      evaluate_number(text, {page_.variables});
    } catch (Error const& error) {
      node.fail(error.what());
    }
    return text;
  }

  Option option(Json const& json, JsonNode const& node, std::string const& path) const
  {
    node.expect_fields({"text", "right", "tell", "show"});
    Option option;
    option.text = read_words(node.at("text"));
    if (auto const right = node.find("right")) { option.right = right->flag(); }
    if (auto const tell = node.find("tell")) { option.tell = read_lines(*tell); }
    if (!option.right && option.tell.empty()) {
      node.fail("the field 'tell' is missing: the text for readers who choose this wrong option");
    }
    if (node.find("show")) { option.show = change_at(json, node, "show", path); }
    return option;
  }

  static void shuffle(std::vector<Option>& options, std::uint64_t seed)
  {
    for (std::size_t i = options.size(); i > 1; --i) { std::swap(options[i - 1], options[random_below(seed, i, i)]); }
  }

  SceneList scenes_;
  Page const& page_;
};

}  // namespace

std::string read_words(JsonNode const& node)
{
  return node.json().is_number() ? to_text(Quantity(node.number(-any, any))) : node.text();
}

std::string read_lines(JsonNode const& node)
{
  if (!node.is_list()) { return read_words(node); }
  std::string text;
  for (JsonNode const& line : node.elements()) { text += read_words(line) + '\n'; }
  return text;
}

Task read_task(SceneList scenes, Json const& json, JsonNode const& node, Page const& page, std::uint64_t seed)
{
  if (!node.is_object()) { node.expect_fields({}); }
  TaskReader const reader(scenes, page);
  Task task;
  std::size_t const kind = node.at("kind").one_of(task_kinds, "kind of task");
  task.ask = read_lines(node.at("ask"));
  if (auto const hint = node.find("hint")) { task.hint = read_lines(*hint); }
  if (auto const tell = node.find("tell")) { task.tell = read_lines(*tell); }
  if (auto const claims = node.find("leads_to")) {
    task.leads_to = read_claims(json.at("leads_to"), *claims, page.variables);
  }
  switch (kind) {
    case 0: task.of = reader.challenge(json, node); break;
    case 1: task.of = reader.prediction(json, node); break;
    case 2: task.of = reader.choice(json, node, seed); break;
    default: task.of = reader.number(json, node); break;
  }
  return task;
}

std::vector<Button> read_buttons(SceneList scenes, Json const& json, JsonNode const& node, Page const& page)
{
  constexpr std::size_t most = 6;
  auto const elements = node.elements();
  if (elements.size() > most) { node.fail(tr("there can be at most {} buttons", most)); }
  TaskReader const reader(scenes, page);
  std::vector<Button> buttons;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i].expect_fields({"label", "do"});
    Json const& does = json[i].contains("do") ? json[i].at("do") : Json();
    buttons.push_back({read_words(elements[i].at("label")),
                       reader.change(does, elements[i].at("do"), fmt::format("{}.buttons[{}].do", page.path, i))});
  }
  return buttons;
}

}  // namespace slotscape::lessons
