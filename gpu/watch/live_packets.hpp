#pragma once

#include "gpu/base/error.hpp"
#include "gpu/library/watch.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

/// The viewer's side of the protocol in gpu/library/watch.hpp. Data from a program is not trusted.
namespace slotscape::watch::live {

struct Packet {
  std::vector<std::uint8_t> bytes;
  std::vector<watch_link::Descriptor> descriptors;
};

struct NamedArray {
  std::string name;
  watch_link::ArrayRecord record;
};

/// Say::table, checked: lengths, sizes, distinct names, and all descriptors present.
struct TableMessage {
  watch_link::Header header;
  bool snapshots = false;
  double copies_per_second = 0.0;
  std::string name;
  std::string description;
  std::string text;
  std::vector<NamedArray> arrays;
};

/// Returns nullopt if the packet is invalid.
std::optional<watch_link::Header> parse_header(std::span<std::uint8_t const> bytes);
std::optional<TableMessage> parse_table(Packet const& packet);
/// arrays: those of the table.
std::optional<watch_link::CopiesRecord> parse_copies(Packet const& packet, std::vector<NamedArray> const& arrays);
/// The text after the header, safe to display: UTF-8 without control characters, at most `max_text` bytes.
std::string parse_text(Packet const& packet);

/// A program has left its socket behind.
struct NobodyListens : Error {
  using Error::Error;
};

/// A connection to a program of the same user.
class Link {
public:
  /// Throws NobodyListens, or Error if it cannot connect within this time or the program belongs to another user.
  explicit Link(std::string const& path, int milliseconds = 0);

  enum class Received { packet, nothing, end };
  /// Receives a packet if one has arrived; never waits.
  Received receive(Packet& packet);
  /// Waits until there may be something to receive.
  void wait(int milliseconds) const;
  /// Returns false if the program does not receive the request.
  bool ask(watch_link::Ask kind, std::uint64_t generation, std::uint64_t value = 0);

  int pid() const { return pid_; }
  int number() const { return socket_.number(); }

private:
  watch_link::Descriptor socket_;
  pid_t pid_ = 0;
};

}  // namespace slotscape::watch::live
