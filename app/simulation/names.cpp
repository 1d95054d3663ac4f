#include "app/simulation/names.hpp"

namespace slotscape {

namespace {

constexpr EnumName<Deletion> deletions[]{
    {Deletion::empty_value, "empty_value", "value becomes empty"},
    {Deletion::tombstone_reuse, "tombstone_reuse", "tombstones reused"},
    {Deletion::shift, "shift", "keys move back"},
};

constexpr EnumName<Combine> combinations[]{
    {Combine::replace, "replace", "replace the value"},
    {Combine::keep_first, "keep_first", "keep the first value"},
    {Combine::add, "add", "add the values"},
    {Combine::min, "min", "keep the smaller value"},
    {Combine::max, "max", "keep the larger value"},
};

constexpr EnumName<HashKind> hashes[]{
    {HashKind::murmur3, "murmur3", "Murmur3 finaliser"},
    {HashKind::xxhash, "xxhash", "xxHash-like"},
    {HashKind::fibonacci, "fibonacci", "Fibonacci multiply-shift"},
    {HashKind::identity, "identity", "identity (key mod slots)"},
    {HashKind::formula, "formula", "a formula of your own"},
};

constexpr EnumName<KeyDistribution> distributions[]{
    {KeyDistribution::uniform, "uniform", "uniform random"},
    {KeyDistribution::sequential, "sequential", "sequential"},
    {KeyDistribution::strided, "strided", "strided"},
    {KeyDistribution::zipf, "zipf", "Zipf"},
    {KeyDistribution::clustered, "clustered", "clustered (hot ranges)"},
    {KeyDistribution::one_home, "one_home", "one home (adversarial)"},
    {KeyDistribution::file, "file", "from a file"},
};

constexpr EnumName<KeysStart> starts_of_keys[]{
    {KeysStart::spread, "spread", "spread over the devices"},
    {KeysStart::one_device, "one_device", "on the first device"},
};

constexpr EnumName<ShardDevices> devices_of_shards[]{
    {ShardDevices::one, "one", "all on one"},
    {ShardDevices::each, "each", "one each"},
};

constexpr EnumName<TableMemory> memories[]{
    {TableMemory::device, "device", "the GPU's"},
    {TableMemory::host, "host", "the host's"},
};

constexpr EnumName<KeyChoice> key_choices[]{
    {KeyChoice::hits, "hits", "hits"},
    {KeyChoice::misses, "misses", "misses"},
    {KeyChoice::mixed, "mixed", "hits and misses"},
    {KeyChoice::stream, "stream", "new keys"},
};

constexpr EnumName<Operation> operations[]{
    {Operation::insert, "insert", "insert"},
    {Operation::find, "find", "find"},
    {Operation::erase, "erase", "erase"},
};

constexpr EnumName<SlotState> slot_states[]{
    {SlotState::empty, "empty", "empty"},
    {SlotState::live, "live", "live"},
    {SlotState::tombstone, "tombstone", "tombstone"},
    {SlotState::link, "link", "link"},
};

constexpr EnumName<Layout> layouts[]{
    {Layout::rows, "rows", "rows"},
    {Layout::hilbert, "hilbert", "Hilbert curve"},
};

constexpr EnumName<ColorBy> colorings[]{
    {ColorBy::state, "state", "state"},
    {ColorBy::probe_length, "probe_length", "probe length"},
    {ColorBy::cluster_length, "cluster_length", "cluster length"},
    {ColorBy::recent, "recent", "recent change"},
    {ColorBy::chain_length, "chain_length", "chain length"},
};

constexpr EnumName<Reduce> reduced_cells[]{
    {Reduce::mean, "mean", "mean"},
    {Reduce::max, "max", "maximum"},
};

constexpr EnumName<Backend> backends[]{
    {Backend::cpu, "cpu", "CPU"},
    {Backend::cuda, "cuda", "CUDA"},
};

constexpr EnumName<BackendChoice> backend_choices[]{
    {BackendChoice::automatic, "auto", "automatic"},
    {BackendChoice::cuda, "cuda", "CUDA"},
    {BackendChoice::cpu, "cpu", "CPU"},
};

constexpr EnumName<PresentPath> present_paths[]{
    {PresentPath::interop, "interop", "CUDA-OpenGL interop"},
    {PresentPath::staging, "staging", "staging through pinned memory"},
    {PresentPath::host, "host", "from host memory"},
};

constexpr EnumName<PresentChoice> present_choices[]{
    {PresentChoice::automatic, "auto", "automatic"},
    {PresentChoice::interop, "interop", "CUDA-OpenGL interop"},
    {PresentChoice::staging, "staging", "staging through pinned memory"},
};

}  // namespace

template <>
std::span<EnumName<Deletion> const> enum_names()
{
  return deletions;
}
template <>
std::span<EnumName<Combine> const> enum_names()
{
  return combinations;
}
template <>
std::span<EnumName<HashKind> const> enum_names()
{
  return hashes;
}
template <>
std::span<EnumName<KeyDistribution> const> enum_names()
{
  return distributions;
}
template <>
std::span<EnumName<TableMemory> const> enum_names()
{
  return memories;
}
template <>
std::span<EnumName<ShardDevices> const> enum_names()
{
  return devices_of_shards;
}
template <>
std::span<EnumName<KeysStart> const> enum_names()
{
  return starts_of_keys;
}
template <>
std::span<EnumName<KeyChoice> const> enum_names()
{
  return key_choices;
}
template <>
std::span<EnumName<Operation> const> enum_names()
{
  return operations;
}
template <>
std::span<EnumName<SlotState> const> enum_names()
{
  return slot_states;
}
template <>
std::span<EnumName<Layout> const> enum_names()
{
  return layouts;
}
template <>
std::span<EnumName<ColorBy> const> enum_names()
{
  return colorings;
}
template <>
std::span<EnumName<Reduce> const> enum_names()
{
  return reduced_cells;
}
template <>
std::span<EnumName<Backend> const> enum_names()
{
  return backends;
}
template <>
std::span<EnumName<BackendChoice> const> enum_names()
{
  return backend_choices;
}
template <>
std::span<EnumName<PresentPath> const> enum_names()
{
  return present_paths;
}
template <>
std::span<EnumName<PresentChoice> const> enum_names()
{
  return present_choices;
}

}  // namespace slotscape
