#include "app/web/page_tables.hpp"

#include "app/base/text.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/names.hpp"
#include "app/simulation/rehashed.hpp"
#include "app/table_scene/formats.hpp"
#include "app/table_scene/report.hpp"
#include "gpu/base/error.hpp"
#include "gpu/tables/probe_sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace slotscape::web {

SceneList scenes()
{
  static std::array const entries{table_format(), compared_format()};
  return entries;
}

namespace {

constexpr std::string_view too_large = "the table would be too large for a page";

void refuse_if(std::string_view why)
{
  if (why.empty()) { return; }
  throw Error(fmt::format("That cannot be done here: {}, which takes {} slots and {} operations at once.", why,
                          grouped(Tables::max_in_order), grouped(max_page_operations)));
}

}  // namespace

bool is_too_large(TableSettings const& table)
{
  return table.slots > Tables::max_in_order;
}

std::string too_much_in(std::vector<Action> const& actions)
{
  std::uint64_t operations = 0;
  for (Action const& action : actions) {
    auto const* rehash = std::get_if<Rehash>(&action);
    if (rehash != nullptr && rehash->slots > Tables::max_in_order) { return std::string(too_large); }
    if (auto const* batch = std::get_if<BatchRequest>(&action)) { operations += batch->count; }
    bool const is_of_all = rehash != nullptr || std::holds_alternative<FillTo>(action);
    if (is_of_all) { operations += Tables::max_in_order; }
  }
  return operations > max_page_operations ? "that would be too many operations for a page" : "";
}

PageTables::PageTables(Scenario const& scenario, Progress progress) : progress_(std::move(progress))
{
  if (auto const* compared = std::any_cast<CompareSetup>(&scenario.set_up)) {
    TableSetup const& shared = compared->shared;
    if (std::ranges::any_of(compared->tables, is_too_large)) { refuse_if(too_large); }
    simulation_ =
        std::make_unique<Simulation>(Backend::cpu, compared->tables, shared.settings.keys, shared.settings.seed);
    begin(shared);
  } else {
    auto const& set_up = std::any_cast<TableSetup const&>(scenario.set_up);
    TableSceneSettings const& settings = set_up.settings;
    if (is_too_large(settings.table)) { refuse_if(too_large); }
    simulation_ = std::make_unique<Simulation>(Backend::cpu, settings.table, settings.keys, settings.seed);
    begin(set_up);
  }
}

void PageTables::begin(TableSetup const& set_up)
{
  settings_ = set_up.settings;
  operations_.resize(count());
  throughputs_.resize(count());
  initial_slots_ = engine(0).table().slots;
  refuse_if(too_much_in(set_up.steps));
  for (Action const& step : set_up.steps) { simulation_->submit(step, set_up.whole_batches); }
  wanted_ = set_up.step_mode;
  work();
}

std::vector<TableSettings> PageTables::tables() const
{
  std::vector<TableSettings> tables;
  for (std::size_t i = 0; i < count(); ++i) { tables.push_back(simulation_->engine(i).table()); }
  return tables;
}

void PageTables::perform(JsonNode const& steps)
{
  int const key_bits = settings_.table.key_bits;
  std::vector<Action> const actions = read_steps(steps, settings_, settings_.keys, key_bits);
  refuse_if(too_much_in(actions));
  for (Action const& action : actions) { submit(action); }
  if (auto const request = read_step_mode(steps, key_bits)) { wanted_ = request; }
}

void PageTables::submit(Action const& action)
{
  leave_steps();
  simulation_->submit(action);
}

void PageTables::resize(std::uint64_t slots)
{
  TableSettings const& table = engine(0).table();
  std::uint64_t const wanted = std::max<std::uint64_t>(slots, min_slots * table.shards);
  Rehash const rehash{suitable_slots(slot_counts_of(family_info(table.family), table), wanted, table.shards)};
  refuse_if(too_much_in({rehash}));
  submit(rehash);
}

void PageTables::replace(TableSettings const& table)
{
  if (is_too_large(table)) { refuse_if(too_large); }
  Recipe const recipe = simulation_->recipe_for_others(table.key_bits);
  auto fresh = std::make_unique<Simulation>(Backend::cpu, table, recipe.keys, simulation_->seed());
  leave_steps();
  simulation_ = std::move(fresh);
  for (Action const& step : recipe.steps) { simulation_->submit(step, true); }
  throughputs_.assign(count(), {});
  initial_slots_ = engine(0).table().slots;
  work();
}

void PageTables::finish()
{
  if (!simulation_->finish(progress_)) { throw Cancelled(); }
}

void PageTables::work()
{
  finish();
  for (ActionReport const& run : simulation_->take_runs()) { throughputs_[run.table].add(run); }
  for (ActionReport& report : simulation_->take_reports()) {
    auto& operations = operations_[report.table];
    append_operation(operations, std::move(report));
  }
  settings_.table = engine(0).table();
  settings_.keys = simulation_->keys();
  if (wanted_) { open_steps(*std::exchange(wanted_, std::nullopt)); }
}

SceneStatistics PageTables::statistics(FrameTimes const& frames)
{
  std::vector<RunReport> reports;
  for (std::size_t i = 0; i < count(); ++i) {
    Engine& table = engine(i);
    bool const rehashed = count() == 1 && lies_as_rehashed(simulation_->history(), initial_slots_, table.counts().live);
    reports.push_back({.backend = std::string(to_text(table.backend())),
                       .device = table.device_name(),
                       .present = std::string(to_text(PresentPath::host)),
                       .table = table.table(),
                       .memory_bytes = table.memory_bytes(),
                       .rehashed = rehashed,
                       .repeatable = !simulation_->raced(),
                       .statistics = table.statistics(),
                       .shards = shards_of(table),
                       .operations = operations_[i],
                       .throughput = throughputs_[i],
                       .frames = frames});
  }
  return statistics_of(reports);
}

void PageTables::open_steps(StepRequest const& request)
{
  leave_steps();
  OnKey const& operation = request.operation;
  ViewSettings const& view = settings_.view;
  for (std::size_t i = 0; i < count(); ++i) {
    Trace trace = engine(i).trace(operation.operation, operation.key, operation.value);
    std::size_t const end = trace.steps.size();
    StepPlayer& player =
        players_.emplace_back(std::move(trace), request.at_end ? end : std::min(request.position, end));
    player.tell(engine(i).family(), view.keys_as, view.plain_steps, view.write_values);
    player.conclude(request.conclusion);
  }
  shown_ = request;
  plays_ = request.plays;
  follow_shown_step();
}

void PageTables::step_to(std::size_t position)
{
  for (StepPlayer& player : players_) { player.go_to(position); }
  follow_shown_step();
}

void PageTables::follow_shown_step()
{
  bool const at_end = std::ranges::all_of(players_, &StepPlayer::at_end);
  bool const changes = shown_ && shown_->performs && shown_->operation.operation != Operation::find;
  bool const is_done = before_shown_ != nullptr;
  if (!changes || at_end == is_done) { return; }
  if (at_end) {
    before_shown_ = simulation_->save();
    simulation_->submit(shown_->operation);
    finish();
  } else {
    simulation_->exchange(*std::exchange(before_shown_, nullptr));
  }
  for (StepPlayer& player : players_) { player.set_performed(at_end); }
}

void PageTables::leave_steps()
{
  players_.clear();
  shown_.reset();
  plays_ = false;
  before_shown_.reset();
}

}  // namespace slotscape::web
