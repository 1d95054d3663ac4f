#include "app/table_scene/setup.hpp"

#include "app/keys/file_keys.hpp"
#include "app/keys/keys_json.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace slotscape {

namespace {

constexpr std::string_view erase_hits = "random_live";

/// Turns steps into actions, one after the other, and tracks the key stream between them.
class StepReader {
public:
  StepReader(TableSceneSettings const& settings, KeySettings const& base, int key_bits)
      : base_(base), in_force_(settings.keys), table_(settings.table), key_bits_(key_bits)
  {
  }

  void read(JsonNode const& step);
  std::vector<Action> take() { return std::move(actions_); }

private:
  void insert(JsonNode const& step);
  void find(JsonNode const& step);
  void erase(JsonNode const& step);
  void mix(JsonNode const& step);
  void rehash(JsonNode const& step);
  void purge(JsonNode const& step);
  void clear(JsonNode const& step);
  void fill(JsonNode const& step);
  void set_keys(JsonNode const& step);
  void repeat(JsonNode const& step);
  void step_mode(JsonNode const& step);

  /// Tables silently refuse keys that are too wide for them.
  void check_width(JsonNode const& node, KeySettings const& keys) const
  {
    try {
      check_keys_fit(keys, key_bits_);
    } catch (Error const& error) {
      node.fail(error.what());
    }
  }
  /// Reads a step on one or several keys; returns false for other kinds of steps.
  bool on_given_keys(JsonNode const& step, Operation operation);
  std::vector<std::string_view> with_stream(std::vector<std::string_view> choices) const;
  KeyChoice find_keys(JsonNode const& keys) const;
  KeyChoice erase_keys(JsonNode const& keys) const;

  struct Step {
    std::string_view op;
    void (StepReader::*read)(JsonNode const&);
  };
  static std::array<Step, 11> const kinds;

