#include "app/simulation/tables.hpp"

#include "app/simulation/small_keys.hpp"
#include "gpu/tables/slot_counts.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <unordered_map>
#include <utility>

namespace slotscape {

namespace {

/// Splits a mix into operations of each kind, in the numbers that an engine would run.
std::vector<BatchRequest> kinds_of(BatchRequest const& mix)
{
  auto const part = [&](double share) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(mix.count) * share));
  };
  std::uint64_t const inserts = std::min(mix.count, part(mix.insert));
  std::uint64_t const rest = mix.count - inserts;
  std::uint64_t const finds = mix.erase == 0.0 ? rest : std::min(rest, part(mix.find));
  BatchRequest find = BatchRequest::finds(finds, mix.find_keys);
  find.hit_share = mix.hit_share;
  std::vector<BatchRequest> kinds{BatchRequest::inserts(inserts), find,
                                  BatchRequest::erases(rest - finds, mix.erase_keys)};
  for (BatchRequest& kind : kinds) { kind.at_random = mix.at_random; }
  std::erase_if(kinds, [](BatchRequest const& kind) { return kind.count == 0; });
  return kinds;
}

constexpr std::uint64_t min_operations_of_turn = 4096;

/// The number of parts into which to split operations. Tables take turns with the parts, so that a disturbance of the
/// machine affects all of them, and the spread over the parts shows how much.
std::uint64_t turns_of(std::uint64_t operations)
{
  constexpr std::uint64_t max_turns = 8;
  return std::clamp<std::uint64_t>(operations / min_operations_of_turn, 1, max_turns);
}

/// Adds the duration of a call to `seconds`.
template <class Work>
auto timed(double& seconds, Work work)
{
  struct Watch {
    double& seconds;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    ~Watch() { seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); }
  };
  Watch const watch{seconds};
  return work();
}

std::vector<Value> values_of(std::span<Pair const> pairs)
{
  std::vector<Value> values(pairs.size());
  std::ranges::transform(pairs, values.begin(), &Pair::value);
  return values;
}

/// Values for which a batch of insertions in any order has the same result as these pairs in their order. If values
/// replace each other, all copies of a key get the last value; if the first one is kept, they get the first.
std::vector<Value> values_that_stay(std::span<Pair const> pairs, Combine combine)
{
  std::vector<Value> values = values_of(pairs);
  if (combine != Combine::replace && combine != Combine::keep_first) { return values; }
  std::unordered_map<Key, Value> staying;
  for (Pair const& pair : pairs) {
    bool const is_new = staying.try_emplace(pair.key, pair.value).second;
    if (!is_new && combine == Combine::replace) { staying[pair.key] = pair.value; }
  }
  std::ranges::transform(pairs, values.begin(), [&](Pair const& pair) { return staying.at(pair.key); });
  return values;
}

}  // namespace

Tables::Tables(Backend backend, std::span<TableSettings const> settings)
{
  for (TableSettings const& one : settings) {
    Table& table = tables_.emplace_back();
    table.engine = make_engine(backend, one);
    table.initial_slots = table.engine->table().slots;
    measure_room(table);
  }
}

double Tables::load_factor(std::size_t table) const
{
  return static_cast<double>(live(table)) / static_cast<double>(room(table));
}

void Tables::measure_room(Table& table)
{
  table.room = table.engine->counts().load_base();
  table.used = table.live;
}

std::uint64_t Tables::min_room() const
{
  return std::ranges::min_element(tables_, {}, &Table::room)->room;
}

double Tables::max_load() const
{
  double most = std::numeric_limits<double>::infinity();
  for (Table const& table : tables_) {
    most = std::min(most, table.engine->family().guarantees(table.engine->table()).max_load);
  }
  return most;
}

bool Tables::has_static() const
{
  return std::ranges::any_of(tables_, [](Table const& table) {
    return table.engine->family().guarantees(table.engine->table()).is_static;
  });
}

std::size_t Tables::fullest() const
{
  return static_cast<std::size_t>(std::ranges::max_element(tables_, {}, &Table::live) - tables_.begin());
}

std::uint64_t Tables::max_live() const
{
  return live(fullest());
}

std::uint64_t Tables::batch_limit() const
{
  auto const limit = [](Table const& table) { return table.engine->batch_limit(); };
  return limit(*std::ranges::min_element(tables_, {}, limit));
}

std::uint64_t Tables::inserts_at_once(std::uint64_t wanted)
{
  for (Table const& table : tables_) { wanted = table.engine->inserts_at_once(wanted); }
  return wanted;
}

