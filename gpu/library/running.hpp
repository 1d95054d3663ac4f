#pragma once

#include "gpu/engine/running_table.hpp"

namespace slotscape::library {

/// What a running table implements here: nobody looks into it.
template <exec::Executor Exec, PairFormat Format>
class RunsBatches {
public:
  static constexpr bool counts_moves = false;

  virtual ~RunsBatches() = default;
  virtual FamilyInfo const& info() const = 0;
  virtual TableSettings const& settings() const = 0;
  virtual std::uint64_t memory_bytes() const = 0;
  virtual typename Format::Word const* words() const = 0;
  virtual void clear() = 0;
  virtual Tally run(Batch<Format> const& batch, double& seconds) = 0;
  virtual void copy_from(RunsBatches const& other) = 0;
};

/// The class that runs a family's batches, with what `BasicTable` needs of it in public.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class Running final : public RunningTable<Family, Exec, Format, RunsBatches<Exec, Format>> {
  using Base = RunningTable<Family, Exec, Format, RunsBatches<Exec, Format>>;

public:
  using Base::Base;
  using Base::combine_with;
  using Base::view;

  /// Calls f<Lanes>() for the lanes of a tile of this table; of 1 where the family uses none.
  template <class F>
  void with_lanes(F const& f) const
  {
    if constexpr (UsesTiles<Family>) {
      Base::with_lanes(f);
    } else {
      f.template operator()<1>();
    }
  }
};

}  // namespace slotscape::library
