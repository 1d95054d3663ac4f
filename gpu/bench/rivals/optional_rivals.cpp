// Rivals whose libraries are optional; third_party/rivals.cmake looks for them.

#include "gpu/bench/rivals/make_rivals.hpp"
#include "gpu/bench/rivals/rival_table.hpp"

#if SLOTSCAPE_HAS_ABSEIL
#include <absl/container/flat_hash_map.h>
#endif
#if SLOTSCAPE_HAS_LIBCUCKOO
#include <libcuckoo/cuckoohash_map.hh>
#endif
#if SLOTSCAPE_HAS_BOOST
#include <boost/unordered/concurrent_flat_map.hpp>
#endif

namespace slotscape::bench {
namespace {

#if SLOTSCAPE_HAS_ABSEIL
/// Uses its own hash, which mixes all bits.
template <PairFormat Format>
class AbseilMap {
public:
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  static constexpr bool has_nodes = false;

  explicit AbseilMap(RivalRequest const& request) : map_(Allocator(request.memory)) { map_.reserve(request.keys); }
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
  using Hash = typename absl::flat_hash_map<Key, Value>::hasher;
  absl::flat_hash_map<Key, Value, Hash, std::equal_to<Key>, Allocator> map_;
};
#endif

#if SLOTSCAPE_HAS_LIBCUCKOO
/// Li et al. 2014.
template <PairFormat Format>
class LibcuckooMap {
public:
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  static constexpr bool has_nodes = false;

  explicit LibcuckooMap(RivalRequest const& request)
      : map_(request.slots, FamilyHash<Key>(request.hash), {}, Allocator(request.memory))
  {
  }
  bool insert(Key key, Value value) { return map_.insert_or_assign(key, value); }
  bool find(Key key, Value& value) const { return map_.find(key, value); }
  bool erase(Key key) { return map_.erase(key); }
  std::uint64_t size() const { return map_.size(); }

private:
  using Allocator = RivalAllocator<std::pair<Key const, Value>>;
  libcuckoo::cuckoohash_map<Key, Value, FamilyHash<Key>, std::equal_to<Key>, Allocator> map_;
};
#endif

#if SLOTSCAPE_HAS_BOOST
/// Uses its own hash, and mixes its bits.
template <PairFormat Format>
class BoostMap {
public:
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  static constexpr bool has_nodes = false;

  explicit BoostMap(RivalRequest const& request) : map_(Allocator(request.memory)) { map_.reserve(request.keys); }
  bool insert(Key key, Value value) { return map_.insert_or_assign(key, value); }
  bool find(Key key, Value& value) const
  {
    return map_.cvisit(key, [&](auto const& pair) { value = pair.second; }) != 0;
  }
  bool erase(Key key) { return map_.erase(key) != 0; }
  std::uint64_t size() const { return map_.size(); }

private:
  using Allocator = RivalAllocator<std::pair<Key const, Value>>;
  boost::concurrent_flat_map<Key, Value, boost::hash<Key>, std::equal_to<Key>, Allocator> map_;
};
#endif

}  // namespace

// NOLINTBEGIN(misc-unused-parameters): where a library is missing
std::unique_ptr<TableBench> make_abseil_bench([[maybe_unused]] Rival const& rival,
                                              [[maybe_unused]] TableCase const& subject)
{
#if SLOTSCAPE_HAS_ABSEIL
  return bench_of_rival<AbseilMap>(rival, subject);
#else
  return nullptr;
#endif
}

std::unique_ptr<TableBench> make_libcuckoo_bench([[maybe_unused]] Rival const& rival,
                                                 [[maybe_unused]] TableCase const& subject)
{
#if SLOTSCAPE_HAS_LIBCUCKOO
  return bench_of_rival<LibcuckooMap>(rival, subject);
#else
  return nullptr;
#endif
}

std::unique_ptr<TableBench> make_boost_bench([[maybe_unused]] Rival const& rival,
                                             [[maybe_unused]] TableCase const& subject)
{
#if SLOTSCAPE_HAS_BOOST
  return bench_of_rival<BoostMap>(rival, subject);
#else
  return nullptr;
#endif
}
// NOLINTEND(misc-unused-parameters)

}  // namespace slotscape::bench
