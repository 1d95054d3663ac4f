#include "app/base/findings.hpp"

#include "app/base/encoding.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include <unistd.h>

namespace slotscape {

void print_finding(std::string const& finding)
{
  if (isatty(STDERR_FILENO) == 1) { fmt::print(stderr, "\r\x1b[K"); }  // erases a progress line
  fmt::print(stderr, "slotscape: {}\n", tr("note: {}", printable(finding)));
  std::fflush(stderr);
}

void add_findings(Findings& findings, Findings const& more)
{
  for (std::string const& finding : more) {
    if (std::ranges::find(findings, finding) == findings.end()) { findings.push_back(finding); }
  }
}

}  // namespace slotscape
