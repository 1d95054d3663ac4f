#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/execution/backend.hpp"
#include "gpu/paged/keys.hpp"
#include "gpu/paged/make_engine.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace slotscape::paged {

/// Counts the live pairs in the cells of a page, 32 slots at a time.
template <class LiveWords>
struct CountLive {
  static constexpr std::uint64_t slots_at_once = 32;
  LiveWords live;
  std::uint64_t slots;
  std::uint64_t cell_slots;
  std::uint32_t* counts;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint64_t const end = (i + 1) * slots_at_once < slots ? (i + 1) * slots_at_once : slots;
    for (std::uint64_t slot = i * slots_at_once; slot < end;) {
      std::uint64_t const cell = slot / cell_slots;
      std::uint64_t const next = (cell + 1) * cell_slots < end ? (cell + 1) * cell_slots : end;
      std::uint32_t count = 0;
      for (; slot < next; ++slot) { count += live(slot) != decltype(live.table)::Format::empty_word ? 1 : 0; }
      if (count != 0) { exec::fetch_add(counts[cell], count); }
    }
  }
};

/// `Table`: `CpuPagedTable` or `CudaPagedTable`.
template <class Exec, class Table>
class PagedEngineOf final : public PagedEngine {
  using Key = typename Table::Key;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit PagedEngineOf(Making const& what)
      : seed_(what.settings.seed),
        seen_(what.seen),
        table_({.slots = what.settings.slots},
               {.pages = what.settings.pages, .queue_bytes = queue_bytes(), .making = what.making}),
        cell_slots_((table_.page_slots() + what.cells - 1) / what.cells)
  {
    if (!seen_) { return; }
    table_.on_visit([this](auto& exec, std::uint32_t page, auto const& live) { this->tell(exec, page, live); });
  }

  std::uint64_t slots() const override { return table_.slots(); }
  std::uint64_t page_slots() const override { return table_.page_slots(); }
  std::uint64_t memory_bytes() const override { return table_.memory_bytes(); }
  std::uint64_t size() const override { return table_.size(); }
  std::uint64_t cell_slots() const override { return cell_slots_; }
  std::uint32_t cells() const override
  {
    return static_cast<std::uint32_t>((table_.page_slots() + cell_slots_ - 1) / cell_slots_);
  }

  Tally insert(KeyNumbers const& keys, bool distinct) override
  {
    DistinctKeys<Key> const its = keys_of(keys);
    auto const done = table_.insert_or_assign(its, ValuesOf<Key>{its}, keys.count, {.distinct = distinct});
    Tally tally;
    tally[Outcome::inserted] = done.inserted;
    tally[Outcome::updated] = done.updated;
    tally[Outcome::full] = done.full;
    return tally;
  }
  Tally erase(KeyNumbers const& keys) override
  {
    Tally tally;
    tally[Outcome::erased] = table_.erase(keys_of(keys), keys.count);
    return tally;
  }
  Answers find(KeyNumbers const& keys, bool are_there) override
  {
    Buffer<Key> values(exec_, std::max<std::uint64_t>(keys.count, 1));
    exec_.wait();
    DistinctKeys<Key> const its = keys_of(keys);
    std::uint64_t const found = table_.find(its, values.data(), keys.count);
    Tally const right = exec_.tally(keys.count, IsRight<Key>{its, values.data(), are_there});
    return {keys.count, found, right[Outcome::found]};
  }
  void clear() override { table_.clear(); }
  PagingReport const& report() const override { return table_.report(); }

private:
  DistinctKeys<Key> keys_of(KeyNumbers const& keys) const { return {keys.first, keys.step, seed_}; }
  /// Leaves memory for the tables of other scenes.
  static std::uint64_t queue_bytes() { return std::max<std::uint64_t>(free_memory(Exec::backend) / 2, 1u << 20); }

  template <class LiveWords>
  void tell(Exec& exec, std::uint32_t page, LiveWords const& live)
  {
    if (counts_.size() == 0) { counts_ = Buffer<std::uint32_t>(exec, cells()); }
    exec.fill(counts_.data(), counts_.size(), std::uint32_t{0});
    CountLive<LiveWords> const count{live, table_.page_slots(), cell_slots_, counts_.data()};
    exec.for_each((count.slots + count.slots_at_once - 1) / count.slots_at_once, count);
    told_.page = page;
    told_.live.resize(cells());
    exec.download(std::span(told_.live), static_cast<std::uint32_t const*>(counts_.data()));
    seen_(told_);
  }

  std::uint64_t seed_;
  Seen seen_;
  Exec exec_;
  Table table_;
  std::uint64_t cell_slots_;
  Buffer<std::uint32_t> counts_;
  PageCells told_;
};

/// `TableOf<Family, Key>`.
template <class Exec, template <class, class> class TableOf>
std::unique_ptr<PagedEngine> make_engine_of(Making const& what)
{
  using Family = families::segmented_cuckoo;
  if (what.settings.key_bits == 32) {
    return std::make_unique<PagedEngineOf<Exec, TableOf<Family, std::uint32_t>>>(what);
  }
  return std::make_unique<PagedEngineOf<Exec, TableOf<Family, std::uint64_t>>>(what);
}

}  // namespace slotscape::paged
