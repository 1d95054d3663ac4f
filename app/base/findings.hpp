#pragma once

#include <string>
#include <vector>

namespace slotscape {

/// Observations of a reader or an engine about the user's data that are not errors: points left out, an origin moved,
/// keys merged, a model scaled. One sentence each, with the file's name where there may be several files. Findings
/// travel with the result; `Scene::findings` shows them on the screen, on stderr and in the statistics, wherever the
/// data came from.
using Findings = std::vector<std::string>;

/// Writes a finding to stderr, for commands without a window and for logs.
void print_finding(std::string const& finding);

/// Adds `more` to `findings`, without duplicates.
void add_findings(Findings& findings, Findings const& more);

}  // namespace slotscape
