// Replaces gpu/bench/rivals in web pages and on Windows.

#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/bench/join_bench.hpp"
#include "gpu/bench/neighbour_rivals.hpp"
#include "gpu/bench/rivals.hpp"
#include "gpu/bench/rivals/make_rivals.hpp"
#include "gpu/engine/engine.hpp"

namespace slotscape::bench {
namespace {

[[noreturn]] void refuse_rival()
{
  throw Error(tr("This version has no tables of other libraries: use the Linux version."));
}

}  // namespace

std::span<Rival const> row_rivals()
{
  return {};
}
std::span<Rival const> rivals()
{
  return {};
}
Rival const* rival_of(std::string_view /*name*/)
{
  return nullptr;
}
FamilyInfo const& subject_info(std::string const& name)
{
  return family_info(name);
}
std::unique_ptr<TableBench> make_rival_bench(Rival const& /*rival*/, TableCase const& /*wanted*/)
{
  refuse_rival();
}
std::unique_ptr<JoinBench> make_rival_join_bench(JoinCase const& /*wanted*/)
{
  refuse_rival();
}
std::unique_ptr<GroupBench> make_rival_group_bench(GroupCase const& /*wanted*/)
{
  refuse_rival();
}
std::string why_no_nanoflann()
{
  return tr("This version has no tables of other libraries: use the Linux version.");
}
RivalNeighbours neighbours_by_nanoflann(std::span<neighbours::Point const> /*points*/, float /*radius*/)
{
  refuse_rival();
}

}  // namespace slotscape::bench
