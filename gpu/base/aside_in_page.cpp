#include "gpu/base/aside.hpp"

#include <emscripten.h>

#include <cstddef>
#include <cstdlib>
#include <vector>

// app/page/aside.js
extern "C" {
int slotscape_can_give_way();
void slotscape_start_aside(void* aside, void* top_of_stack);
void slotscape_give_way(int is_aside);
}

namespace slotscape::aside {
namespace {

constexpr std::size_t stack_bytes = std::size_t{1} << 20;
constexpr double slice_ms = 8.0;

/// Memory for the stacks of compiled code, one for each piece of work.
class Stacks {
public:
  char* take()
  {
    if (free_.empty()) { return static_cast<char*>(std::aligned_alloc(16, stack_bytes)); }
    char* const stack = free_.back();
    free_.pop_back();
    return stack;
  }
  void give_back(char* stack) { free_.push_back(stack); }

private:
  std::vector<char*> free_;
};
Stacks stacks;

struct Aside {
  std::function<void()> work;
  char* stack;
  double went_on = 0.0;  ///< time of the last resumption, in milliseconds
};
Aside* running = nullptr;  ///< null while a frame runs

/// Lets others run, then resumes.
void pause()
{
  Aside* const self = running;
  running = nullptr;
  slotscape_give_way(self != nullptr);
  running = self;
  if (self != nullptr) { self->went_on = emscripten_get_now(); }
}

}  // namespace

bool can_give_way()
{
  return slotscape_can_give_way() != 0;
}

void run(std::function<void()> work)
{
  if (!can_give_way()) { return work(); }
  auto* const aside = new Aside{std::move(work), stacks.take()};
  Aside* const outer = running;
  slotscape_start_aside(aside, aside->stack + stack_bytes);
  running = outer;
}

void give_way_if_due()
{
  if (running != nullptr && emscripten_get_now() - running->went_on >= slice_ms) { pause(); }
}

void wait_a_moment()
{
  pause();
}

}  // namespace slotscape::aside

/// Called by `slotscape_start_aside`, on the stack of the work.
extern "C" EMSCRIPTEN_KEEPALIVE void slotscape_run_aside(void* of)
{
  using namespace slotscape::aside;
  auto* const aside = static_cast<Aside*>(of);
  running = aside;
  aside->went_on = emscripten_get_now();
  aside->work();
  running = nullptr;
  stacks.give_back(aside->stack);
  delete aside;
}
