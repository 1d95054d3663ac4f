#pragma once

#include "gpu/joins/engine.hpp"
#include "gpu/joins/group_by.hpp"
#include "gpu/joins/hash_join.hpp"

#include <algorithm>
#include <concepts>

namespace slotscape::joins {

/// The engine for keys of one width.
template <exec::Executor Exec, PairFormat Format>
class EngineOf final : public Engine {
  using StoredKey = typename Format::Key;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit EngineOf(Settings const& settings) : settings_(settings), join_(exec_, settings), groups_(exec_, settings) {}

  Backend backend() const override { return Exec::backend; }
  std::string device_name() const override { return exec_.name(); }
  Settings const& settings() const override { return settings_; }

  Joined join(JoinKind kind, std::span<Key const> build, std::span<Key const> probe) override
  {
    check_rows("build side", build.size());
    check_rows("probe side", probe.size());
    Buffer<StoredKey> const build_keys = stored(build);
    Buffer<StoredKey> const probe_keys = stored(probe);
    join_.build(build_keys.data(), build.size());
    JoinedView const found = join_.probe(kind, probe_keys.data(), probe.size());
    Joined joined;
    if (gives_pairs(kind)) { joined.build_rows = downloaded(found.build_rows, found.count); }
    joined.probe_rows = downloaded(found.probe_rows, found.count);
    return joined;
  }

  Groups group(std::span<Key const> keys, std::span<std::uint64_t const> values) override
  {
    if (keys.size() != values.size()) { throw std::invalid_argument("keys and values must be equally many"); }
    check_rows("column", keys.size());
    Buffer<StoredKey> const stored_keys = stored(keys);
    Buffer<std::uint64_t> stored_values(exec_, values.size());
    exec_.upload(stored_values.data(), values);
    GroupsView<StoredKey> const found = groups_.group(stored_keys.data(), stored_values.data(), keys.size());
    std::vector<StoredKey> const found_keys = downloaded(found.keys, found.count);
    return {{found_keys.begin(), found_keys.end()},
            downloaded(found.counts, found.count),
            downloaded(found.sums, found.count)};
  }

  std::uint64_t memory_bytes() const override { return join_.memory_bytes() + groups_.memory_bytes(); }

private:
  template <class T>
  std::vector<T> downloaded(T const* from, std::uint64_t count)
  {
    std::vector<T> to(count);
    if (count != 0) { exec_.download(std::span(to), from); }
    return to;
  }

  Buffer<StoredKey> stored(std::span<Key const> keys)
  {
    Buffer<StoredKey> to(exec_, keys.size());
    if constexpr (std::same_as<StoredKey, Key>) {
      exec_.upload(to.data(), keys);
    } else {
      std::vector<StoredKey> narrow(keys.size());
      std::ranges::transform(keys, narrow.begin(), [](Key key) {
        if (key > StoredKey(~StoredKey{0})) {
          throw Error("Key " + std::to_string(key) + " has more than " + std::to_string(Format::bits) +
                      " bits: choose keys of 64 bits.");
        }
        return static_cast<StoredKey>(key);
      });
      exec_.upload(to.data(), std::span<StoredKey const>(narrow));
    }
    return to;
  }

  Exec exec_;
  Settings settings_;
  HashJoin<Exec, Format> join_;
  GroupBy<Exec, Format> groups_;
};

/// The settings must be valid.
template <exec::Executor Exec>
std::unique_ptr<Engine> make_engine_of(Settings const& settings)
{
  if (settings.key_bits == 64) { return std::make_unique<EngineOf<Exec, Wide>>(settings); }
  return std::make_unique<EngineOf<Exec, Narrow>>(settings);
}

}  // namespace slotscape::joins
