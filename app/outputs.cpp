#include "app/outputs.hpp"

namespace slotscape {

void check_outputs(Options const& options)
{
  if (!options.screenshot.empty()) { check_writable(options.screenshot); }
  if (!options.stats.empty()) { check_writable(options.stats); }
  if (!options.csv.empty()) { check_writable_folder(options.csv); }
}

}  // namespace slotscape
