#include "app/simulation/simulation.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace slotscape {

namespace {

constexpr double slices_per_budget = 4.0;
constexpr double min_share_worth_a_slice = 0.05;
constexpr double shortest_slice_seconds = 1e-4;
constexpr std::string_view choking_warning =
    "few empty slots are left, so that looking up absent keys takes ever longer. A step { \"op\": \"purge\" } drops "
    "the tombstones. Ctrl-C ends the run and writes what is done.";
constexpr std::chrono::milliseconds between_looks{500};  ///< time between checks of a table that someone watches

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to)
{
  return std::chrono::duration<double>(to - from).count();
}

BatchRequest kind_of(Operation operation)
{
  switch (operation) {
    case Operation::find: return BatchRequest::finds(1, KeyChoice::mixed);
    case Operation::erase: return BatchRequest::erases(1);
    case Operation::insert: break;
  }
  return BatchRequest::inserts(1);
}

/// `Report`: the report on a batch or on an action.
template <class Report>
void add_to(Report& report, BatchReport const& more)
{
  report.count += more.count;
  report.outcomes += more.outcomes;
  report.seconds += more.seconds;
}

void check_load(FillTo const& fill, Tables const& tables)
{
  if (fill.load >= 0.0 && fill.load <= tables.max_load()) { return; }
  throw Error{tr("A table cannot be filled to load factor {}: choose one from 0 to {}.", fill.load, tables.max_load())};
}

/// The finding about a fill that ran out of keys.
std::string finding_on_fill(FillTo const& fill, double reached, std::string const& why)
{
  return tr("A fill to load factor {:.3f} ended at {:.3f}. {}", fill.load, reached, why);
}

/// The findings about a fill of several tables, whose progress is that of the fullest one.
Findings findings_on_shares(FillTo const& fill, Tables const& tables)
{
  Findings findings;
  for (std::size_t i = 0; i < tables.count(); ++i) {
    std::uint64_t const missing = tables.max_live() - tables.live(i);
    if (missing == 0 || tables.refused(i) == 0) { continue; }
    findings.push_back(
        tr("Table {} had no room for {} of the keys: its fill to load factor {:.3f} ended at {:.3f}, and the tables "
           "hold different keys.",
           i + 1, grouped(missing), fill.load, tables.load_factor(i)));
  }
  return findings;
}

}  // namespace

