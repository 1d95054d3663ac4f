#include "app/scene/scene.hpp"

#include "gpu/base/device_lost.hpp"
#include "gpu/base/translation.hpp"

namespace slotscape {

bool Scene::finish(StepsToFinish const& steps, std::function<void()> const& frame)
{
  auto const max_wait = std::exchange(max_wait_seconds_, steps.max_wait);
  bool cancelled = false;
  do {
    if (frame) {
      frame();
    } else {
      advance(0.0);
    }
    ProgressSnapshot const now = steps.progress();
    watched_.begin(now.what);
    cancelled = !watched_.report(now.share);
  } while (!cancelled && !steps.done());
  if (cancelled) { steps.cancel(); }
  max_wait_seconds_ = max_wait;
  return !cancelled;
}

std::string notice_of_failure(std::exception_ptr const& error, std::string_view doing, bool had_before)
{
  try {
    std::rethrow_exception(error);
  } catch (Cancelled const&) {
    return had_before ? tr("Cancelled; the previous state is shown again.") : tr("Cancelled.");
  } catch (DeviceLost const&) {
    throw;
  } catch (Error const& failure) {
    if (!had_before) { throw; }
    throw Error(tr("Could not {}; the previous state is shown again.\n{}", doing, failure.what()));
  }
}

}  // namespace slotscape
