// A cache of embeddings: the vectors of the items that were used last lie in a few rows of fast memory, and a table
// leads from an item to its row. When rows run out, those that were not used for longest are given to others.

#include <slotscape/table.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <vector>

namespace {

namespace families = slotscape::families;
using Item = std::int64_t;
using Row = std::uint32_t;
using Vector = std::array<float, 8>;

/// Where all embeddings are, far away: here they are made up.
Vector embedding_of(Item item)
{
  Vector vector;
  for (std::size_t i = 0; i < vector.size(); ++i) {
    vector[i] = static_cast<float>(item) + 0.125f * static_cast<float>(i);
  }
  return vector;
}

class Cache {
  using Rows = slotscape::CpuTable<families::swiss, Item, Row>;
  using Items = slotscape::CpuSet<families::swiss, Item>;
  static constexpr Row nowhere = 0xfffffffe;

public:
  explicit Cache(Row capacity) : rows_({.slots = Rows::slots_for(capacity)}), vectors_(capacity), last_use_(capacity, 0)
  {
    for (Row row = capacity; row != 0; --row) { free_.push_back(row - 1); }
  }

  /// The vectors of these items, of which no more may differ than there are rows.
  std::vector<Vector> look_up(std::vector<Item> const& items)
  {
    ++now_;
    std::vector<Row> rows = find(items);
    std::vector<Item> const missing = different(items, rows);
    if (!missing.empty()) {
      make_room(missing.size());
      load(missing);
      rows = find(items);
    }
    std::vector<Vector> result;
    for (Row const row : rows) { result.push_back(vectors_[row]); }
    return result;
  }

  std::uint64_t loads() const { return loads_; }
  std::uint64_t evictions() const { return evictions_; }
  std::uint64_t size() { return rows_.size(); }

private:
  /// The row of each item, or `nowhere`. Those that are there have been used now.
  std::vector<Row> find(std::vector<Item> const& items)
  {
    std::vector<Row> rows(items.size(), nowhere);
    rows_.find(items.data(), rows.data(), items.size());
    for (Row const row : rows) {
      if (row != nowhere) { last_use_[row] = now_; }
    }
    return rows;
  }
  /// The items without a row, each once.
  static std::vector<Item> different(std::vector<Item> const& items, std::vector<Row> const& rows)
  {
    std::vector<Item> missing;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (rows[i] == nowhere) { missing.push_back(items[i]); }
    }
    Items once({.slots = Items::slots_for(missing.size())});
    once.insert(missing.data(), missing.size()).or_throw();
    missing.resize(once.size());
    once.export_keys(missing.data(), missing.size());
    return missing;
  }
  /// Evicts the items that were not used for longest, at least an eighth of all, so that this happens seldom.
  void make_room(std::size_t wanted)
  {
    if (free_.size() >= wanted) { return; }
    std::size_t const evicted = std::max(wanted - free_.size(), vectors_.size() / 8);
    if (evicted > rows_.size()) { throw std::runtime_error("more items are wanted at once than there are rows"); }
    std::vector<std::uint64_t> ages = last_use_;
    for (Row const row : free_) { ages[row] = now_; }
    std::nth_element(ages.begin(), ages.begin() + static_cast<std::ptrdiff_t>(evicted - 1), ages.end());
    std::uint64_t const last = ages[evicted - 1];
    if (last == now_) { throw std::runtime_error("more items are wanted at once than there are rows"); }
    std::vector<char> is_free(vectors_.size(), 0);
    evictions_ += rows_.erase_if([&](Item, Row row) { return last_use_[row] <= last; });
    for (Row const row : free_) { is_free[row] = 1; }
    for (Row row = 0; row < vectors_.size(); ++row) {
      if (last_use_[row] <= last && is_free[row] == 0) { free_.push_back(row); }
    }
  }
  void load(std::vector<Item> const& items)
  {
    std::vector<Row> const rows(free_.end() - static_cast<std::ptrdiff_t>(items.size()), free_.end());
    free_.resize(free_.size() - items.size());
    for (std::size_t i = 0; i < items.size(); ++i) { vectors_[rows[i]] = embedding_of(items[i]); }
    rows_.insert(items.data(), rows.data(), items.size(), {.distinct = true}).or_throw();
    loads_ += items.size();
  }

  Rows rows_;
  std::vector<Vector> vectors_;
  std::vector<std::uint64_t> last_use_;  ///< of each row
  std::vector<Row> free_;
  std::uint64_t now_ = 0;
  std::uint64_t loads_ = 0;
  std::uint64_t evictions_ = 0;
};

/// The items of a step: a few that come again and again, and others that come once.
std::vector<Item> items_of_step(std::int64_t step)
{
  std::vector<Item> items;
  for (Item i = 0; i < 200; ++i) { items.push_back(i % 4 == 0 ? 1'000'000 + 50 * step + i / 4 : i * i % 100); }
  return items;
}

}  // namespace

int main()
{
  try {
    Cache cache(256);
    for (std::int64_t step = 0; step < 100; ++step) {
      std::vector<Item> const items = items_of_step(step);
      std::vector<Vector> const vectors = cache.look_up(items);
      for (std::size_t i = 0; i < items.size(); ++i) {
        if (vectors[i] != embedding_of(items[i])) { throw std::runtime_error("a vector is another item's"); }
      }
    }
    std::printf("%llu vectors were loaded, and %llu evicted\n", static_cast<unsigned long long>(cache.loads()),
                static_cast<unsigned long long>(cache.evictions()));
    // What comes again was loaded once: it was never among those that were not used for longest.
    std::uint64_t const once = 100 * 50, again = cache.loads() - once;
    return again < 100 && cache.size() <= 256 && cache.loads() - cache.evictions() == cache.size() ? 0 : 1;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