  KeySettings base_;
  KeySettings in_force_;
  TableSettings table_;
  int key_bits_;
  std::vector<Action> actions_;
  bool ended_ = false;  // no step may follow one that opens step mode
};

std::array<StepReader::Step, 11> const StepReader::kinds{{{"insert", &StepReader::insert},
                                                          {"find", &StepReader::find},
                                                          {"erase", &StepReader::erase},
                                                          {"mix", &StepReader::mix},
                                                          {"rehash", &StepReader::rehash},
                                                          {"purge", &StepReader::purge},
                                                          {"clear", &StepReader::clear},
                                                          {"fill", &StepReader::fill},
                                                          {"set_keys", &StepReader::set_keys},
                                                          {"repeat", &StepReader::repeat},
                                                          {"step", &StepReader::step_mode}}};

std::uint64_t count_of(JsonNode const& step)
{
  return step.at("count").whole_number(0, max_operations);
}

double share_of(JsonNode const& step, std::string_view field)
{
  auto const share = step.find(field);
  return share ? share->number(0.0, max_share) : 0.0;
}

/// If no keys are named, a hit share implies a mix of hits and misses.
void read_hit_share(JsonNode const& step, BatchRequest& request)
{
  auto const share = step.find("hit_share");
  if (!share) { return; }
  request.hit_share = share->number(0.0, 1.0);
  if (!step.find("keys")) { request.find_keys = KeyChoice::mixed; }
  if (request.find_keys != KeyChoice::mixed) { share->fail(tr(R"(it applies only with "keys": "mixed")")); }
}

void StepReader::read(JsonNode const& step)
{
  if (!step.is_object()) { step.fail(tr(R"(a step must be an object such as { "op": "insert", "count": 1000 })")); }
  std::vector<std::string_view> ops;
  ops.reserve(kinds.size());
  for (Step const& kind : kinds) { ops.push_back(kind.op); }
  if (ended_) { step.fail("no step can follow the one that opens step mode"); }
  Step const& kind = kinds[step.at("op").one_of(ops, "operation")];
  (this->*kind.read)(step);
}

bool StepReader::on_given_keys(JsonNode const& step, Operation operation)
{
  if (step.find("key")) {
    actions_.emplace_back(read_on_key(step, operation, key_bits_));
    return true;
  }
  auto on_keys = read_on_keys(step, operation, key_bits_);
  if (on_keys) { actions_.emplace_back(std::move(*on_keys)); }
  return on_keys.has_value();
}

void StepReader::insert(JsonNode const& step)
{
  if (on_given_keys(step, Operation::insert)) { return; }
  step.expect_fields({"op", "count", "keys"});
  std::uint64_t const count = count_of(step);
  if (auto const named = step.find("keys")) {
    KeySettings const keys = read_key_settings(*named, base_);
    if (!same_settings(keys, in_force_)) {
      check_width(*named, keys);
      actions_.push_back(SetKeys{keys});
      in_force_ = keys;
    }
  }
  actions_.push_back(BatchRequest::inserts(count));
}

/// The current stream can also be named by its distribution.
std::vector<std::string_view> StepReader::with_stream(std::vector<std::string_view> choices) const
{
  choices.push_back(to_text(KeyChoice::stream));
  choices.push_back(to_text(in_force_.distribution));
  return choices;
}

KeyChoice StepReader::find_keys(JsonNode const& keys) const
{
  constexpr std::array choices{KeyChoice::hits, KeyChoice::misses, KeyChoice::mixed};
  std::size_t const chosen = keys.one_of(with_stream({"hits", "misses", "mixed"}), "choice of keys to find");
  return chosen < choices.size() ? choices[chosen] : KeyChoice::stream;
}

KeyChoice StepReader::erase_keys(JsonNode const& keys) const
{
  constexpr std::array choices{KeyChoice::hits, KeyChoice::misses};
  std::size_t const chosen = keys.one_of(with_stream({erase_hits, "misses"}), "choice of keys to erase");
  return chosen < choices.size() ? choices[chosen] : KeyChoice::stream;
}

void StepReader::find(JsonNode const& step)
{
  if (on_given_keys(step, Operation::find)) { return; }
  step.expect_fields({"op", "count", "keys", "hit_share"});
  auto const keys = step.find("keys");
  BatchRequest request = BatchRequest::finds(count_of(step), keys ? find_keys(*keys) : KeyChoice::hits);
  read_hit_share(step, request);
  actions_.push_back(request);
}

void StepReader::erase(JsonNode const& step)
{
  if (on_given_keys(step, Operation::erase)) { return; }
  step.expect_fields({"op", "count", "keys"});
  auto const keys = step.find("keys");
  actions_.push_back(BatchRequest::erases(count_of(step), keys ? erase_keys(*keys) : KeyChoice::hits));
}

void StepReader::mix(JsonNode const& step)
{
  step.expect_fields({"op", "count", "insert", "find", "erase", "keys", "hit_share", "erase_keys"});
  BatchRequest request;
  request.count = count_of(step);
  request.insert = share_of(step, "insert");
  request.find = share_of(step, "find");
  request.erase = share_of(step, "erase");
  check_shares(step, request.insert, request.find, request.erase);
  double const sum = request.insert + request.find + request.erase;
  if (std::abs(sum - 1.0) > 1e-9) {
    request.insert /= sum;
    request.find /= sum;
    request.erase /= sum;
  }
  if (auto const keys = step.find("keys")) { request.find_keys = find_keys(*keys); }
  if (auto const keys = step.find("erase_keys")) { request.erase_keys = erase_keys(*keys); }
  read_hit_share(step, request);
  actions_.push_back(request.as_mix());
}

void StepReader::rehash(JsonNode const& step)
{
  step.expect_fields({"op", "slots"});
  actions_.push_back(Rehash{read_slots(step.at("slots"), table_)});
}

void StepReader::purge(JsonNode const& step)
{
  step.expect_fields({"op"});
  actions_.push_back(Rehash{});
}

void StepReader::clear(JsonNode const& step)
{
  step.expect_fields({"op"});
  actions_.push_back(Clear{});
}

void StepReader::fill(JsonNode const& step)
{
  step.expect_fields({"op", "load"});
  actions_.push_back(FillTo{step.at("load").number(0.0, family_info(table_.family).guarantees(table_).max_load)});
}

void StepReader::set_keys(JsonNode const& step)
{
  step.expect_fields({"op", "keys", "drawn", "live"});
  in_force_ = read_key_settings(step.at("keys"), base_);
  check_width(step.at("keys"), in_force_);
  auto const drawn = step.find("drawn");
  auto const live = step.find("live");
  std::uint64_t const skipped = drawn ? drawn->whole_number() : 0;
  actions_.emplace_back(SetKeys{in_force_, skipped, live ? live->whole_number(0, skipped) : skipped});
}

void StepReader::repeat(JsonNode const& step)
{
  constexpr std::size_t max_actions = 10'000;
  step.expect_fields({"op", "times", "steps"});
  std::uint64_t const times = step.at("times").whole_number(1, max_actions);
  JsonNode const steps = step.at("steps");
  for (std::uint64_t time = 0; time < times; ++time) {
    for (JsonNode const& each : steps.elements()) { read(each); }
    if (ended_) {
      steps.fail("step mode cannot be opened more than once: its step must come last, outside any repetition");
    }
    if (actions_.size() > max_actions) { step.fail(tr("it makes more than {} steps", max_actions)); }
  }
}

void StepReader::step_mode(JsonNode const&)
{
  ended_ = true;
}

/// Turns actions into steps. A change of keys is folded into the next insert if reading restores it.
class StepWriter {
public:
  StepWriter(TableSetup const& set_up, std::filesystem::path const& folder)
      : base_(set_up.settings.keys), in_force_(base_), folder_(folder)
  {
  }

