// What a page has none of: other programs, processes, signals, libraries to compare with.

#include "app/base/interrupt.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/bench/join_bench.hpp"
#include "gpu/bench/neighbour_rivals.hpp"
#include "gpu/bench/rivals.hpp"
#include "gpu/bench/rivals/make_rivals.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/watch/live.hpp"

#include <sched.h>

#include <cstddef>

namespace slotscape {
namespace {

[[noreturn]] void refuse_rival()
{
  throw Error(tr("A page has no tables of other libraries: the program for computers does."));
}

}  // namespace

Interrupt::Interrupt() = default;
Interrupt::~Interrupt() = default;
bool Interrupt::asked()
{
  return false;
}
bool interrupt_asked()
{
  return false;
}
std::string_view interrupt_name()
{
  return "Ctrl-C";
}
int interrupted_status()
{
  return 130;
}

std::vector<watch::Announced> watch::announced()
{
  return {};
}
std::unique_ptr<watch::Source> watch::connect(Announced const& /*table*/, BackendChoice /*where*/)
{
  throw Error(tr("A page cannot see running programs: the program for computers does."));
}

namespace bench {

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
  return tr("A page has no tables of other libraries: the program for computers does.");
}
RivalNeighbours neighbours_by_nanoflann(std::span<neighbours::Point const> /*points*/, float /*radius*/)
{
  refuse_rival();
}

}  // namespace bench

}  // namespace slotscape

/// A page has one processor, of which it does not know.
extern "C" int sched_getaffinity(pid_t /*process*/, std::size_t /*bytes*/, cpu_set_t* /*set*/)
{
  return -1;
}
extern "C" int sched_setaffinity(pid_t /*process*/, std::size_t /*bytes*/, cpu_set_t const* /*set*/)
{
  return -1;
}
