#include "app/simulation/mix.hpp"

#include "app/simulation/names.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape {
namespace {

constexpr int fruitless_mixed_batches_limit = 8;

/// How far the load may drift from its goal before steering resumes.
std::uint64_t load_tolerance(std::uint64_t slots)
{
  return std::max<std::uint64_t>(1, slots / 1000);
}

/// How far erases may bring the load below its goal while inserts wait for a burst.
std::uint64_t slack_between_bursts(std::uint64_t slots)
{
  return slots / 50;
}

/// Whether new keys were inserted, and more than a few.
bool fruitful(BatchRequest const& request, BatchReport const& report)
{
  std::uint64_t const inserted = report.outcomes[Outcome::inserted];
  return inserted > 0 && static_cast<double>(inserted) >= request.insert * static_cast<double>(request.count) / 1000.0;
}

Setting<DriveSettings> share_setting(std::string_view name, std::string_view label, std::string_view what,
                                     double DriveSettings::*share)
{
  return number_setting({.name = name,
                         .label = label,
                         .what = what,
                         .hint = "The share of this kind of operation, relative to the other two.",
                         .note = "the shares need not add up to 1, but one must be above 0"},
                        share, 0.0, max_share);
}

Setting<DriveSettings> find_keys_setting()
{
  return choice_setting({.name = "find_keys",
                         .label = "Finds",
                         .what = "what finds look for",
                         .hint = "Look up stored keys (hits), absent keys (misses), or both; or the keys of the key "
                                 "file, in file order (at random in the continuous mix).",
                         .note = "`hits` are live keys, `misses` were never inserted, `stream` are keys of the stream, "
                                 "inserted or not: those of a file in its order, but in a mix at random"},
                        &DriveSettings::find_keys, "choice of keys");
}

}  // namespace

template <>
std::span<Setting<DriveSettings> const> settings_of()
{
  using Drive = DriveSettings;
  static auto const settings = std::to_array<Setting<Drive>>({
      flag_setting({.name = "running", .label = "Mix", .what = "the mix runs"}, &Drive::running),
      flag_setting({.name = "full_speed",
                    .label = "Full",
                    .what = "as many operations as fit into the frame's budget, instead of `rate`"},
                   &Drive::full_speed),
      number_setting({.name = "rate",
                      .label = "Speed",
                      .what = "operations per second",
                      .hint = "Operations of the mix per second. [ halves it, ] doubles it."},
                     &Drive::rate, 0.0, 1e12, Scale::log),
      share_setting("insert", "Inserts", "share of the inserts in the mix", &Drive::insert),
      share_setting("find", "Finds", "share of the finds in the mix", &Drive::find),
      share_setting("erase", "Erases", "share of the erases in the mix", &Drive::erase),
      find_keys_setting(),
      number_setting({.name = "hit_share",
                      .label = "Hit share",
                      .what = "share of hits where `find_keys` is `mixed`",
                      .hint = "The share of lookups that are for stored keys."},
                     &Drive::hit_share, 0.0, 1.0),
      flag_setting({.name = "hold_load",
                    .label = "Hold α",
                    .what = "fill or empty the table to `target_load` and hold it there",
                    .hint = "Fill or empty the table to this load factor, and hold it there while the mix runs."},
                   &Drive::hold_load),
      number_setting(
          {.name = "target_load", .label = "Hold α", .what = "load factor, above 1 in tables of chains only"},
          &Drive::target_load, 0.0, max_load),
      flag_setting({.name = "purge",
                    .label = "Purge in time",
                    .what = "while a load is held, drop the tombstones before they fill the table",
                    .hint = "While a load is held: remove the tombstones by rehashing before they fill the table."},
                   &Drive::purge),
      whole_setting({.name = "batch",
                     .label = "Batch",
                     .what = "operations of one press of insert, find or erase",
                     .hint = "Operations per press."},
                    &Drive::batch, 1, max_operations, Scale::log),
      number_setting({.name = "frame_budget_ms", .what = "time for operations in each frame"}, &Drive::frame_budget_ms,
                     0.1, 1000.0),
  });
  return settings;
}