bool Tables::is_clogged_by_tombstones(bool in_batch)
{
  return std::ranges::any_of(tables_, [in_batch](Table& table) {
    bool const may_be =
        in_batch || slotscape::is_clogged_by_tombstones(table.live, table.room - table.used, table.room);
    if (!table.engine->family().deletes_two_ways || !may_be) { return false; }
    Statistics const counts = table.engine->counts();
    if (!in_batch) { table.used = table.room - counts.empty(); }
    return slotscape::is_clogged_by_tombstones(counts.live, counts.empty(), counts.slots);
  });
}

void Tables::watch_batches(BatchWatch const& watch)
{
  for (Table const& table : tables_) { table.engine->watch_batches(watch); }
}

void Tables::set_keys(KeySettings const& keys, std::uint64_t seed, std::uint64_t drawn)
{
  KeySettings const stream = in_order_of_seed(keys, seed);
  for (Table const& table : tables_) {
    table.engine->set_keys(stream, seed, engine(0).table());
    table.engine->skip_keys(drawn);
  }
}

std::vector<BatchRequest> Tables::drawn_together(BatchRequest const& request) const
{
  return count() == 1 ? std::vector{request} : kinds_of(request);
}

std::vector<TableRun> Tables::run(BatchRequest const& request)
{
  std::vector<TableRun> runs;
  begin_batch(request);
  while (in_batch()) { std::ranges::move(run_some(next().count), std::back_inserter(runs)); }
  return runs;
}

void Tables::begin_batch(BatchRequest const& request)
{
  std::ranges::copy(drawn_together(request), std::back_inserter(kinds_));
  done_.clear();
}

BatchRequest Tables::next() const
{
  BatchRequest left = kinds_.front();
  left.count -= ran_;
  return left;
}

std::vector<TableRun> Tables::run_some(std::uint64_t operations)
{
  if (!std::exchange(has_begun_, true)) {
    for (Table const& table : tables_) { table.engine->begin_batch(kinds_.front()); }
  }
  BatchRequest part = next();
  std::uint64_t const all = std::min(operations, part.count);
  bool const rebuilds = part.insert > 0.0 && has_static();  // inserts then run as a whole
  std::uint64_t const turns = count() == 1 || rebuilds ? 1 : turns_of(all);
  std::vector<TableRun> runs;
  bool ran_any = false;
  for (std::uint64_t i = 0; i < turns; ++i) {
    part.count = all * (i + 1) / turns - all * i / turns;
    for (std::size_t turn = 0; turn < count(); ++turn) {
      std::size_t const table = (first_ + turn) % count();
      BatchReport const report = engine(table).run_part(part.count);
      note(tables_[table], report.outcomes);
      ran_any = ran_any || report.count != 0;
      runs.push_back({table, part, report, load_factor(table)});
    }
  }
  ran_ += all;
  if (!ran_any || ran_ == kinds_.front().count) { end_kind(); }
  return runs;
}

void Tables::end_kind()
{
  for (Table const& table : tables_) { table.engine->end_batch(); }
  done_.push_back(kinds_.front());
  kinds_.pop_front();
  has_begun_ = false;
  ran_ = 0;
}

std::optional<std::vector<BatchRequest>> Tables::end_batch()
{
  bool const is_whole = ran_ == 0 || is_of_one_kind(kinds_.front());
  if (ran_ != 0) {
    kinds_.front().count = ran_;
    end_kind();
  } else if (has_begun_) {
    for (Table const& table : tables_) { table.engine->end_batch(); }
    has_begun_ = false;
  }
  kinds_.clear();
  return is_whole ? std::optional(std::exchange(done_, {})) : std::nullopt;
}

bool Tables::can_run_in_order() const
{
  return std::ranges::all_of(tables_, [](Table const& table) {
    return table.engine->backend() == Backend::cpu && table.engine->table().slots <= max_in_order;
  });
}

void Tables::run_in_order(bool on)
{
  for (Table const& table : tables_) { table.engine->run_in_order(on); }
}

bool Tables::depends_on_parts(BatchRequest const& request) const
{
  bool const changes = request.insert > 0.0 || request.erase > 0.0;
  return changes && std::ranges::any_of(tables_, [](Table const& table) {
           TableSettings const& settings = table.engine->table();
           return table.engine->family().guarantees(settings).concurrency != Concurrency::mixed;
         });
}

std::vector<Tally> Tables::run(Operation operation, std::span<Pair const> pairs, bool in_turn)
{
  std::vector<Operation> const operations(pairs.size(), operation);
  std::vector<Key> keys(pairs.size());
  std::ranges::transform(pairs, keys.begin(), &Pair::key);
  std::vector<Tally> all;
  for (Table& table : tables_) {
    TableSettings const& settings = table.engine->table();
    bool const rebuilds = operation == Operation::insert && table.engine->family().guarantees(settings).is_static;
    std::size_t const at_once = in_turn && !rebuilds ? 1 : pairs.size();
    std::vector<Value> values = in_turn && rebuilds ? values_that_stay(pairs, settings.combine) : values_of(pairs);
    Tally outcomes;
    table.seconds = 0.0;
    timed(table.seconds, [&] {
      for (std::size_t first = 0; first < pairs.size(); first += at_once) {
        outcomes += table.engine->mixed(std::span(operations).subspan(first, at_once),
                                        std::span<Key const>(keys).subspan(first, at_once),
                                        std::span(values).subspan(first, at_once));
      }
    });
    note(table, outcomes);
    all.push_back(outcomes);
  }
  return all;
}

