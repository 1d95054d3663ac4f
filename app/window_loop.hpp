#pragma once

#include "app/command_line.hpp"

namespace slotscape {

/// Opens the window and runs until it is closed: empty-handed, or with the scenario of `options`.
void run_window(Options const& options);

}  // namespace slotscape
