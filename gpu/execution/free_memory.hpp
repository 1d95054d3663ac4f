#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

namespace slotscape::exec {

namespace host_limits {

inline constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// The number at the start of a file, or in its line that starts with `field`; `missing` if there is none.
inline std::uint64_t number_in(std::string const& file, std::string const& field, std::uint64_t missing)
{
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, field.size(), field) != 0) { continue; }
    std::size_t const start = line.find_first_not_of(" \t:", field.size());
    if (start == std::string::npos || line[start] < '0' || line[start] > '9') { return missing; }
    return std::stoull(line.substr(start, std::numeric_limits<std::uint64_t>::digits10));
  }
  return missing;
}

/// Memory left under a control group's limit; the system frees the group's file cache when memory is short.
inline std::uint64_t left_in_group(std::string const& limit, std::string const& usage, std::string const& statistics,
                                   std::string const& files)
{
  std::uint64_t const most = number_in(limit, "", unlimited);
  std::uint64_t const used = number_in(usage, "", 0);
  std::uint64_t const held = used - std::min(used, number_in(statistics, files, 0));
  return most - std::min(most, held);
}

}  // namespace host_limits

/// Bytes of host memory that are still available: limited by what the system has, and by the limit of this process's
/// control group, if it has one (Linux, both versions).
inline std::uint64_t free_host_memory()
{
  using namespace host_limits;
  auto const pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  std::uint64_t const all = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::uint64_t const kibibytes = number_in("/proc/meminfo", "MemAvailable", all / 2 >> 10);
  std::string const unified = "/sys/fs/cgroup/memory.";
  std::string const earlier = "/sys/fs/cgroup/memory/memory.";
  return std::min(
      {kibibytes << 10, left_in_group(unified + "max", unified + "current", unified + "stat", "inactive_file"),
       left_in_group(earlier + "limit_in_bytes", earlier + "usage_in_bytes", earlier + "stat", "total_inactive_file")});
}

}  // namespace slotscape::exec
