#pragma once

#include <string>
#include <vector>

namespace slotscape {

/// What a reader or an engine noticed about the user's data, and is no error: points left out, an origin moved, keys
/// merged, a model scaled. One sentence each, with the file's name where there may be several. They travel with the
/// result; `Scene::findings` brings them to the screen, to stderr and into the statistics, whichever way the data came.
using Findings = std::vector<std::string>;

/// Writes a finding to stderr, for commands without a window and for logs.
void print_finding(std::string const& finding);

/// Adds `more` to `findings`, without those that are in it.
void add_findings(Findings& findings, Findings const& more);

}  // namespace slotscape