Tables::Image Tables::save()
{
  Image image;
  for (Table const& table : tables_) {
    image.tables.push_back({table.engine->save(), table.live, table.used, table.refused});
  }
  return image;
}

void Tables::restore(Image const& image)
{
  for (std::size_t i = 0; i < count(); ++i) {
    Image::OfTable const& from = image.tables[i];
    engine(i).restore(*from.image);
    tables_[i].live = from.live;
    measure_room(tables_[i]);
    tables_[i].used = from.used;
    tables_[i].refused = from.refused;
  }
}

void Tables::note(Table& table, Tally const& outcomes)
{
  table.live += outcomes[Outcome::inserted];
  table.live -= outcomes[Outcome::erased];
  table.used = std::min(table.used + outcomes[Outcome::inserted], table.room);
  table.refused += outcomes[Outcome::full];
}

void Tables::clear()
{
  for (Table& table : tables_) {
    table.seconds = 0.0;
    timed(table.seconds, [&] { table.engine->clear(); });
    table.live = table.used = table.refused = 0;
  }
}

bool Tables::has_initial_slots() const
{
  return std::ranges::all_of(tables_,
                             [](Table const& table) { return table.engine->table().slots == table.initial_slots; });
}

void Tables::restore_slots()
{
  for (Table& table : tables_) {
    if (table.engine->table().slots == table.initial_slots) { continue; }
    table.engine->rehash(table.initial_slots);
    measure_room(table);
  }
}

void Tables::rehash_begin(std::uint64_t slots)
{
  std::uint64_t const before = engine(0).table().slots;
  try {
    for (std::size_t i = 0; i < count(); ++i) {
      TableSettings const& settings = engine(i).table();
      std::uint64_t const changed = i == 0 ? slots : slots_in_proportion(settings, before, slots);
      std::uint64_t const given = slots == 0 ? settings.slots : changed;
      tables_[i].seconds = 0.0;
      timed(tables_[i].seconds, [&] { engine(i).rehash_begin(given); });
      tables_[i].rehashing = true;
    }
  } catch (...) {
    cancel_all();
    throw;
  }
}

bool Tables::rehash_step()
{
  bool done = true;
  for (Table& table : tables_) {
    if (table.rehashing) {
      table.rehashing = !timed(table.seconds, [&] { return table.engine->rehash_step(); });
      if (!table.rehashing) { measure_room(table); }
    }
    done = done && !table.rehashing;
  }
  return done;
}

double Tables::rehash_progress() const
{
  double sum = 0.0;
  for (Table const& table : tables_) { sum += table.rehashing ? table.engine->rehash_progress() : 1.0; }
  return sum / static_cast<double>(count());
}

bool Tables::rehash_cancel()
{
  bool const one_is_done = std::ranges::any_of(tables_, [](Table const& table) { return !table.rehashing; });
  if (one_is_done) {
    while (!rehash_step()) {}
  }
  cancel_all();
  return one_is_done;
}

void Tables::cancel_all()
{
  for (Table& table : tables_) {
    if (table.rehashing) { table.engine->rehash_cancel(); }
    table.rehashing = false;
  }
}

bool is_of_one_kind(BatchRequest const& request)
{
  return kinds_of(request).size() <= 1;
}

bool is_clogged_by_tombstones(std::uint64_t live, std::uint64_t empty, std::uint64_t slots)
{
  constexpr std::uint64_t tenths = 10;
  bool const has_tombstones = live + empty < slots;
  return has_tombstones && tenths * empty <= slots && 2 * empty <= slots - live;
}

std::uint64_t slots_in_proportion(TableSettings const& table, std::uint64_t before, std::uint64_t after)
{
  double const factor = static_cast<double>(after) / static_cast<double>(before);
  auto const scaled = static_cast<std::uint64_t>(std::llround(static_cast<double>(table.slots) * factor));
  return scaled == table.slots ? scaled : allowed_slots(table, scaled);
}

std::uint64_t allowed_slots(TableSettings const& table, std::uint64_t wanted)
{
  bool const any = slot_counts_of(family_info(table.family), table) == SlotCounts::any;
  return nearest_slots(any ? SlotCounts::any : SlotCounts::power_of_two, wanted, table.shards).front();
}

}  // namespace slotscape
