#pragma once

#include "app/command_line.hpp"
#include "app/files/report.hpp"

namespace slotscape {

/// Throws Error now, rather than at the end, where something that is to be written cannot be.
void check_outputs(Options const& options);

class App;
/// Of the spatial scene, what was asked for.
void save_models(App& app, Options const& options);

}  // namespace slotscape
