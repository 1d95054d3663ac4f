#pragma once

#include "gpu/base/error.hpp"
#include "gpu/engine/inspection.hpp"
#include "gpu/execution/dispatch.hpp"
#include "gpu/watch/check.hpp"
#include "gpu/watch/foreign_table.hpp"
#include "gpu/watch/watched_table.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace slotscape::watch {

template <exec::Executor Exec>
class WatchedTableOf final : public WatchedTable {
  using Inspected = Inspection<Exec, Wide>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  WatchedTableOf(std::string name, Description const& description, std::span<Array const> arrays)
      : name_(std::move(name))
  {
    look_at(description, arrays);
  }

  Description const& description() const override { return description_; }

  void look_at(Description const& description, std::span<Array const> arrays) override
  {
    validate(description, arrays);
    auto looked = std::make_unique<Looked>(exec_, name_, description, arrays);
    looked_ = std::move(looked);
    description_ = description;
    arrays_.assign(arrays.begin(), arrays.end());
    copies_.clear();
  }
  void changed() override
  {
    if (!is_frozen()) { looked_->inspection.table_changed(); }
  }

  void freeze() override
  {
    if (is_frozen()) { return; }
    std::uint64_t bytes = 0;
    for (Array const& array : arrays_) { bytes += array.bytes; }
    if (bytes > free_memory(Exec::backend)) {
      throw Error("There is no memory for a copy of the table, " + std::to_string(bytes >> 20) +
                  " MiB: it cannot be paused.");
    }
    std::vector<Buffer<std::byte>> copies;
    std::vector<Array> copied = arrays_;
    for (Array& array : copied) {
      copies.emplace_back(exec_, std::max<std::uint64_t>(array.bytes, 1));
      exec_.copy(copies.back().data(), array.data, array.bytes);
      array.data = copies.back().data();
    }
    exec_.wait();
    looked_ = std::make_unique<Looked>(exec_, name_, description_, copied);
    copies_ = std::move(copies);
  }
  bool is_frozen() const override { return !copies_.empty(); }

  Check check(bool searches) override
  {
    constexpr std::uint64_t wanted = 1000;
    ForeignTable<Exec>& table = looked_->table;
    Check check;
    std::vector<Slot> const sampled = table.sample(wanted);
    check.sampled = sampled.size();
    check.was_checked = description_.knows_paths();
    if (sampled.empty()) { return check; }
    if (check.was_checked) {
      TableView const view = table.view();
      check.found = table.found_by(std::span(&view, 1), sampled, max_slots_read).front();
    }
    bool const is_right = check.was_checked && 10 * check.found >= 9 * check.sampled;
    if (!is_right && searches) { check.better = search(check, sampled); }
    return check;
  }

  KeyFacts key_facts() override
  {
    constexpr std::uint64_t too_few = 256;
    constexpr std::uint64_t too_many = std::uint64_t{1} << 21;
    TableView const& view = looked_->table.view();
    if (!view.knows_paths()) { return {}; }
    std::vector<Pair> const live = pairs(too_many + 1);
    if (live.size() < too_few || live.size() > too_many) { return {}; }
    std::vector<std::uint32_t> counts(view.slots / view.align);
    for (Pair const& pair : live) { ++counts[view.home(0, pair.key) / view.align]; }
    return {spread_of(counts, description_.key.bits), costs_after_rehash(view, view.slots, live),
            costs_after_rehash(view, 2 * view.slots, live)};
  }

  std::vector<Pair> pairs(std::uint64_t most) override
  {
    constexpr std::uint64_t at_once = 1u << 18;
    std::vector<Pair> pairs;
    std::uint64_t const slots = looked_->table.view().all_slots();
    for (std::uint64_t first = 0; first < slots && pairs.size() < most; first += at_once) {
      std::vector<Slot> const live = looked_->table.live_slots(first, std::min(at_once, slots - first));
      for (SlotInfo const& info : looked_->table.read(live)) {
        bool const still = info.state == SlotState::live && info.has_key;
        if (still && pairs.size() < most) { pairs.push_back(info.pair); }
      }
    }
    return pairs;
  }

