#include "app/simulation/simulation.hpp"

#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <utility>

namespace slotscape {

namespace {

constexpr double slices_per_budget = 4.0;
constexpr double least_share_worth_a_slice = 0.05;
constexpr double shortest_slice_seconds = 1e-4;
constexpr double finish_slice_seconds = 0.05;

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to)
{
  return std::chrono::duration<double>(to - from).count();
}

std::uint64_t distance(std::uint64_t a, std::uint64_t b)
{
  return a > b ? a - b : b - a;
}

}  // namespace

/// What is left of a step's time budget. Without a budget it is unlimited, and slices are as large as possible.
class Simulation::Clock {
public:
  explicit Clock(std::optional<double> budget) : budget_{budget} {}
  double left() const
  {
    if (!budget_) { return std::numeric_limits<double>::infinity(); }
    return *budget_ - seconds_between(start_, std::chrono::steady_clock::now());
  }
  bool endless() const { return !budget_; }
  bool used_up() const { return budget_ && left() < least_share_worth_a_slice * *budget_; }

private:
  std::optional<double> budget_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Simulation::Simulation(Backend backend, TableSettings const& table, KeySettings const& keys, std::uint64_t seed)
    : Simulation{backend, std::span{&table, 1}, keys, seed}
{
}

Simulation::Simulation(Backend backend, std::span<TableSettings const> tables, KeySettings const& keys,
                       std::uint64_t seed)
    : tables_{backend, tables}, initial_keys_{keys}, keys_{keys}, seed_{seed}, mix_{fresh_mix(tables_)}
{
  tables_.set_keys(keys_, seed_);
}

Mix Simulation::fresh_mix(Tables const& tables)
{
  Mix mix;
  if (tables.has_static()) { mix.insert_in_bursts(tables.batch_limit()); }
  return mix;
}

void Simulation::submit(Action action)
{
  if (auto const* fill = std::get_if<FillTo>(&action); fill && !(fill->load >= 0.0 && fill->load <= 1.0)) {
    throw Error{fmt::format("A table cannot be filled to load factor {}: choose one from 0 to 1.", fill->load)};
  }
  action_notice_.clear();
  queue_.push_back(std::move(action));
}

void Simulation::fill_instead(FillTo const& fill)
{
  submit(fill);
  queue_.pop_back();
  while (!queue_.empty() && std::holds_alternative<FillTo>(queue_.back())) { queue_.pop_back(); }
  if (queue_.empty() && job_ && std::holds_alternative<FillTo>(job_->action)) { finish_job(); }
  queue_.emplace_back(fill);
}

void Simulation::restart()
{
  replay_.reset();  // the rest of a replay in progress is history, too
  cancel();
  tables_.clear();
  if (!tables_.has_initial_slots()) {
    std::size_t const entries = history_.entries().size();
    history_.record(Clear{});  // stays if there is not enough memory now for tables of the first size
    tables_.restore_slots();
    history_.truncate(entries);
  }
  tables_.set_keys(initial_keys_, seed_);
  keys_ = initial_keys_;
  mix_ = fresh_mix(tables_);
  history_notice_.clear();
  if (!history_.complete()) { history_.reset(); }
  if (!history_.entries().empty()) { replay_ = Replay{0}; }
}

void Simulation::cancel()
{
  drop_work();
  action_notice_.clear();
}

void Simulation::drop_work()
{
  auto const* const rehash = job_ && job_->op == "rehash" ? std::get_if<Rehash>(&job_->action) : nullptr;
  std::optional<Rehash> const rehashing = rehash ? std::optional(*rehash) : std::nullopt;
  queue_.clear();
  job_.reset();
  if (replay_) { history_.truncate(replay_->done); }
  replay_.reset();
  if (rehashing && tables_.rehash_cancel()) { record(*rehashing); }
}

void Simulation::step(DriveSettings const& drive, double elapsed_seconds, double budget_seconds)
{
  Clock const clock{budget_seconds};
  pace_.aim_at(std::max(budget_seconds / slices_per_budget, shortest_slice_seconds));
  if (drive.running && idle()) {
    mix_.accrue(drive, elapsed_seconds);
  } else {
    mix_.forget_debt();
  }
  work(&drive, clock);
}

void Simulation::finish()
{
  pace_.aim_at(finish_slice_seconds);
  work(nullptr, Clock{std::nullopt});
}

void Simulation::work(DriveSettings const* drive, Clock const& clock)
{
  try {
    do {
      if (take_next_job()) {
        advance_job(clock);
      } else if (!drive || !drive->running || !advance_mix(*drive, clock)) {
        return;
      }
    } while (!clock.used_up());
  } catch (...) {
    drop_work();
    throw;
  }
}

bool Simulation::take_next_job()
{
  if (job_) { return true; }
  if (replay_) {
    if (replay_->done < history_.entries().size()) {
      job_ = Job{.action = to_action(history_.entries()[replay_->done]), .replayed = true};
      return true;
    }
    replay_.reset();
  }
  if (queue_.empty()) { return false; }
  job_ = Job{.action = std::move(queue_.front())};
  queue_.pop_front();
  return true;
}

void Simulation::advance_job(Clock const& clock)
{
  Job& job = *job_;
  if (!std::exchange(job.begun, true)) {
    job.start_live = tables_.most_live();
    job.reports.resize(tables_.count());
  }
  bool const done = std::visit([&](auto const& action) { return advance(job, action, clock); }, job.action);
  if (done) { finish_job(); }
}

void Simulation::finish_job()
{
  bool const of_history = job_->replayed;
  for (std::size_t table = 0; table < job_->reports.size() && !job_->op.empty(); ++table) {
    ActionReport& report = job_->reports[table];
    report.op = job_->op;
    report.table = table;
    report.load_factor = load_factor(table);
    reports_.push_back(std::move(report));
  }
  job_.reset();
  if (replay_ && of_history) { ++replay_->done; }
  mix_.table_changed();
}

bool Simulation::advance(Job& job, BatchRequest const& request, Clock const& clock)
{
  job.op = op_name(request);
  std::uint64_t const left = request.count - job.asked;
  if (left == 0) { return true; }
  std::uint64_t const limit = std::min(left, tables_.batch_limit());
  bool const whole = job.replayed || clock.endless();
  BatchRequest part = request;
  part.count = whole ? limit : slice(request.insert > 0.0, limit, clock);

  BatchReport const ran = run_for(job, part);
  job.asked += part.count;
  job.share = static_cast<double>(job.asked) / static_cast<double>(request.count);
  bool const ran_dry = ran.count < part.count && job.op != "mix";
  return job.asked == request.count || ran_dry;
}

bool Simulation::advance(Job& job, Clear const& clear, Clock const&)
{
  job.op = "clear";
  note_keys(job.reports);
  tables_.clear();
  note_seconds(job.reports);
  if (!job.replayed) { record(clear); }
  return true;
}

bool Simulation::advance(Job& job, Rehash const& rehash, Clock const& clock)
{
  if (job.op.empty()) {
    tables_.rehash_begin(rehash.slots);
    job.op = "rehash";
    note_keys(job.reports);
  }
  bool done = false;
  do {
    done = tables_.rehash_step();
  } while (!done && !clock.used_up());
  note_seconds(job.reports);
  job.share = done ? 1.0 : tables_.rehash_progress();
  if (done && !job.replayed) { record(rehash); }
  return done;
}

bool Simulation::advance(Job& job, SetKeys const& set_keys, Clock const&)
{
  tables_.set_keys(set_keys.keys, seed_);
  keys_ = set_keys.keys;
  if (!job.replayed) { record(set_keys); }
  return true;
}

bool Simulation::advance(Job& job, FillTo const& fill, Clock const& clock)
{
  job.op = "fill";
  if (!job.steering) { job.steering.emplace(live_at(fill.load, tables_.least_room())); }
  Steering& steering = *job.steering;
  bool const inserts = tables_.most_live() < steering.goal();
  std::uint64_t const limit = slice(inserts, tables_.batch_limit(), clock);
  if (auto const request = steering.next(tables_.most_live(), limit)) {
    BatchReport const ran = run_for(job, *request);
    steering.observe(*request, ran);
    if (steering.stalled()) { action_notice_ = why_no_new_keys(ran.outcomes, keys_); }
  }
  double const all = static_cast<double>(std::max<std::uint64_t>(1, distance(job.start_live, steering.goal())));
  std::uint64_t const live = tables_.most_live();
  job.share = std::clamp(1.0 - static_cast<double>(distance(live, steering.goal())) / all, 0.0, 1.0);
  return live == steering.goal() || steering.stalled();
}

bool Simulation::advance(Job& job, OnKey const& on_key, Clock const&)
{
  job.op = op_name(on_key.operation);
  std::vector<Tally> const outcomes = tables_.run(on_key);
  for (std::size_t table = 0; table < outcomes.size(); ++table) {
    job.reports[table].outcomes = outcomes[table];
    job.reports[table].count = 1;
  }
  note_seconds(job.reports);
  if (!job.replayed) { record(on_key); }
  return true;
}

bool Simulation::advance_mix(DriveSettings const& drive, Clock const& clock)
{
  std::uint64_t const limit = pace_.slice(clock.left(), tables_.batch_limit());
  auto const request = mix_.next(drive, tables_.most_live(), tables_.least_room(), limit);
  if (!request) { return false; }
  std::vector<BatchReport> const ran = run(*request, false);
  for (std::size_t table = 0; table < ran.size(); ++table) {
    reports_.push_back(report_of(mix_.steering() ? "fill" : "mix", ran[table], table));
  }
  BatchReport all = ran[tables_.fullest()];
  all.seconds = 0.0;
  for (BatchReport const& one : ran) { all.seconds += one.seconds; }
  mix_.observe(*request, all, keys_);
  return true;
}

std::uint64_t Simulation::slice(bool inserts, std::uint64_t limit, Clock const& clock) const
{
  bool const rebuilds = inserts && tables_.has_static();
  return rebuilds ? limit : pace_.slice(clock.left(), limit);
}

std::vector<BatchReport> Simulation::run(BatchRequest const& request, bool replayed)
{
  auto const start = std::chrono::steady_clock::now();
  std::vector<TableRun> const runs = tables_.run(request);
  bool const rebuilt = request.insert > 0.0 && tables_.has_static();
  if (!rebuilt) { pace_.observe(request.count, seconds_between(start, std::chrono::steady_clock::now())); }
  if (!replayed) { record(request); }
  std::vector<BatchReport> reports(tables_.count());
  for (TableRun const& run : runs) {
    BatchReport& report = reports[run.table];
    report.count += run.report.count;
    report.outcomes += run.report.outcomes;
    report.seconds += run.report.seconds;
    ActionReport action = report_of(op_name(run.request), run.report, run.table);
    action.load_factor = run.load_factor;
    add_run(std::move(action));
  }
  return reports;
}

BatchReport Simulation::run_for(Job& job, BatchRequest const& request)
{
  std::vector<BatchReport> const ran = run(request, job.replayed);
  for (std::size_t table = 0; table < ran.size(); ++table) {
    ActionReport& report = job.reports[table];
    report.count += ran[table].count;
    report.outcomes += ran[table].outcomes;
    report.seconds += ran[table].seconds;
  }
  return ran[tables_.fullest()];
}

}  // namespace slotscape
