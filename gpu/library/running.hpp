#pragma once

#include "gpu/engine/bare_table.hpp"
#include "gpu/engine/running_table.hpp"

namespace slotscape::library {

/// The class that runs a family's batches, with what `BasicTable` needs of it in public.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class Running final : public RunningTable<Family, Exec, Format, BareTable<Exec, Format>> {
  using Base = RunningTable<Family, Exec, Format, BareTable<Exec, Format>>;

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
