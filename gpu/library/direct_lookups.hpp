#pragma once

#include "gpu/base/pair_format.hpp"
#include "gpu/base/types.hpp"
#include "gpu/execution/executor.hpp"
#include "gpu/tables/shards.hpp"

#include <concepts>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace slotscape::library {

/// A communicator whose ranks may be able to read each other's memory. meet(mine, look) calls look(rank, its data) for
/// each rank, in order, and no rank returns before all have looked.
template <class C, class Exec>
concept MayReachOthers = requires(C& communicator, Exec const& exec, void const* mine,
                                  void (*look)(std::uint32_t, void const*))
{
  {
    communicator.reaches_others(exec)
    } -> std::same_as<bool>;
  communicator.meet(mine, look);
};

/// Looks up key i in the shard that holds it, wherever that is.
template <class View>
struct FindWhereItIs {
  using Format = typename View::Format;

  ShardOf which;
  View const* shards;
  typename Format::Key const* keys;
  typename Format::Value* values;
  Outcome* outcomes;  ///< or null

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    auto const key = keys[i];
    Outcome outcome = Outcome::rejected;
    values[i] = Format::empty_value;
    if (!Format::is_reserved(key)) {
      auto const found = shards[which.segment(key)].find(key);
      values[i] = found.value;
      outcome = found ? Outcome::found : Outcome::missing;
    }
    if (outcomes != nullptr) { outcomes[i] = outcome; }
    return outcome;
  }
};

/// The views of all shards, if the executor's device can read them.
template <exec::Executor Exec, class View>
class ReachedShards {
public:
  ReachedShards(Exec& exec, std::vector<View> shards) : shards_(std::move(shards))
  {
    if constexpr (Exec::backend != Backend::cpu) {
      static_assert(std::is_trivially_copyable_v<View>);
      on_device_ = typename Exec::template Buffer<View>(exec, shards_.size());
      exec.upload(on_device_.data(), std::span<View const>(shards_));
    }
  }
  View const* data() const { return Exec::backend == Backend::cpu ? shards_.data() : on_device_.data(); }

private:
  std::vector<View> shards_;
  typename Exec::template Buffer<View> on_device_;
};

}  // namespace slotscape::library
