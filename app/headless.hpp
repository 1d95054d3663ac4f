#pragma once

#include "app/command_line.hpp"

namespace slotscape {

/// Runs the scenario of `options` offscreen, with the same interface drawn, and writes what was asked for.
void run_headless(Options const& options);

}  // namespace slotscape
