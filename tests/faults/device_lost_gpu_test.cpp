// A kernel has ruined the device: in processes of their own, because it does nothing more for this one.

#include <gtest/gtest.h>

#if SLOTSCAPE_HAS_CUDA

#include "tests/app/support/program.hpp"
#include "tests/faults/device_faults.hpp"

#include <cstdio>
#include <cstdlib>

namespace slotscape {
namespace {

constexpr std::uint64_t lost_keys = 3000;

/// Runs the window on the GPU, ruins that, and goes on: exits with 0 if the CPU has so many keys then.
[[noreturn]] void run_on_ruined_device(TableSetup set_up, std::uint64_t expected)
{
  set_up.steps = {BatchRequest::inserts(lost_keys)};
  Options options;
  options.backend = BackendChoice::cuda;
  App app(gl::open_offscreen({640, 400}), options, {}, test::slots_scenario(set_up));
  app.current_scene().finish_steps({});
  app.frame(0.02);
  faults::ruin_device();
  test::scene_of<SlotsScene>(app).state().act(BatchRequest::finds(100, KeyChoice::hits));
  for (int frame = 0; frame < 20; ++frame) { app.frame(0.02); }
  app.current_scene().finish_steps({});
  auto& scene = test::scene_of<SlotsScene>(app);
  bool const on_cpu = scene.simulation().engine().backend() == Backend::cpu;
  std::uint64_t const live = scene.simulation().live();
  std::fprintf(stderr, "on the CPU: %d, live: %llu, errors: %zu\n", on_cpu ? 1 : 0,
               static_cast<unsigned long long>(live), app.toasts().errors());
  std::exit(on_cpu && live == expected && app.toasts().errors() == 1 ? 0 : 1);
}

class RuinedDevice : public testing::Test {
protected:
  void SetUp() override
  {
    if (!why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

TEST_F(RuinedDevice, TheWindowGoesOnOnTheCpu)
{
  EXPECT_EXIT(run_on_ruined_device({}, lost_keys), testing::ExitedWithCode(0), "on the CPU: 1");
}

TEST_F(RuinedDevice, InTheMiddleOfAMix)
{
  TableSetup set_up;
  set_up.settings.drive = {.running = true, .full_speed = true, .insert = 0.0, .find = 1.0, .erase = 0.0};
  // Of keys that a mix has changed, the device alone knew.
  EXPECT_EXIT(run_on_ruined_device(set_up, 0), testing::ExitedWithCode(0), "on the CPU: 1");
}

}  // namespace
}  // namespace slotscape

#endif