void check_shares(JsonNode const& node, double insert, double find, double erase)
{
  if (insert + find + erase > 0.0) { return; }
  node.fail("the shares insert, find and erase are all 0; at least one must be above 0");
}

BatchRequest press_of(Operation operation, DriveSettings const& drive)
{
  switch (operation) {
    case Operation::find: {
      BatchRequest request = BatchRequest::finds(drive.batch, drive.find_keys);
      request.hit_share = drive.hit_share;
      return request;
    }
    case Operation::erase: return BatchRequest::erases(drive.batch);
    case Operation::insert: break;
  }
  return BatchRequest::inserts(drive.batch);
}

DriveSettings steering_alone(DriveSettings drive)
{
  drive.running = true;
  drive.hold_load = true;
  drive.full_speed = false;
  drive.rate = 0.0;
  return drive;
}

BatchRequest single_batch(DriveSettings const& drive)
{
  double const sum = drive.insert + drive.find + drive.erase;
  if (sum <= 0.0) { return BatchRequest::inserts(drive.batch); }
  return BatchRequest{.count = drive.batch,
                      .insert = drive.insert / sum,
                      .find = drive.find / sum,
                      .erase = drive.erase / sum,
                      .find_keys = drive.find_keys,
                      .hit_share = drive.hit_share}
      .as_mix();
}

void Mix::accrue(DriveSettings const& drive, double elapsed_seconds)
{
  double const rate = std::max(drive.rate, 0.0);
  owed_ = drive.full_speed ? 0.0 : std::min(owed_ + rate * std::max(elapsed_seconds, 0.0), rate);
  if (bursts_) { bursts_->pass(elapsed_seconds); }
}

void Mix::forget_debt()
{
  owed_ = 0.0;
  held_back_ = false;
  if (bursts_) { bursts_->forget_collected(); }
}

std::string Mix::notice() const
{
  bool const in_bursts = notice_.empty() && held_back_;
  return in_bursts ? tr("Each insertion rebuilds a static table, so the mix inserts in bursts.") : notice_;
}

void Mix::table_changed()
{
  steering_.reset();
  fruitless_batches_ = 0;
  notice_.clear();
}

std::optional<BatchRequest> Mix::next(DriveSettings const& drive, std::uint64_t live, std::uint64_t slots,
                                      Limit const& limit)
{
  std::optional<BatchRequest> request;
  if (drive.hold_load) {
    request = steer(drive, live, slots, limit);
  } else {
    steering_.reset();
    holding_ = false;
  }
  steering_now_ = request.has_value();
  return steering_now_ ? request : mix(drive, live, slots, limit);
}

std::optional<BatchRequest> Mix::steer(DriveSettings const& drive, std::uint64_t live, std::uint64_t slots,
                                       Limit const& limit)
{
  std::uint64_t const goal = live_at(drive.target_load, slots);
  bool const held = holding_ && held_goal_ == goal && distance(live, goal) <= load_tolerance(slots);
  if (held) { return std::nullopt; }
  if (!steering_ || steering_->goal() != goal) { steering_.emplace(goal); }
  BatchRequest const kind = live < goal ? BatchRequest::inserts(1) : BatchRequest::erases(1);
  std::uint64_t const most = bursts_ && live < goal ? bursts_->most() : limit(kind);
  std::optional<BatchRequest> request = steering_->next(live, most);
  if (bursts_ && request && live < goal) {
    held_back_ = held_back_ || !bursts_->due();
    if (!bursts_->due()) { return std::nullopt; }
    bursts_->forget_collected();
  }
  holding_ = live == goal;
  held_goal_ = goal;
  if (holding_) {
    steering_.reset();
    notice_.clear();
  }
  return request;
}

