// Rivals that are in every build.

#include "gpu/bench/rivals/make_rivals.hpp"
#include "gpu/bench/rivals/rival_table.hpp"

#include <tbb/concurrent_hash_map.h>

#include <unordered_map>

namespace slotscape::bench {
namespace {

template <PairFormat Format>
class StandardMap {
public:
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  static constexpr bool has_nodes = true;

  explicit StandardMap(RivalRequest const& request)
      : map_(request.slots, FamilyHash<Key>(request.hash), {}, Allocator(request.memory))
  {
  }
  bool insert(Key key, Value value) { return map_.insert_or_assign(key, value).second; }
  bool find(Key key, Value& value) const
  {
    auto const place = map_.find(key);
    if (place == map_.end()) { return false; }
    value = place->second;
    return true;
  }
  bool erase(Key key) { return map_.erase(key) != 0; }
  std::uint64_t size() const { return map_.size(); }

private:
  using Allocator = RivalAllocator<std::pair<Key const, Value>>;
  std::unordered_map<Key, Value, FamilyHash<Key>, std::equal_to<Key>, Allocator> map_;
};

template <PairFormat Format>
class TbbMap {
public:
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  static constexpr bool has_nodes = true;

  explicit TbbMap(RivalRequest const& request)
      : map_(request.slots, HashCompare{FamilyHash<Key>(request.hash)}, Allocator(request.memory))
  {
  }
  bool insert(Key key, Value value)
  {
    if (map_.insert({key, value})) { return true; }
    typename Map::accessor place;
    bool const is_new = map_.insert(place, key);
    place->second = value;
    return is_new;
  }
  bool find(Key key, Value& value) const
  {
    typename Map::const_accessor place;
    if (!map_.find(place, key)) { return false; }
    value = place->second;
    return true;
  }
  bool erase(Key key) { return map_.erase(key); }
  std::uint64_t size() const { return map_.size(); }

private:
  struct HashCompare {
    FamilyHash<Key> of;
    std::size_t hash(Key key) const { return of(key); }
    bool equal(Key a, Key b) const { return a == b; }
  };
  using Allocator = RivalAllocator<std::pair<Key const, Value>>;
  using Map = tbb::concurrent_hash_map<Key, Value, HashCompare, Allocator>;
  Map map_;
};

}  // namespace

std::unique_ptr<TableBench> make_standard_bench(Rival const& rival, TableCase const& subject)
{
  return bench_of_rival<StandardMap>(rival, subject);
}

std::unique_ptr<TableBench> make_tbb_bench(Rival const& rival, TableCase const& subject)
{
  return bench_of_rival<TbbMap>(rival, subject);
}

}  // namespace slotscape::bench
