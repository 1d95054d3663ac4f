#pragma once

#include "app/spatial_options.hpp"
#include "gpu/exec/backend.hpp"
#include "gpu/interop/presenter.hpp"

#include <filesystem>
#include <optional>

namespace slotscape {

enum class Command : std::uint8_t { window, run, spatial, devices };

struct Options {
  Command command = Command::window;
  BackendChoice backend = BackendChoice::automatic;
  PresentChoice present = PresentChoice::automatic;
  std::optional<std::uint64_t> seed;
  int width = 1600;
  int height = 1000;
  bool size_given = false;
  std::filesystem::path config;    ///< empty: the XDG place
  std::filesystem::path scenario;  ///< of run
  SpatialOptions spatial;          ///< of spatial
  // of both
  bool headless = false;
  int frames = 0;  ///< headless: frames to draw, once a scenario's steps are done (at least 1); 0: the default
  std::filesystem::path screenshot;
  std::filesystem::path stats;
  std::filesystem::path csv;
  std::filesystem::path record;
};

/// Parses the command line. Prints help and gives nothing where that was asked for; throws Error on bad input.
std::optional<Options> parse_command_line(int argc, char const* const* argv);

}  // namespace slotscape
