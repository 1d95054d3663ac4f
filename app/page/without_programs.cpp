// Stubs for features that web pages lack: other programs, processes, signals.

#include "app/base/interrupt.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/watch/live.hpp"

#include <sched.h>

#include <cstddef>

namespace slotscape {

Interrupt::Interrupt() = default;
Interrupt::~Interrupt() = default;
bool Interrupt::asked()
{
  return false;
}
bool is_interrupted()
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
  throw Error(tr("A page cannot see running programs: use the desktop program."));
}

}  // namespace slotscape

/// Always fails: a web page has one processor, whose affinity it cannot query.
extern "C" int sched_getaffinity(pid_t /*process*/, std::size_t /*bytes*/, cpu_set_t* /*set*/)
{
  return -1;
}
extern "C" int sched_setaffinity(pid_t /*process*/, std::size_t /*bytes*/, cpu_set_t const* /*set*/)
{
  return -1;
}
