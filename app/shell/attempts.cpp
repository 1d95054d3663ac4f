#include "app/shell/attempts.hpp"

#include "gpu/base/device_lost.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <exception>
#include <utility>

namespace slotscape {

void Attempts::make(std::function<void()> const& work, bool refuses)
{
  if (errors_go_out_) { return work(); }
  try {
    work();
  } catch (DeviceLost const& lost) {
    lost_device_ = lost.what();
  } catch (Error const& error) {
    refuses ? toasts_.refusal(error.what()) : toasts_.error(error.what());
    edits_ = edits_ && !refuses;
  } catch (std::exception const& error) {
    toasts_.error(
        tr("{}\nYou can keep working. If it happens again, save what you need and restart the program.", error.what()));
  }
}

void Attempts::make_chosen()
{
  if (!chosen_.empty()) { toasts_.dismiss_refusals(); }
  for (auto const& work : std::exchange(chosen_, {})) { make(work, true); }
}

}  // namespace slotscape
