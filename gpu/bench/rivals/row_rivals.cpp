// Hash tables from other libraries that join and group rows.

// GCC 12 mistakes the small nodes between the buckets of oneTBB's concurrent_unordered_map for large nodes.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Warray-bounds"
#endif

#include "gpu/bench/rivals/row_rivals.hpp"

#include "gpu/bench/rivals/make_rivals.hpp"
#include "gpu/bench/rivals/rival_table.hpp"

#include <tbb/concurrent_hash_map.h>
#include <tbb/concurrent_unordered_map.h>
#if SLOTSCAPE_HAS_ABSEIL
#include <absl/container/flat_hash_map.h>
#endif

#include <array>

namespace slotscape::bench {
namespace {

/// The families' hash, with equality, in the form that oneTBB requires.
template <class K>
struct RowHash {
  FamilyHash<K> of{HashKind::murmur3};
  std::size_t operator()(K key) const { return of(key); }
  std::size_t hash(K key) const { return of(key); }
  bool equal(K a, K b) const { return a == b; }
};

/// The common part of the rivals, around a map.
template <class K, class V, class Map>
class RowsIn {
public:
  using Key = K;
  using Value = V;

  template <class... Arguments>
  explicit RowsIn(Arguments const&... arguments) : map_(arguments...)
  {
  }
  V find(K key) const
  {
    auto const place = map_.find(key);
    return place == map_.end() ? V{} : place->second;
  }
  template <class F>
  void for_each(F const& f) const
  {
    for (auto const& [key, value] : map_) { f(key, value); }
  }
  std::uint64_t size() const { return map_.size(); }

protected:
  Map map_;
};

template <class K, class V>
using RowAllocator = RivalAllocator<std::pair<K const, V>>;

/// Values are locked while they change.
template <class K, class V>
class TbbRows : public RowsIn<K, V, tbb::concurrent_hash_map<K, V, RowHash<K>, RowAllocator<K, V>>> {
  using Map = tbb::concurrent_hash_map<K, V, RowHash<K>, RowAllocator<K, V>>;
  using Base = RowsIn<K, V, Map>;
  using Base::map_;

public:
  static constexpr bool is_parallel = true;
  static constexpr bool shares_values = false;
  static constexpr bool has_nodes = true;

  TbbRows(RivalMemory& memory, std::uint64_t keys) : Base(keys, RowHash<K>{}, RowAllocator<K, V>(memory)) {}
  template <class F>
  void update(K key, F const& f)
  {
    typename Map::accessor place;
    map_.insert(place, key);
    f(place->second);
  }
  V find(K key) const
  {
    typename Map::const_accessor place;
    return map_.find(place, key) ? place->second : V{};
  }
};

/// No locks: threads change values by atomic operations.
template <class K, class V>
class TbbSharedRows
    : public RowsIn<K, V, tbb::concurrent_unordered_map<K, V, RowHash<K>, std::equal_to<K>, RowAllocator<K, V>>> {
  using Base = RowsIn<K, V, tbb::concurrent_unordered_map<K, V, RowHash<K>, std::equal_to<K>, RowAllocator<K, V>>>;
  using Base::map_;

public:
  static constexpr bool is_parallel = true;
  static constexpr bool shares_values = true;
  static constexpr bool has_nodes = true;

  TbbSharedRows(RivalMemory& memory, std::uint64_t keys)
      : Base(keys, RowHash<K>{}, std::equal_to<K>{}, RowAllocator<K, V>(memory))
  {
  }
  template <class F>
  void update(K key, F const& f)
  {
    auto place = map_.find(key);
    if (place == map_.end()) { place = map_.emplace(key, V{}).first; }
    f(place->second);
  }
};

#if SLOTSCAPE_HAS_ABSEIL
template <class K, class V>
using AbseilMap =
    absl::flat_hash_map<K, V, typename absl::flat_hash_map<K, V>::hasher, std::equal_to<K>, RowAllocator<K, V>>;

/// Runs on one thread, with its own hash.
template <class K, class V>
class AbseilRows : public RowsIn<K, V, AbseilMap<K, V>> {
  using Base = RowsIn<K, V, AbseilMap<K, V>>;
  using Base::map_;

public:
  static constexpr bool is_parallel = false;
  static constexpr bool shares_values = false;
  static constexpr bool has_nodes = false;

  AbseilRows(RivalMemory& memory, std::uint64_t keys) : Base(RowAllocator<K, V>(memory)) { map_.reserve(keys); }
  template <class F>
  void update(K key, F const& f)
  {
    f(map_[key]);
  }
};
#endif

struct RowRivalMakers {
  std::unique_ptr<JoinBench> (*join)(JoinCase const&);
  std::unique_ptr<GroupBench> (*group)(GroupCase const&);
};
constexpr std::array all_row_rivals{
    Rival{"absl::flat_hash_map", "libabsl-dev", true, SLOTSCAPE_HAS_ABSEIL},
    Rival{"tbb::concurrent_hash_map", "libtbb-dev", false, true},
    Rival{"tbb::concurrent_unordered_map", "libtbb-dev", false, true},
};
constexpr std::array<RowRivalMakers, all_row_rivals.size()> row_makers{{
#if SLOTSCAPE_HAS_ABSEIL
    {join_bench_of_rival<AbseilRows>, group_bench_of_rival<AbseilRows>},
#else
    {nullptr, nullptr},
#endif
    {join_bench_of_rival<TbbRows>, group_bench_of_rival<TbbRows>},
    {join_bench_of_rival<TbbSharedRows>, group_bench_of_rival<TbbSharedRows>},
}};

RowRivalMakers const& makers_of(std::string const& name)
{
  auto const rival = std::ranges::find(all_row_rivals, name, &Rival::name);
  if (rival == all_row_rivals.end()) { throw Error(name + " is no table that joins or groups rows here."); }
  if (!rival->built_in) {
    throw Error(name + " is not part of this program: install " + std::string(rival->package) + " and build it again.");
  }
  return row_makers[static_cast<std::size_t>(rival - all_row_rivals.begin())];
}

}  // namespace

std::span<Rival const> row_rivals()
{
  return all_row_rivals;
}

std::unique_ptr<JoinBench> make_rival_join_bench(JoinCase const& subject)
{
  return makers_of(subject.rival).join(subject);
}

std::unique_ptr<GroupBench> make_rival_group_bench(GroupCase const& subject)
{
  return makers_of(subject.rival).group(subject);
}

}  // namespace slotscape::bench
