#include "app/tuning/sweep.hpp"

#include "app/bench/measurement.hpp"
#include "app/tuning/candidates.hpp"
#include "app/tuning/report.hpp"
#include "app/tuning/search.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

namespace slotscape::tuning {
namespace {

constexpr std::uint64_t max_sampled = std::uint64_t{1} << 20;  ///< keys used to judge hashes
constexpr double almost_all = 0.99;
constexpr double most_of_budget_a_kind = 1.0 / 20.0;  ///< limit for operations of one kind in one repeat
constexpr double min_seconds = 1.0;                   ///< least seconds for operations of one kind in one repeat

double since(std::chrono::steady_clock::time_point then)
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

}  // namespace

Sweep::Sweep(Workload const& workload, SweepSettings const& settings, std::vector<Measured> known)
    : Sweep(Query{workload, settings,
                  [=](Progress const& progress) {
                    return prepare_keys(workload, std::numeric_limits<std::uint64_t>::max(), settings.seed, progress);
                  },
                  [=](WorkloadKeys const& keys) {
                    double const most = std::max(min_seconds, most_of_budget_a_kind * settings.budget_seconds);
                    return measures_on(settings.backend, workload, keys, settings.seed, most);
                  },
                  std::move(known)})
{
}

Sweep::Sweep(Workload const& workload, SweepSettings const& settings, WorkloadKeys const& keys,
             Measures const& measures, std::vector<Measured> known)
    : Sweep(Query{workload, settings, [=](Progress const&) { return std::optional(keys); },
                  [=](WorkloadKeys const&) { return measures; }, std::move(known)})
{
}

Sweep::Sweep(Query query)
    : budget_seconds_(query.settings.budget_seconds),
      work_([this](Query const& asked, Progress const& progress) { return run(asked, progress); })
{
  validate(query.workload);
  Results start;
  start.backend = query.settings.backend;
  start.workload = query.workload;
  results_ = std::make_shared<Results const>(start);
  work_.start(std::move(query));
}

Sweep::~Sweep()
{
  cancel();
}

Phase Sweep::run(Query const& query, Progress const& progress)
{
  Progress const pausing([&](Progress const&) { return goes_on(progress); });
  try {
    begin(Phase::preparing, tr("reading the keys"));
    auto const keys = query.prepare(pausing);
    if (!keys) {
      begin(Phase::cancelled, "");
      return Phase::cancelled;
    }
    Results start;
    start.backend = query.settings.backend;
    start.device = device_name(query.settings.backend);
    start.devices = device_count(query.settings.backend);
    start.device_numbers = query.settings.device_numbers;
    start.workload = query.workload;
    start.inserts = keys->wanted.inserts;
    start.different = keys->wanted.different;
    start.available = {keys->inserts, keys->different};
    start.remark = keys->remark;
    start.match = keys->match;
    note_checksums(start);
    std::vector<Key> sample = sample_of(*keys, start.workload.key_bits, max_sampled, query.settings.seed);
    start.hashes = uniformity_of_hashes(sample, start.workload.key_bits, std::bit_ceil(2 * sample.size()));
    publish(start);
    Search search(std::move(start), std::move(sample), query.settings, query.open(*keys), query.known,
                  {pausing, [this](Phase phase, std::string const& doing) { begin(phase, doing); },
                   [this](Results const& results) { publish(results); }, [this] { return seconds(); }});
    Phase const end = search.run() ? Phase::done : Phase::cancelled;
    begin(end, "");
    return end;
  } catch (std::exception const& error) {
    std::scoped_lock const lock(mutex_);
    status_.phase = Phase::failed;
    status_.error = error.what();
    return Phase::failed;
  }
}

bool Sweep::goes_on(Progress const& progress)
{
  std::unique_lock lock(mutex_);
  if (paused_ && !progress.cancelled()) {
    auto const then = std::chrono::steady_clock::now();
    wake_.wait(lock, [&] { return !paused_ || progress.cancelled(); });
    paused_seconds_ += since(then);
  }
  return !progress.cancelled();
}

/// Working time of the sweep's own thread, without pauses.
double Sweep::seconds() const
{
  return since(start_) - paused_seconds_;
}

void Sweep::begin(Phase phase, std::string const& doing)
{
  std::scoped_lock const lock(mutex_);
  status_.phase = phase;
  status_.doing = doing;
}

void Sweep::publish(Results const& results)
{
  auto snapshot = std::make_shared<Results const>(results);
  std::scoped_lock const lock(mutex_);
  results_ = std::move(snapshot);
}

void Sweep::pause()
{
  std::scoped_lock const lock(mutex_);
  if (paused_ || status_.over()) { return; }
  paused_ = true;
  paused_at_ = std::chrono::steady_clock::now();
}

void Sweep::resume()
{
  {
    std::scoped_lock const lock(mutex_);
    paused_ = false;
  }
  wake_.notify_all();
}

void Sweep::cancel()
{
  {
    std::scoped_lock const lock(mutex_);  // so that the thread does not fall asleep in between
    work_.cancel();
  }
  wake_.notify_all();
}

SweepStatus Sweep::status() const
{
  std::scoped_lock const lock(mutex_);
  SweepStatus status = status_;
  status.paused = paused_;
  status.measured = results_->measured.size();
  status.skipped = results_->skipped.size();
  if (status.over()) {
    status.progress = 1.0;
    return status;
  }
  double const worked = since(start_) - paused_seconds_ - (paused_ ? since(paused_at_) : 0.0);
  status.progress = std::clamp(worked / budget_seconds_, 0.0, almost_all);
  status.seconds_left = std::max(0.0, budget_seconds_ - worked);
  return status;
}

std::shared_ptr<Results const> Sweep::results() const
{
  std::scoped_lock const lock(mutex_);
  return results_;
}

}  // namespace slotscape::tuning
