#pragma once

#include "gpu/engine/inspection.hpp"
#include "gpu/multivalue/engine.hpp"
#include "gpu/multivalue/multi_value_table.hpp"

#include <numeric>

namespace slotscape::multivalue {

/// The engine over tables of one width, for any family.
template <exec::Executor Exec, PairFormat Format>
class EngineOf final : public Engine {
  using StoredKey = typename Format::Key;
  using StoredValue = typename Format::Value;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  explicit EngineOf(Settings const& settings)
      : settings_(settings),
        table_(make_table<Exec, Format>(exec_, settings)),
        inspection_(exec_, table_->keys()),
        analyser_(exec_, 1)
  {
  }

  Backend backend() const override { return Exec::backend; }
  std::string device_name() const override { return exec_.name(); }
  Settings const& settings() const override { return settings_; }

  Statistics build(std::span<Key const> keys, std::span<Value const> values) override
  {
    if (keys.size() != values.size()) { throw std::invalid_argument("keys and values must be equally many"); }
    Buffer<StoredKey> const stored_keys = stored(keys);
    Buffer<StoredValue> const stored_values = stored_as_values(values);
    looks_at_table_ = false;
    report_ = {};  // in case the build fails
    report_ = table_->build(stored_keys.data(), stored_values.data(), keys.size());
    return statistics();
  }

  std::vector<Range> ranges(std::span<Key const> keys) override
  {
    Buffer<Range> const found = find(keys);
    return downloaded<Range>(found.data(), keys.size());
  }

  Retrieved retrieve(std::span<Key const> keys) override
  {
    Buffer<Range> const found = find(keys);
    std::vector<Range> const ranges = downloaded<Range>(found.data(), keys.size());
    Retrieved result;
    result.offsets.resize(keys.size() + 1);
    for (std::size_t i = 0; i < keys.size(); ++i) { result.offsets[i + 1] = result.offsets[i] + ranges[i].count; }
    std::uint64_t const total = result.offsets.back();
    if (total > max_retrieved) {
      throw Error("These keys have " + std::to_string(total) + " values together, and at most " +
                  std::to_string(max_retrieved) + " can be retrieved at once: ask for fewer keys.");
    }
    std::vector<std::uint32_t> const starts(result.offsets.begin(), result.offsets.end());
    Buffer<std::uint32_t> places(exec_, starts.size());
    Buffer<StoredValue> values(exec_, total);
    exec_.upload(places.data(), std::span<std::uint32_t const>(starts));
    table_->copy_values(found.data(), places.data(), keys.size(), total, values.data());
    std::vector<StoredValue> const copied = downloaded<StoredValue>(values.data(), total);
    result.values.assign(copied.begin(), copied.end());
    return result;
  }

  std::vector<KeyRange> groups() override
  {
    GroupsView<Format> const view = table_->groups();
    std::vector<StoredKey> const keys = downloaded<StoredKey>(view.keys, view.distinct);
    std::vector<std::uint32_t> const offsets =
        downloaded<std::uint32_t>(view.offsets, std::uint64_t{view.distinct} + 1);
    std::vector<KeyRange> groups(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) { groups[i] = {keys[i], {offsets[i], offsets[i + 1] - offsets[i]}}; }
    return groups;
  }

  std::vector<Pair> pairs() override
  {
    std::vector<StoredValue> const values = downloaded<StoredValue>(table_->groups().values, table_->pairs());
    std::vector<Pair> pairs;
    pairs.reserve(values.size());
    for (KeyRange const& group : groups()) {
      for (std::uint32_t i = 0; i < group.range.count; ++i) {
        pairs.push_back({group.key, values[group.range.first + i]});
      }
    }
    return pairs;
  }

  Statistics statistics() override
  {
    Statistics found;
    found.pairs = report_.pairs;
    found.distinct = report_.distinct;
    found.refused = report_.refused;
    found.multiplicity = analyser_.distribution_of([&](auto const& bins) { table_->count_values(bins); });
    found.slots = table_->slots();
    found.bytes = table_->memory_bytes();
    found.working_bytes = table_->working_bytes();
    found.stage_seconds = report_.stage_seconds;
    return found;
  }

  InspectedTable& keys() override
  {
    if (!looks_at_table_) { inspection_.look_at(table_->keys()); }
    looks_at_table_ = true;
    return inspection_;
  }

private:
  static constexpr std::uint64_t max_retrieved = 0xffffffffu;

  template <class T>
  std::vector<T> downloaded(T const* from, std::uint64_t count)
  {
    std::vector<T> to(count);
    exec_.download(std::span(to), from);
    return to;
  }

  Buffer<StoredKey> stored(std::span<Key const> keys)
  {
    Buffer<StoredKey> to(exec_, keys.size());
    if constexpr (std::same_as<StoredKey, Key>) {
      exec_.upload(to.data(), keys);
    } else {
      std::vector<StoredKey> narrow(keys.size());
      std::ranges::transform(keys, narrow.begin(), Format::narrow);
      exec_.upload(to.data(), std::span<StoredKey const>(narrow));
    }
    return to;
  }
  Buffer<StoredValue> stored_as_values(std::span<Value const> values)
  {
    Buffer<StoredValue> to(exec_, values.size());
    if constexpr (std::same_as<StoredValue, Value>) {
      exec_.upload(to.data(), values);
    } else {
      for (Value const value : values) {
        if (value > StoredValue(~StoredValue{0})) {
          throw Error("Value " + std::to_string(value) + " has more than " + std::to_string(Format::bits) +
                      " bits: choose keys and values of 64 bits.");
        }
      }
      std::vector<StoredValue> const narrow(values.begin(), values.end());
      exec_.upload(to.data(), std::span<StoredValue const>(narrow));
    }
    return to;
  }

  Buffer<Range> find(std::span<Key const> keys)
  {
    Buffer<StoredKey> const wanted = stored(keys);
    Buffer<Range> found(exec_, keys.size());
    table_->retrieve(wanted.data(), keys.size(), found.data());
    return found;
  }

  Exec exec_;
  Settings settings_;
  std::unique_ptr<MultiValueTable<Exec, Format>> table_;
  Inspection<Exec, Format> inspection_;
  Analyser<Exec> analyser_;  ///< for its distributions
  BuildReport report_;
  bool looks_at_table_ = true;
};

/// The settings must be valid.
template <exec::Executor Exec>
std::unique_ptr<Engine> make_engine_of(Settings const& settings)
{
  if (settings.key_bits == 64) { return std::make_unique<EngineOf<Exec, Wide>>(settings); }
  return std::make_unique<EngineOf<Exec, Narrow>>(settings);
}

}  // namespace slotscape::multivalue
