#include "gpu/watch/live_packets.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <set>

namespace slotscape::watch::live {

namespace {

using watch_link::Header;

/// Reads a packet from its start, never beyond its end.
class PacketReader {
public:
  explicit PacketReader(std::span<std::uint8_t const> rest) : rest_(rest) {}

  template <class T>
  bool read(T& value)
  {
    if (rest_.size() < sizeof(T)) { return false; }
    std::memcpy(&value, rest_.data(), sizeof(T));
    rest_ = rest_.subspan(sizeof(T));
    return true;
  }
  bool read(std::string& text, std::size_t length, std::size_t max_length)
  {
    if (length > max_length || rest_.size() < length) { return false; }
    text.assign(reinterpret_cast<char const*>(rest_.data()), length);
    rest_ = rest_.subspan(length);
    return true;
  }
  bool at_end() const { return rest_.empty(); }

private:
  std::span<std::uint8_t const> rest_;
};

/// The length of the UTF-8 character that starts here, in bytes; 0 if it is invalid.
std::size_t utf8_length(std::string_view text)
{
  auto const byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned const first = byte(0);
  std::size_t const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length == 0 || first > 0xf4 || length > text.size()) { return 0; }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0u) != 0x80) { return 0; }
  }
  bool const is_too_long = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  bool const is_no_character = (first == 0xed && byte(1) >= 0xa0) || (first == 0xf4 && byte(1) >= 0x90);
  return is_too_long || is_no_character ? 0 : length;
}

/// Makes text safe to display: UTF-8 without control characters.
std::string showable(std::string_view text)
{
  std::string result;
  while (!text.empty()) {
    std::size_t const length = utf8_length(text);
    bool const is_control = length == 1 && (static_cast<unsigned char>(text[0]) < 0x20 || text[0] == 0x7f);
    result += length == 0 || is_control ? "?" : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

/// More than any machine has; sums of a few such numbers do not overflow.
constexpr std::uint64_t max_bytes = std::uint64_t{1} << 48;

bool is_sound(watch_link::ArrayRecord const& record, std::size_t descriptors)
{
  using watch_link::Way;
  if (record.bytes == 0 || record.bytes > max_bytes || record.on_device > 1) { return false; }
  if (record.way > Way::cuda_pool) { return false; }
  bool const needs_file = record.way == Way::file || record.way == Way::cuda_file || record.way == Way::cuda_pool;
  bool const has_file = record.descriptor >= 0 && static_cast<std::size_t>(record.descriptor) < descriptors;
  if (needs_file != has_file) { return false; }
  if (record.way == Way::process) { return record.address <= ~std::uint64_t{0} - record.bytes; }
  if (record.way == Way::copy) { return true; }
  return record.allocation <= max_bytes && record.bytes <= record.allocation &&
         record.offset <= record.allocation - record.bytes;
}

}  // namespace

std::optional<Header> parse_header(std::span<std::uint8_t const> bytes)
{
  Header header;
  if (!PacketReader(bytes).read(header) || header.magic != watch_link::magic) { return {}; }
  return header;
}

std::optional<TableMessage> parse_table(Packet const& packet)
{
  TableMessage table;
  watch_link::TableRecord record;
  PacketReader reader(packet.bytes);
  if (!reader.read(table.header) || !reader.read(record) || record.arrays > watch_link::max_arrays ||
      !reader.read(table.name, record.name_length, watch_link::max_name) ||
      !reader.read(table.description, record.description_length, watch_link::max_description) ||
      !reader.read(table.text, record.text_length, watch_link::max_text)) {
    return {};
  }
  std::set<std::string> names;
  for (std::uint32_t i = 0; i < record.arrays; ++i) {
    NamedArray array;
    if (!reader.read(array.record) || !reader.read(array.name, array.record.name_length, watch_link::max_name) ||
        !is_sound(array.record, packet.descriptors.size()) || !names.insert(array.name).second) {
      return {};
    }
    table.arrays.push_back(std::move(array));
  }
  if (!reader.at_end() || table.name.empty()) { return {}; }
  table.name = showable(table.name);
  table.text = showable(table.text);
  table.snapshots = record.snapshots != 0;
  table.copies_per_second = record.copies_per_thousand_seconds / 1000.0;
  return table;
}

std::optional<watch_link::CopiesRecord> parse_copies(Packet const& packet, std::vector<NamedArray> const& arrays)
{
  Header header;
  watch_link::CopiesRecord record;
  PacketReader reader(packet.bytes);
  if (!reader.read(header) || !reader.read(record) || !reader.at_end()) { return {}; }
  if (record.half_bytes == 0 || record.half_bytes > max_bytes || record.on_device > 1) { return {}; }
  if ((record.on_device != 0) != packet.descriptors.empty()) { return {}; }
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    std::uint64_t const bytes = arrays[i].record.bytes;
    if (bytes > record.half_bytes || record.offsets[i] > record.half_bytes - bytes) { return {}; }
  }
  return record;
}

std::string parse_text(Packet const& packet)
{
  std::size_t const length = std::min(packet.bytes.size() - sizeof(Header), watch_link::max_text);
  return showable({reinterpret_cast<char const*>(packet.bytes.data()) + sizeof(Header), length});
}

Link::Link(std::string const& path, int milliseconds)
    : socket_(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0))
{
  sockaddr_un address;
  if (!socket_ || !watch_link::address_of(path, address)) { throw Error("There is no room for a socket: " + path); }
  auto const try_it = [&] {
    return ::connect(socket_.number(), reinterpret_cast<sockaddr const*>(&address), sizeof(address)) == 0 ? 0 : errno;
  };
  int error = try_it();
  for (int waited = 0; error == EAGAIN && waited < milliseconds; ++waited) {  // many programs are connecting
    poll(nullptr, 0, 1);
    error = try_it();
  }
  if (error != 0) {
    std::string const text = "The program is not there any more (" + path + ": " + std::strerror(error) + ").";
    if (error == ECONNREFUSED) { throw NobodyListens(text); }
    throw Error(text);
  }
  if (!watch_link::is_same_user(socket_.number(), pid_)) {
    throw Error("The program at " + path + " belongs to another user.");
  }
}

Link::Received Link::receive(Packet& packet)
{
  packet.bytes.resize(watch_link::max_packet);
  packet.descriptors.clear();
  iovec data{packet.bytes.data(), packet.bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * watch_link::max_arrays)> control{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t const got = recvmsg(socket_.number(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (got < 0) { return errno == EAGAIN || errno == EINTR ? Received::nothing : Received::end; }
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) { continue; }
    std::size_t const count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int number = -1;
      std::memcpy(&number, CMSG_DATA(part) + i * sizeof(int), sizeof(int));
      packet.descriptors.emplace_back(number);
    }
  }
  if (got == 0 || (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) { return Received::end; }
  packet.bytes.resize(static_cast<std::size_t>(got));
  return Received::packet;
}

void Link::wait(int milliseconds) const
{
  pollfd socket{socket_.number(), POLLIN, 0};
  poll(&socket, 1, milliseconds);
}

bool Link::ask(watch_link::Ask kind, std::uint64_t generation, std::uint64_t value)
{
  Header header;
  header.kind = static_cast<std::uint32_t>(kind);
  header.generation = generation;
  header.nanoseconds = watch_link::nanoseconds();
  header.value = value;
  return send(socket_.number(), &header, sizeof(header), MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof(header);
}

}  // namespace slotscape::watch::live