  // --- InspectedTable
  TableSettings const& table() const override { return looked_->inspection.table(); }
  FamilyInfo const& family() const override { return looked_->inspection.family(); }
  std::uint64_t memory_bytes() const override { return looked_->inspection.memory_bytes(); }
  Snapshot analyse(PictureRequest const& request, TexelTarget target) override
  {
    Snapshot snapshot = looked_->inspection.analyse(request, target);
    forget_what_is_unknown(snapshot.statistics);
    return snapshot;
  }
  Statistics statistics() override
  {
    Statistics statistics = looked_->inspection.statistics();
    forget_what_is_unknown(statistics);
    return statistics;
  }
  Statistics counts() override { return looked_->inspection.counts(); }
  SlotInfo slot(Slot slot) override { return looked_->inspection.slot(slot); }
  std::vector<SlotInfo> slots(std::span<Slot const> slots) override { return looked_->inspection.slots(slots); }
  Cluster cluster(Slot slot) override { return looked_->inspection.cluster(slot); }
  /// Any key may be in somebody else's table, also those that this program's tables reserve.
  ProbePath probe_path(Key key) override { return looked_->table.probe_path(key); }
  std::string check_invariants() override { return {}; }

private:
  static constexpr std::uint64_t max_slots_read = 1u << 13;  ///< by a lookup of a sampled key

  /// All that follows from a description and where the arrays are.
  struct Looked {
    Looked(Exec& exec, std::string const& name, Description const& description, std::span<Array const> arrays)
        : family(name, description),
          table(exec, family, TableView::of(description, arrays), bytes_of(arrays)),
          inspection(exec, table, absent_keys(description))
    {
      inspection.keep_marks();
    }
    typename Inspected::AbsentKeys absent_keys(Description const& description)
    {
      if (!description.knows_paths()) { return {}; }
      return {[this](std::uint64_t* keys, std::uint64_t count) { table.draw_absent(1, keys, count); }, {}};
    }

    ForeignFamily family;
    ForeignTable<Exec> table;
    Inspected inspection;
  };

  static std::uint64_t bytes_of(std::span<Array const> arrays)
  {
    std::uint64_t bytes = 0;
    for (Array const& array : arrays) { bytes += array.bytes; }
    return bytes;
  }

  /// Tries all alternatives with a few of the sampled keys, and those that find most of them with all.
  std::vector<Check::Better> search(Check const& check, std::span<Slot const> sampled)
  {
    constexpr std::size_t few = 128;
    constexpr std::uint64_t max_slots_tried = 256;
    std::vector<Description> tried = alternatives(description_);
    if (tried.empty()) { return {}; }
    auto const found_by = [&](std::span<Slot const> slots, std::uint64_t most) {
      std::vector<TableView> views;
      for (Description const& each : tried) { views.push_back(looked_->table.view().probed_as(each)); }
      return looked_->table.found_by(views, slots, most);
    };
    std::vector<std::uint64_t> const found = found_by(sampled.first(std::min(few, sampled.size())), max_slots_tried);
    std::vector<Description> promising;
    for (std::size_t i = 0; i < tried.size(); ++i) {
      if (3 * found[i] > std::min(few, sampled.size())) { promising.push_back(std::move(tried[i])); }
    }
    if (promising.empty()) { return {}; }
    tried = std::move(promising);
    return better_ones(check, tried, found_by(sampled, max_slots_read));
  }

  void forget_what_is_unknown(Statistics& statistics) const
  {
    if (description_.knows_homes()) { return; }
    statistics.probe_length = {};
    statistics.hit_accesses = {};
  }

  Exec exec_;
  std::string name_;
  Description description_;
  std::vector<Array> arrays_;
  std::vector<Buffer<std::byte>> copies_;
  std::unique_ptr<Looked> looked_;
};

/// Makes the table of a backend, which specialises it.
template <class Exec>
std::unique_ptr<WatchedTable> make_watched_table_on(std::string name, Description const& description,
                                                    std::span<Array const> arrays);
template <>
std::unique_ptr<WatchedTable> make_watched_table_on<exec::Cpu>(std::string name, Description const& description,
                                                               std::span<Array const> arrays);
template <>
std::unique_ptr<WatchedTable> make_watched_table_on<exec::Cuda>(std::string name, Description const& description,
                                                                std::span<Array const> arrays);

}  // namespace slotscape::watch
