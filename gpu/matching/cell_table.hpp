#pragma once

#include "gpu/analysis/analyser.hpp"
#include "gpu/base/work.hpp"
#include "gpu/engine/inspection.hpp"
#include "gpu/matching/basis_set.hpp"
#include "gpu/multivalue/multi_value_table.hpp"

#include <optional>

namespace slotscape::matching {

/// The bases of the reference and, for each cell of (u, v), the bases under which a feature lies there. Both are
/// rebuilt only if their inputs have changed.
template <exec::Executor Exec>
class CellTable {
  using Table = multivalue::MultiValueTable<Exec, Narrow>;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit CellTable(Exec& exec) : exec_(&exec), bases_(exec), max_values_(exec, 1) {}
  CellTable(CellTable const&) = delete;
  CellTable& operator=(CellTable const&) = delete;

  /// Whether bases and table must be rebuilt. `version` is that of the reference's points.
  bool is_stale(MatchSettings const& settings, std::uint64_t version) const
  {
    return !made_of_ || !(*made_of_ == Ingredients::of(settings, version));
  }
  void choose_bases(PictureEdges<Exec> const& reference, MatchSettings const& settings, std::uint64_t seed)
  {
    made_of_.reset();
    wait();
    bases_.choose(reference, settings, settings.bases, seed);
  }
  /// Returns false if cancelled.
  bool build(PictureEdges<Exec> const& reference, MatchSettings const& settings, std::uint64_t version,
             Progress const& progress)
  {
    std::uint64_t const count = std::uint64_t{bases_.count()} * reference.features();
    exec::grow(*exec_, keys_, count);
    exec::grow(*exec_, values_, count);
    basis_passes::WriteItems const items{reference.points(),   bases_.bases(), bases_.frames(),
                                         reference.features(), keys_.data(),   values_.data()};
    if (!exec::for_each_in_parts(*exec_, count, items, progress)) { return false; }
    make_table(settings.method);
    looked_at_ = false;
    if (!group(count, progress)) { return false; }
    count_most_values();
    made_of_ = Ingredients::of(settings, version);
    return true;
  }

  BasisSet<Exec> const& bases() const { return bases_; }
  std::uint64_t items() const { return items_; }
  std::uint32_t max_values() const { return most_of_a_key_; }
  Table* table() const { return table_.get(); }
  bool is_sorted() const { return method_ == Method::sorting; }

  /// Null before the first build.
  InspectedTable* inspected()
  {
    wait();
    if (!table_) { return nullptr; }
    if (!inspection_) {
      inspection_ = std::make_unique<Inspection<Exec, Narrow>>(*exec_, table_->keys());
    } else if (!looked_at_) {
      inspection_->look_at(table_->keys());
    }
    looked_at_ = true;
    return inspection_.get();
  }

  /// The distribution of the number of values per key.
  Distribution multiplicity()
  {
    wait();
    if (!table_) { return {}; }
    if (!analyser_) { analyser_.emplace(*exec_, 1); }
    return analyser_->distribution_of([&](auto const& bins) { table_->count_values(bins); });
  }

  multivalue::Range run_at(std::uint32_t key)
  {
    wait();
    if (!table_) { return {}; }
    Buffer<std::uint32_t> wanted(*exec_, 1);
    Buffer<multivalue::Range> found(*exec_, 1);
    exec_->fill(wanted.data(), 1, key);
    table_->retrieve(wanted.data(), 1, found.data());
    multivalue::Range run{};
    exec_->download(std::span(&run, 1), static_cast<multivalue::Range const*>(found.data()));
    return run;
  }

  std::vector<std::uint32_t> bases_at(std::uint32_t key)
  {
    multivalue::Range const run = run_at(key);
    std::vector<std::uint32_t> bases(run.count);
    if (run.count != 0) { exec_->download(std::span(bases), table_->groups().values + run.first); }
    return bases;
  }

private:
  /// Everything that bases and table depend on.
  struct Ingredients {
    std::uint64_t version;
    Method method;
    std::uint32_t bases;
    double shortest;
    double longest;
    double quantum;
    std::uint64_t seed;

    static Ingredients of(MatchSettings const& settings, std::uint64_t version)
    {
      return {version,          settings.method, settings.bases, settings.shortest_basis, settings.longest_basis,
              settings.quantum, settings.seed};
    }
    friend bool operator==(Ingredients const&, Ingredients const&) = default;
  };

  void make_table(Method method)
  {
    if (table_ && method_ == method) { return; }
    using multivalue::Construction;
    inspection_.reset();
    table_.reset();
    table_ = multivalue::make_table<Exec, Narrow>(*exec_, {.construction = method == Method::hashing
                                                                               ? Construction::count_scan_scatter
                                                                               : Construction::sort});
    method_ = method;
  }

  /// On a CPU, builds on a separate thread: the build cannot be interrupted, but nobody has to wait for it.
  bool group(std::uint64_t count, Progress const& progress)
  {
    if (Exec::backend != Backend::cpu || count < from_items) {
      items_ = pairs_of(count);
      return true;
    }
    building_.start(count);
    while (!building_.wait(max_wait_seconds)) {
      if (progress.cancelled()) { return false; }
    }
    auto const built = building_.take();
    if (built->error) { std::rethrow_exception(built->error); }
    items_ = *built->result;
    return true;
  }
  std::uint64_t pairs_of(std::uint64_t count) { return table_->build(keys_.data(), values_.data(), count).pairs; }
  /// Waits for a cancelled build, however it ends.
  void wait() { building_.stop(); }

  void count_most_values()
  {
    using basis_passes::FindMostValues;
    std::uint64_t const keys = table_->distinct();
    std::uint64_t found = gradient_passes::none_found;
    exec_->fill(max_values_.data(), 1, found);
    exec_->template for_each_tile<32>((keys + FindMostValues::per_item - 1) / FindMostValues::per_item,
                                      FindMostValues{table_->groups().offsets, keys, max_values_.data()});
    exec_->download(std::span(&found, 1), static_cast<std::uint64_t const*>(max_values_.data()));
    most_of_a_key_ = static_cast<std::uint32_t>(~found);
  }

  static constexpr std::uint64_t from_items = 1u << 18;
  static constexpr double max_wait_seconds = 0.02;

  Exec* exec_;
  BasisSet<Exec> bases_;
  std::optional<Ingredients> made_of_;
  Method method_ = Method::hashing;
  std::unique_ptr<Table> table_;
  std::unique_ptr<Inspection<Exec, Narrow>> inspection_;
  bool looked_at_ = false;
  std::optional<Analyser<Exec>> analyser_;  ///< for its distributions
  std::uint64_t items_ = 0;
  std::uint32_t most_of_a_key_ = 0;
  Buffer<std::uint32_t> keys_;
  Buffer<std::uint32_t> values_;
  Buffer<std::uint64_t> max_values_;
  Work<std::uint64_t, std::uint64_t> building_{
      [this](std::uint64_t count, Progress const&) { return pairs_of(count); }};
};

}  // namespace slotscape::matching