std::optional<BatchRequest> Mix::mix(DriveSettings const& drive, std::uint64_t live, std::uint64_t slots,
                                     Limit const& limit)
{
  auto const [insert, find, erase] = shares(drive, live, slots);
  double const sum = insert + find + erase;
  if (sum <= 0.0 || (!drive.full_speed && owed_ < 1.0)) { return std::nullopt; }
  BatchRequest const kind{.count = 1,
                          .insert = insert / sum,
                          .find = find / sum,
                          .erase = erase / sum,
                          .find_keys = drive.find_keys,
                          .hit_share = drive.hit_share};
  std::uint64_t const most = limit(kind);
  double const operations = drive.full_speed ? static_cast<double>(most) : std::floor(owed_);
  if (most == 0) { return std::nullopt; }
  std::uint64_t const count = std::min(static_cast<std::uint64_t>(operations), most);
  BatchRequest request = split(count, {kind.insert, kind.find, kind.erase});
  owed_ = std::max(0.0, owed_ - static_cast<double>(count));
  if (bursts_) {
    held_back_ = held_back_ || (request.insert > 0.0 && !bursts_->due());
    request = bursts_->now_of(request);
    if (request.count == 0) { return std::nullopt; }
  }
  request.find_keys = drive.find_keys;
  request.hit_share = drive.hit_share;
  return request.as_mix();
}

std::array<double, 3> Mix::shares(DriveSettings const& drive, std::uint64_t live, std::uint64_t slots) const
{
  double insert = std::max(drive.insert, 0.0);
  double const find = std::max(drive.find, 0.0);
  double erase = std::max(drive.erase, 0.0);
  bool const waits = bursts_ && !bursts_->due();
  if (drive.hold_load) {
    // If the load is out of reach, at least avoid moving away from it.
    std::uint64_t const goal = live_at(drive.target_load, slots);
    bool const out_of_reach = steering_ && steering_->stalled();
    bool const erased_enough = waits && live + slack_between_bursts(slots) < goal;
    double const share = (insert + erase) / 2.0;
    insert = out_of_reach && live > goal ? 0.0 : share;
    erase = (out_of_reach && live < goal) || erased_enough ? 0.0 : share;
  }
  if (waits && bursts_->collected_enough()) { insert = erase = 0.0; }
  return {insert, find, erase};
}

/// Splits into integer counts per kind. Rounding is carried over, so that even batches of a single operation keep to
/// the shares in the long run.
BatchRequest Mix::split(std::uint64_t count, std::array<double, 3> const& shares)
{
  std::array<std::uint64_t, 3> counts{};
  std::uint64_t left = count;
  for (std::size_t kind = 0; kind < 3; ++kind) {
    credits_[kind] = shares[kind] > 0.0 ? credits_[kind] + shares[kind] * static_cast<double>(count) : 0.0;
    counts[kind] = std::min(left, static_cast<std::uint64_t>(std::max(credits_[kind], 0.0)));
    credits_[kind] -= static_cast<double>(counts[kind]);
    left -= counts[kind];
  }
  for (; left > 0; --left) {
    std::size_t most = 0;
    for (std::size_t kind = 1; kind < 3; ++kind) {
      bool const may = shares[kind] > 0.0;
      if (may && (shares[most] <= 0.0 || credits_[kind] > credits_[most])) { most = kind; }
    }
    ++counts[most];
    credits_[most] -= 1.0;
  }
  auto const share = [&](std::uint64_t part) { return static_cast<double>(part) / static_cast<double>(count); };
  return {.count = count, .insert = share(counts[0]), .find = share(counts[1]), .erase = share(counts[2])};
}

void Mix::observe(BatchRequest const& request, BatchReport const& report, KeySettings const& keys)
{
  if (bursts_ && request.insert > 0.0) { bursts_->observe(report.seconds); }
  if (steering_now_) {
    steering_->observe(request, report);
    if (steering_->stalled()) { notice_ = why_no_new_keys(report.outcomes, keys); }
    return;
  }
  if (fruitful(request, report)) {
    bool const was_out_of_reach = steering_ && steering_->stalled();
    if (was_out_of_reach) { steering_.reset(); }
    fruitless_batches_ = 0;
    notice_.clear();
  } else if (request.insert > 0.0 && ++fruitless_batches_ >= fruitless_mixed_batches_limit) {
    notice_ = why_no_new_keys(report.outcomes, keys);
  }
}

}  // namespace slotscape
