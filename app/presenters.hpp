#pragma once

#include "gpu/interop/presenter.hpp"

#include <memory>
#include <vector>

namespace slotscape {

/// Presenters of one kind, one for each picture of a frame. The first is there from the start, the others as they are
/// first asked for.
class Presenters {
public:
  /// Throws Error where the way to present cannot be.
  Presenters(Backend backend, PresentChoice choice) : backend_(backend), choice_(choice) { (*this)[0]; }

  Presenter& operator[](std::size_t picture)
  {
    while (presenters_.size() <= picture) { presenters_.push_back(make_presenter(backend_, choice_)); }
    return *presenters_[picture];
  }

private:
  Backend backend_;
  PresentChoice choice_;
  std::vector<std::unique_ptr<Presenter>> presenters_;
};

}  // namespace slotscape
