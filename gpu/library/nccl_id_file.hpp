#pragma once

#include "gpu/base/error.hpp"
#include "gpu/library/nccl.hpp"

#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

/// How ranks in separate processes find each other: through a small text file, which rank 0 writes.
namespace slotscape::nccl {

inline constexpr std::string_view id_file_begins = "slotscape-nccl";

/// Writes the file atomically, replacing an older one. Returns the identifier. Throws Error on failure.
inline UniqueId write_id(std::filesystem::path const& file, UniqueId const& id, std::uint32_t ranks)
{
  constexpr std::string_view digits = "0123456789abcdef";
  std::filesystem::path beside = file;
  beside += '.' + std::to_string(getpid());
  std::error_code failure;
  {
    std::ofstream out(beside);
    out << id_file_begins << ' ' << ranks << ' ';
    for (char const letter : id.internal) {
      auto const byte = static_cast<unsigned char>(letter);
      out << digits[byte / 16] << digits[byte % 16];
    }
    out << '\n' << std::flush;
    if (!out) { failure = std::make_error_code(std::errc::io_error); }
  }
  if (!failure) { std::filesystem::rename(beside, file, failure); }
  if (!failure) { return id; }
  std::error_code ignored;
  std::filesystem::remove(beside, ignored);
  throw Error("Could not write " + file.string() + ", by which the ranks are to find each other: " + failure.message() +
              ". Name a file in a folder that all ranks share.");
}

/// Parses the text of such a file. Throws Error if it is malformed, or is for another number of ranks.
inline UniqueId parse_id(std::string const& text, std::filesystem::path const& file, std::uint32_t ranks)
{
  std::istringstream in(text);
  std::string begins;
  std::string hex;
  std::uint32_t written_for = 0;
  UniqueId id{};
  in >> begins >> written_for >> hex;
  bool const is_one = begins == id_file_begins && hex.size() == 2 * sizeof(id.internal) &&
                      hex.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!is_one) {
    throw Error(file.string() + " is no file by which ranks find each other: delete it, or name another one.");
  }
  if (written_for != ranks) {
    throw Error(file.string() + " was written for " + std::to_string(written_for) + " ranks, not for " +
                std::to_string(ranks) +
                ": start all ranks with the same number. If it is left from another run, "
                "delete it.");
  }
  for (std::size_t i = 0; i < sizeof(id.internal); ++i) {
    id.internal[i] = static_cast<char>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
  }
  return id;
}

/// Waits for the file. Throws Error if it does not appear before the timeout.
inline UniqueId read_id(std::filesystem::path const& file, std::uint32_t ranks, std::chrono::duration<double> timeout)
{
  auto const start = std::chrono::steady_clock::now();
  while (true) {
    if (std::ifstream in(file); in) {
      std::ostringstream text;
      text << in.rdbuf();
      return parse_id(text.str(), file, ranks);
    }
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start) > timeout) {
      throw Error("Rank 0 has not written " + file.string() + " in time: start it, too, with the same file.");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace slotscape::nccl
