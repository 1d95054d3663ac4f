#include "app/simulation/simulation.hpp"

#include "gpu/base/translation.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace slotscape {
namespace {

ProgressSnapshot as_of(Progress const& progress, std::string what, double share)
{
  progress.report(share);
  ProgressSnapshot now = progress.snapshot();
  now.what = std::move(what);
  return now;
}

}  // namespace

std::uint64_t Simulation::memory_bytes() const
{
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < tables(); ++i) { bytes += tables_.engine(i).memory_bytes(); }
  return bytes;
}

void Simulation::note_keys(std::vector<ActionReport>& reports) const
{
  for (std::size_t table = 0; table < reports.size(); ++table) { reports[table].count = live(table); }
}

void Simulation::note_seconds(std::vector<ActionReport>& reports) const
{
  for (std::size_t table = 0; table < reports.size(); ++table) { reports[table].seconds = tables_.seconds(table); }
}

ActionReport Simulation::report_of(std::string op, BatchReport const& batch, std::size_t table) const
{
  return {.op = std::move(op),
          .count = batch.count,
          .outcomes = batch.outcomes,
          .seconds = batch.seconds,
          .load_factor = load_factor(table),
          .table = table,
          .settings = tables_.engine(table).table()};
}

void Simulation::add_run(ActionReport run)
{
  if (runs_.size() == runs_kept) { runs_.pop_front(); }
  runs_.push_back(std::move(run));
}

void Simulation::record(Done done)
{
  history_.record(std::move(done));
  if (!history_.complete()) {
    history_notice_ = tr("The history is too long to repeat: a restart only empties the table and resets the seed.");
  }
}

bool Simulation::idle() const
{
  bool const replaying = replay_ && replay_->done < history_.entries().size();
  return !job_ && queue_.empty() && !replaying;
}

std::optional<ProgressSnapshot> Simulation::progress() const
{
  double const running =
      running_.operations == 0 ? 0.0 : static_cast<double>(running_.done) / static_cast<double>(running_.operations);
  double const share = job_ ? std::min(1.0, job_->share + running * running_.share) : 0.0;
  if (replay_) {
    std::size_t const all = std::max<std::size_t>(1, history_.entries().size());
    return as_of(replay_->shown, tr("replaying"),
                 (static_cast<double>(replay_->done) + share) / static_cast<double>(all));
  }
  if (job_) { return as_of(job_->shown, describe(job_->action), share); }
  if (queue_.empty()) { return std::nullopt; }
  return ProgressSnapshot{describe(queue_.front().action)};
}

std::optional<ProgressSnapshot> Simulation::progress_of_all() const
{
  auto now = progress();
  if (!now || replay_ || submitted_ < 2) { return now; }
  std::size_t const begun = submitted_ - queue_.size();
  std::size_t const done = job_ ? begun - 1 : begun;
  now->what = tr("step {} of {}, {}", done + 1, submitted_, now->what);
  now->share = (static_cast<double>(done) + now->share) / static_cast<double>(submitted_);
  now->seconds_left.reset();
  return now;
}

std::vector<ActionReport> Simulation::take_reports()
{
  return std::exchange(reports_, {});
}

std::vector<ActionReport> Simulation::take_runs()
{
  std::vector<ActionReport> runs{std::make_move_iterator(runs_.begin()), std::make_move_iterator(runs_.end())};
  runs_.clear();
  return runs;
}

std::string Simulation::notice() const
{
  if (!action_notice_.empty()) { return action_notice_; }
  return mix_.notice().empty() ? history_notice_ : mix_.notice();
}

}  // namespace slotscape