/// The remaining time budget of a step. Without a budget, it is unlimited and slices are as large as possible.
class Simulation::Clock {
public:
  explicit Clock(std::optional<double> budget) : budget_{budget} {}
  double left() const
  {
    if (!budget_) { return std::numeric_limits<double>::infinity(); }
    return *budget_ - seconds_between(start_, std::chrono::steady_clock::now());
  }
  bool endless() const { return !budget_; }
  bool used_up() const { return budget_ && left() < min_share_worth_a_slice * *budget_; }

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
    : initial_tables_(tables.begin(), tables.end()),
      tables_{backend, tables},
      initial_keys_{keys},
      keys_{keys},
      seed_{seed},
      mix_{fresh_mix(tables_)}
{
  tables_.set_keys(keys_, seed_);
  note_file();
}

Mix Simulation::fresh_mix(Tables const& tables)
{
  Mix mix;
  if (tables.has_static()) { mix.insert_in_bursts(tables.batch_limit()); }
  return mix;
}

void Simulation::submit(Action action, bool whole)
{
  if (auto const* fill = std::get_if<FillTo>(&action)) { check_load(*fill, tables_); }
  action_notice_.clear();
  submitted_ = idle() ? 1 : submitted_ + 1;
  queue_.push_back({std::move(action), whole});
}

void Simulation::fill_instead(FillTo const& fill)
{
  check_load(fill, tables_);
  while (!queue_.empty() && std::holds_alternative<FillTo>(queue_.back().action)) {
    queue_.pop_back();
    --submitted_;
  }
  if (queue_.empty() && job_ && std::holds_alternative<FillTo>(job_->action)) {
    for (Done const& ran : stop_batch()) { record(ran); }
    finish_job();
  }
  submit(fill);
}

void Simulation::restart()
{
  replay_.reset();  // the rest of a running replay belongs to the history, too
  cancel();
  tables_.clear();
  raced_ = false;
  if (!tables_.has_initial_slots()) {
    std::size_t const entries = history_.entries().size();
    history_.record(Clear{});  // stays in the history if there is too little memory to restore the initial size
    tables_.restore_slots();
    history_.truncate(entries);
  }
  tables_.set_keys(initial_keys_, seed_);
  keys_ = initial_keys_;
  mix_ = fresh_mix(tables_);
  findings_.clear();
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
  if (auto const* part = job_ && !job_->replayed ? std::get_if<OnKeys>(&job_->action) : nullptr;
      part && job_->asked != 0) {
    auto const done = part->pairs->begin();
    record(OnKeys{part->operation,
                  std::make_shared<std::vector<Pair> const>(done, done + static_cast<std::ptrdiff_t>(job_->asked))});
  }
  queue_.clear();
  submitted_ = 0;
  std::vector<Done> const ran = stop_batch();
  auto const* const rehash = job_ && job_->op == "rehash" ? std::get_if<Rehash>(&job_->action) : nullptr;
  std::optional<Rehash> const rehashing = rehash ? std::optional(*rehash) : std::nullopt;
  job_.reset();
  if (replay_) { history_.truncate(replay_->done); }
  replay_.reset();
  for (Done const& each : ran) { record(each); }
  if (rehashing && tables_.rehash_cancel()) { record(*rehashing); }
}

std::vector<Done> Simulation::stop_batch()
{
  if (!begun_ && !tables_.in_batch()) { return {}; }
  if (job_ && begun_) { job_->asked += begun_->ran; }
  begun_.reset();
  auto const ran = tables_.end_batch();
  if (!ran) {
    history_.lose();
    history_notice_ =
        tr("An operation was stopped midway, and cannot be repeated: a restart only empties the table and resets the "
           "seed.");
    return {};
  }
  return {ran->begin(), ran->end()};
}

void Simulation::step(DriveSettings const& drive, double elapsed_seconds, double budget_seconds)
{
  Clock const clock{budget_seconds};
  tables_.change_turns();
  paces_.aim_at(std::max(budget_seconds / slices_per_budget, shortest_slice_seconds));
  std::array const shares{drive.insert, drive.find, drive.erase, drive.hit_share};
  if (shares != std::exchange(shares_, shares)) { paces_.forget(); }
  if (drive.running && idle()) {
    mix_.accrue(drive, elapsed_seconds);
  } else {
    mix_.forget_debt();
  }
  work(&drive, clock);
}

bool Simulation::purge_in_time(DriveSettings const& drive)
{
  if (!drive.hold_load || !drive.purge || !tables_.is_clogged_by_tombstones()) { return false; }
  submit(Rehash{});
  return true;
}

bool Simulation::finish(Progress const& progress)
{
  if (progress.is_watched()) {
    watched_ = progress;
    tables_.watch_batches([this](std::uint64_t operations) { return goes_on(operations); });
  }
  auto const unwatch = [this] {
    watched_ = {};
    tables_.watch_batches({});
  };
  try {
    work(nullptr, Clock{std::nullopt});
  } catch (...) {
    unwatch();
    given_up_ = false;
    throw;
  }
  unwatch();
  return !std::exchange(given_up_, false);
}

bool Simulation::goes_on(std::uint64_t operations)
{
  if (!watched_.is_watched() || given_up_) { return !given_up_; }
  running_.done += operations;
  ProgressSnapshot const now = progress().value_or(ProgressSnapshot{});
  if (auto const time = std::chrono::steady_clock::now(); time >= next_look_) {
    next_look_ = time + between_looks;
    if (tables_.is_clogged_by_tombstones(true)) { watched_.warn(std::string(choking_warning)); }
  }
  watched_.begin(now.what);
  given_up_ = !watched_.report(now.share, watched_.count() + operations);
  return !given_up_;
}

void Simulation::work(DriveSettings const* drive, Clock const& clock)
{
  try {
    do {
      if (take_next_job()) {
        advance_job(clock);
        if (given_up_) { return give_up(); }
      } else if (!drive || !drive->running || !advance_mix(*drive, clock)) {
        return;
      }
    } while (!clock.used_up());
  } catch (...) {
    drop_work();
    throw;
  }
}

/// Stops the current work, but keeps and reports the operations already run.
void Simulation::give_up()
{
  if (begun_) {
    begun_.reset();
    tables_.end_batch();
  }
  if (job_ && job_->op != "rehash") { finish_job(); }
  drop_work();
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
  job_ = Job{.action = std::move(queue_.front().action), .whole = queue_.front().whole};
  queue_.pop_front();
  return true;
}

void Simulation::advance_job(Clock const& clock)
{
  Job& job = *job_;
  if (!std::exchange(job.begun, true)) {
    job.start_live = tables_.max_live();
    job.reports.resize(tables_.count());
    for (std::size_t i = 0; i < tables_.count(); ++i) { job.rebuilds_before.push_back(tables_.engine(i).rebuilds()); }
  }
  in_order_ = tables_.can_run_in_order();
  tables_.run_in_order(in_order_);
  bool done = false;
  try {
    done = std::visit([&](auto const& action) { return advance(job, action, clock); }, job.action);
  } catch (...) {
    tables_.run_in_order(false);
    throw;
  }
  tables_.run_in_order(false);
  if (done) { finish_job(); }
}

void Simulation::finish_job()
{
  bool const of_history = job_->replayed;
  for (std::size_t table = 0; table < job_->reports.size() && !job_->op.empty(); ++table) {
    ActionReport& report = job_->reports[table];
    report.op = job_->op;
    report.table = table;
    report.settings = tables_.engine(table).table();
    report.load_factor = load_factor(table);
    std::uint64_t const rebuilds = tables_.engine(table).rebuilds();
    report.rebuilds = rebuilds - std::min(rebuilds, job_->rebuilds_before[table]);
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
  BatchRequest part = request;
  part.count = std::min(left, tables_.batch_limit());
  auto const share_of = [&](std::uint64_t operations) {
    return static_cast<double>(operations) / static_cast<double>(request.count);
  };
  auto const ran = advance_batch(job, part, share_of(part.count), clock);
  if (!ran) {
    job.share = share_of(job.asked + (begun_ ? begun_->ran : 0));
    return false;
  }
  job.asked += part.count;
  job.share = share_of(job.asked);
  bool const ran_dry = ran->count < part.count;
  ActionReport const& all = job.reports[tables_.fullest()];
  bool const is_done = job.asked == request.count || (ran_dry && job.op != "mix");
  if (ran_dry) { note_end_of_file(request, all.count); }
  if (is_done && !ran_dry && !job.replayed) { action_notice_ = how_many_found_no_place(all.outcomes); }
  return is_done;
}

std::optional<BatchReport> Simulation::advance_batch(Job& job, BatchRequest const& wanted, double share,
                                                     Clock const& clock)
{
  if (!begun_) {
    tables_.begin_batch(wanted);
    begun_ = Begun{.batch = wanted, .reports = std::vector<BatchReport>(tables_.count())};
  }
  BatchRequest const next = tables_.next();
  bool const whole = job.whole || job.replayed || clock.endless() || (in_order_ && tables_.depends_on_parts(next));
  double const of_batch = share / static_cast<double>(std::max<std::uint64_t>(1, begun_->batch.count));
  run_some(job, next, whole ? next.count : slice(next, next.count, clock), of_batch);
  if (given_up_ || tables_.in_batch()) { return std::nullopt; }
  Begun const done = *std::exchange(begun_, std::nullopt);
  if (!job.replayed) { record(done.batch); }
  return done.reports[tables_.fullest()];
}

void Simulation::run_some(Job& job, BatchRequest const& next, std::uint64_t operations, double share)
{
  running_ = {.operations = operations * tables_.count(), .share = share * static_cast<double>(operations), .done = 0};
  auto const start = std::chrono::steady_clock::now();
  std::vector<BatchReport> const ran = note_runs(tables_.run_some(operations));
  running_ = {};
  bool const rebuilt = next.insert > 0.0 && tables_.has_static();
  if (!rebuilt) { paces_.observe(next, operations, seconds_between(start, std::chrono::steady_clock::now())); }
  begun_->ran += operations;
  bool const changes = next.insert > 0.0 || next.erase > 0.0;
  raced_ = raced_ || (changes && !in_order_);
  for (std::size_t table = 0; table < ran.size(); ++table) {
    add_to(begun_->reports[table], ran[table]);
    add_to(job.reports[table], ran[table]);
  }
}

bool Simulation::advance(Job& job, Clear const& clear, Clock const&)
{
  job.op = "clear";
  note_keys(job.reports);
  tables_.clear();
  raced_ = false;
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
    job.share = tables_.rehash_progress();
  } while (!done && !clock.used_up() && goes_on(0));
  note_seconds(job.reports);
  raced_ = raced_ || !in_order_;
  if (done) { paces_.forget(); }
  if (done && !job.replayed) { record(rehash); }
  return done;
}

bool Simulation::advance(Job& job, SetKeys const& set_keys, Clock const&)
{
  tables_.set_keys(set_keys.keys, seed_, set_keys.drawn);
  keys_ = set_keys.keys;
  note_file();
  paces_.forget();
  if (!job.replayed) { record(set_keys); }
  return true;
}

bool Simulation::advance(Job& job, FillTo const& fill, Clock const& clock)
{
  job.op = "fill";
  if (!job.steering) { job.steering.emplace(live_at(fill.load, tables_.min_room())); }
  Steering& steering = *job.steering;
  double const all = static_cast<double>(std::max<std::uint64_t>(1, distance(job.start_live, steering.goal())));
  auto const wanted = begun_ ? std::optional(begun_->batch) : steering.next(tables_.max_live(), tables_.batch_limit());
  if (wanted) {
    auto const ran = advance_batch(job, *wanted, std::min(1.0, static_cast<double>(wanted->count) / all), clock);
    if (ran) { steering.observe(*wanted, *ran); }
    if (ran && steering.stalled() && !given_up_) {
      action_notice_ = why_no_new_keys(ran->outcomes, keys_);
      bool const is_in_window = !clock.endless();  // the window shows the notice
      if (!is_in_window) {
        add_findings(findings_, {finding_on_fill(fill, load_factor(tables_.fullest()), action_notice_)});
      }
    }
  }
  std::uint64_t const live = tables_.max_live();
  job.share = std::clamp(1.0 - static_cast<double>(distance(live, steering.goal())) / all, 0.0, 1.0);
  bool const is_done = !begun_ && (live == steering.goal() || steering.stalled());
  if (is_done && clock.endless()) { add_findings(findings_, findings_on_shares(fill, tables_)); }
  return is_done;
}

bool Simulation::advance(Job& job, OnKey const& on_key, Clock const&)
{
  Pair const pair{on_key.key, on_key.value};
  run_on_keys(job, on_key.operation, std::span(&pair, 1), true);
  if (!job.replayed) { record(on_key); }
  return true;
}

bool Simulation::advance(Job& job, OnKeys const& on_keys, Clock const& clock)
{
  constexpr std::uint64_t max_at_once = 1 << 16;
  std::vector<Pair> const& pairs = *on_keys.pairs;
  BatchRequest const kind = kind_of(on_keys.operation);
  bool const rebuilds = on_keys.operation == Operation::insert && tables_.has_static();
  bool const in_turn = pairs.size() <= OnKeys::max_in_turn;
  std::uint64_t const left = pairs.size() - job.asked;
  std::uint64_t const limit = std::min(left, rebuilds ? tables_.batch_limit() : max_at_once);
  bool const whole = clock.endless() || (in_order_ && (!in_turn || rebuilds) && tables_.depends_on_parts(kind));
  std::uint64_t const count = whole ? limit : slice(kind, limit, clock);
  auto const start = std::chrono::steady_clock::now();
  run_on_keys(job, on_keys.operation, std::span(pairs).subspan(job.asked, count), in_turn);
  if (!rebuilds) { paces_.observe(kind, count, seconds_between(start, std::chrono::steady_clock::now())); }
  job.asked += count;
  job.share = static_cast<double>(job.asked) / static_cast<double>(std::max<std::size_t>(pairs.size(), 1));
  if (job.asked < pairs.size()) { return false; }
  if (!job.replayed) { record(on_keys); }
  return true;
}

void Simulation::run_on_keys(Job& job, Operation operation, std::span<Pair const> pairs, bool in_turn)
{
  job.op = op_name(operation);
  std::vector<Tally> const outcomes = tables_.run(operation, pairs, in_turn);
  raced_ = raced_ || (operation != Operation::find && pairs.size() > 1 && !in_order_ &&
                      (!in_turn || (operation == Operation::insert && tables_.has_static())));
  for (std::size_t table = 0; table < outcomes.size(); ++table) {
    job.reports[table].outcomes += outcomes[table];
    job.reports[table].count += pairs.size();
    job.reports[table].seconds += tables_.seconds(table);
  }
}

bool Simulation::keys_used_up() const
{
  bool const ends = keys_.distribution == KeyDistribution::file && !keys_.file_repeats && keys_.file_keys;
  return ends && tables_.engine(0).keys_drawn() >= keys_.file_keys->size();
}

void Simulation::note_file()
{
  constexpr std::size_t max_files = 8;  // limit on the files whose keys stay in memory
  bool const is_new = std::ranges::find(files_, keys_) == files_.end();
  if (keys_.distribution != KeyDistribution::file || !is_new) { return; }
  if (files_.size() == max_files) { files_.erase(files_.begin()); }
  files_.push_back(keys_);
}

void Simulation::note_end_of_file(BatchRequest const& request, std::uint64_t ran)
{
  std::string const op = op_name(request);
  bool const has_ended = op == "find"    ? request.find_keys == KeyChoice::stream
                         : op == "erase" ? request.erase_keys == KeyChoice::stream
                                         : keys_used_up();
  if (!has_ended || keys_.distribution != KeyDistribution::file) { return; }
  std::string const of_file =
      tr("all {} keys of {} have been used. Let the file repeat (\"repeat\": true) or choose other keys to get more",
         grouped(keys_.file_keys->size()), path_text(path_of_text(keys_.file_name).filename()));
  std::string const done = grouped(ran);
  std::string const asked = grouped(request.count);
  action_notice_ = op == "mix"     ? tr("The mix continues without insertions: {}.", of_file)
                   : op == "find"  ? tr("{} of {} lookups were done: {}.", done, asked, of_file)
                   : op == "erase" ? tr("{} of {} deletions were done: {}.", done, asked, of_file)
                                   : tr("{} of {} insertions were done: {}.", done, asked, of_file);
  add_findings(findings_, {action_notice_});
}

bool Simulation::advance_mix(DriveSettings const& drive, Clock const& clock)
{
  if (purge_in_time(drive)) { return true; }
  BatchRequest kind;
  auto const limit = [&](BatchRequest const& wanted) {
    kind = wanted;
    return paced(wanted, tables_.batch_limit(), clock);
  };
  DriveSettings possible = drive;
  possible.target_load = std::min(possible.target_load, tables_.max_load());
  auto const request = mix_.next(possible, tables_.max_live(), tables_.min_room(), limit);
  if (!request) { return false; }
  std::vector<BatchReport> const ran = run(kind, *request);
  for (std::size_t table = 0; table < ran.size(); ++table) {
    reports_.push_back(report_of(mix_.steering() ? "hold" : "mix", ran[table], table));
  }
  BatchReport all = ran[tables_.fullest()];
  all.seconds = 0.0;
  for (BatchReport const& one : ran) { all.seconds += one.seconds; }
  mix_.observe(*request, all, keys_);
  return true;
}

std::uint64_t Simulation::slice(BatchRequest const& kind, std::uint64_t limit, Clock const& clock)
{
  bool const rebuilds = kind.insert > 0.0 && tables_.has_static();
  return rebuilds ? limit : paced(kind, limit, clock);
}

std::uint64_t Simulation::paced(BatchRequest const& kind, std::uint64_t limit, Clock const& clock)
{
  std::uint64_t const operations = paces_.of(kind).slice(clock.left(), limit);
  if (kind.insert <= 0.0) { return operations; }
  auto const inserts = static_cast<std::uint64_t>(std::ceil(kind.insert * static_cast<double>(operations)));
  std::uint64_t const allowed = tables_.inserts_at_once(inserts);
  if (allowed >= inserts) { return operations; }
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(static_cast<double>(allowed) / kind.insert));
}

std::vector<BatchReport> Simulation::run(BatchRequest const& kind, BatchRequest const& request)
{
  auto const start = std::chrono::steady_clock::now();
  running_.done = 0;
  std::vector<TableRun> const runs = tables_.run(request);
  bool const rebuilt = request.insert > 0.0 && tables_.has_static();
  if (!rebuilt) { paces_.observe(kind, request.count, seconds_between(start, std::chrono::steady_clock::now())); }
  if (!given_up_) { record(request); }
  raced_ = raced_ || request.insert > 0.0 || request.erase > 0.0;
  return note_runs(runs);
}

std::vector<BatchReport> Simulation::note_runs(std::vector<TableRun> const& runs)
{
  std::vector<BatchReport> reports(tables_.count());
  for (TableRun const& run : runs) {
    add_to(reports[run.table], run.report);
    ActionReport action = report_of(op_name(run.request), run.report, run.table);
    action.load_factor = run.load_factor;
    add_run(std::move(action));
  }
  return reports;
}

}  // namespace slotscape