  void operator()(BatchRequest const& request);
  void operator()(Clear const&) { add({{"op", "clear"}}); }
  void operator()(Rehash const& rehash)
  {
    add(rehash.slots == 0 ? Json{{"op", "purge"}} : Json{{"op", "rehash"}, {"slots", rehash.slots}});
  }
  void operator()(SetKeys const& change);
  void operator()(FillTo const& fill) { add({{"op", "fill"}, {"load", fill.load}}); }
  void operator()(OnKey const& on_key) { add(on_key_json(on_key)); }
  void operator()(OnKeys const& on_keys) { add(on_keys_json(on_keys, folder_)); }
  void operator()(StepRequest const& request) { add(step_request_json(request)); }
  Json take();

private:
  void add(Json step);
  void write_pending();

  KeySettings base_;
  KeySettings in_force_;
  std::filesystem::path const& folder_;
  std::optional<SetKeys> pending_;
  Json steps_ = Json::array();
};

std::string_view erase_text(KeyChoice keys)
{
  return keys == KeyChoice::hits ? erase_hits : to_text(keys);
}

Json mix_json(BatchRequest const& request)
{
  Json step{{"op", "mix"},          {"count", request.count}, {"insert", request.insert},
            {"find", request.find}, {"erase", request.erase}, {"keys", to_text(request.find_keys)}};
  if (request.find_keys == KeyChoice::mixed) { step["hit_share"] = request.hit_share; }
  step["erase_keys"] = erase_text(request.erase_keys);
  return step;
}

Json find_json(BatchRequest const& request)
{
  Json step{{"op", "find"}, {"count", request.count}, {"keys", to_text(request.find_keys)}};
  if (request.find_keys == KeyChoice::mixed) { step["hit_share"] = request.hit_share; }
  return step;
}

Json batch_json(BatchRequest const& request)
{
  BatchRequest finds = BatchRequest::finds(request.count, request.find_keys);
  finds.hit_share = request.hit_share;
  if (request == BatchRequest::inserts(request.count)) { return {{"op", "insert"}, {"count", request.count}}; }
  if (request == finds) { return find_json(request); }
  if (request == BatchRequest::erases(request.count, request.erase_keys)) {
    return {{"op", "erase"}, {"count", request.count}, {"keys", erase_text(request.erase_keys)}};
  }
  return mix_json(request);
}

void StepWriter::operator()(BatchRequest const& request)
{
  Json step = batch_json(request);
  bool const folds =
      pending_ && pending_->drawn == 0 && step["op"] == "insert" && !same_settings(pending_->keys, in_force_);
  if (folds) {
    step["keys"] = key_settings_json(pending_->keys, base_, folder_);
    in_force_ = pending_->keys;
    pending_.reset();
  }
  add(std::move(step));
}

void StepWriter::operator()(SetKeys const& change)
{
  write_pending();
  pending_ = change;
}

void StepWriter::write_pending()
{
  if (!pending_) { return; }
  Json step{{"op", "set_keys"}, {"keys", key_settings_json(pending_->keys, base_, folder_)}};
  if (pending_->drawn != 0) { step["drawn"] = pending_->drawn; }
  if (pending_->live != pending_->drawn) { step["live"] = pending_->live; }
  steps_.push_back(std::move(step));
  in_force_ = pending_->keys;
  pending_.reset();
}

void StepWriter::add(Json step)
{
  write_pending();
  steps_.push_back(std::move(step));
}

Json StepWriter::take()
{
  write_pending();
  return std::move(steps_);
}

}  // namespace

std::vector<Action> read_steps(JsonNode const& steps, TableSceneSettings const& settings, KeySettings const& base,
                               int key_bits)
{
  StepReader reader(settings, base, key_bits);
  for (JsonNode const& step : steps.elements()) { reader.read(step); }
  return reader.take();
}

std::optional<KeySettings> first_insert_keys(JsonNode const& steps)
{
  for (JsonNode const& step : steps.elements()) {
    auto const op = step.is_object() ? step.find("op") : std::nullopt;
    if (!op || !op->is_text()) { continue; }
    auto const repeated = op->text() == "repeat" ? step.find("steps") : std::nullopt;
    if (repeated && repeated->is_list()) {
      if (auto keys = first_insert_keys(*repeated)) { return keys; }
      continue;
    }
    if (op->text() != "insert") { continue; }
    auto const keys = step.find("keys");
    if (keys && keys->is_list()) { continue; }
    return keys ? std::optional(read_key_settings(*keys, KeySettings{})) : std::nullopt;
  }
  return std::nullopt;
}

Json steps_json(TableSetup const& set_up, std::filesystem::path const& folder)
{
  StepWriter writer(set_up, folder);
  for (Action const& action : set_up.steps) { std::visit(writer, action); }
  if (set_up.step_mode) { writer(*set_up.step_mode); }
  return writer.take();
}

}  // namespace slotscape
