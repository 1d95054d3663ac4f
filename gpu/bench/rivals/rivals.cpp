#include "gpu/bench/rivals.hpp"

#include "gpu/base/error.hpp"
#include "gpu/bench/rivals/make_rivals.hpp"
#include "gpu/engine/engine.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace slotscape::bench {
namespace {

using Make = std::unique_ptr<TableBench> (*)(Rival const&, TableCase const&);

constexpr std::array all{
    Rival{"std::unordered_map", "libstdc++-dev", true, true},
    Rival{"absl::flat_hash_map", "libabsl-dev", true, SLOTSCAPE_HAS_ABSEIL},
    Rival{"tbb::concurrent_hash_map", "libtbb-dev", false, true},
    Rival{"libcuckoo::cuckoohash_map", "libcuckoo-dev", false, SLOTSCAPE_HAS_LIBCUCKOO, true},
    Rival{"boost::concurrent_flat_map", "libboost-dev 1.83 or newer", false, SLOTSCAPE_HAS_BOOST},
};
constexpr std::array<Make, all.size()> makers{make_standard_bench, make_abseil_bench, make_tbb_bench,
                                              make_libcuckoo_bench, make_boost_bench};

Guarantees any_load(TableSettings const&)
{
  return {.erase_frees_slot = true};
}

/// A rival's description in the form of a family's, for the bench.
FamilyInfo info_of(Rival const& rival)
{
  FamilyInfo info{};
  info.name = info.title = rival.name;
  info.guarantees = any_load;
  info.wide = true;
  return info;
}

}  // namespace

std::span<Rival const> rivals()
{
  return all;
}

Rival const* rival_of(std::string_view name)
{
  auto const found = std::ranges::find(all, name, &Rival::name);
  return found == all.end() ? nullptr : &*found;
}

FamilyInfo const& subject_info(std::string const& name)
{
  static std::vector<FamilyInfo> const infos = [] {
    std::vector<FamilyInfo> made(all.size());
    std::ranges::transform(all, made.begin(), info_of);
    return made;
  }();
  Rival const* const rival = rival_of(name);
  return rival == nullptr ? family_info(name) : infos[static_cast<std::size_t>(rival - all.data())];
}

std::unique_ptr<TableBench> make_rival_bench(Rival const& rival, TableCase const& subject)
{
  if (!rival.built_in) {
    throw Error(std::string(rival.name) + " is not part of this program: install " + std::string(rival.package) +
                " and build it again.");
  }
  return makers[static_cast<std::size_t>(&rival - all.data())](rival, subject);
}

}  // namespace slotscape::bench
