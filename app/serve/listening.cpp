#include "app/serve/listening.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace slotscape::serve {
namespace {

/// The result of binding to an address and port: 0, or an errno.
int bind_error(std::string const& address, std::uint16_t port)
{
  bool const six = is_ipv6(address);
  int const probe = socket(six ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (probe < 0) { return errno; }
  int const on = 1;
  setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  int result = 0;
  if (six) {
    setsockopt(probe, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    sockaddr_in6 place{};
    place.sin6_family = AF_INET6;
    place.sin6_port = htons(port);
    inet_pton(AF_INET6, address.c_str(), &place.sin6_addr);
    result = bind(probe, reinterpret_cast<sockaddr const*>(&place), sizeof place);
  } else {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    inet_pton(AF_INET, address.c_str(), &place.sin_addr);
    result = bind(probe, reinterpret_cast<sockaddr const*>(&place), sizeof place);
  }
  int const failure = result == 0 ? 0 : errno;
  close(probe);
  return failure;
}

[[noreturn]] void refuse(std::string const& address, std::uint16_t port, int failure)
{
  if (failure == EADDRINUSE) {
    throw Error(
        tr("Port {} of {} is taken by another program; choose another one with --port, or --port 0 for any free port",
           port, address));
  }
  if (failure == EACCES) {
    throw Error(tr("Port {} can be used only by root; choose 1024 or higher with --port", port));
  }
  if (failure == EADDRNOTAVAIL || failure == EAFNOSUPPORT) {
    throw Error(
        tr("--address: {} is not an address of this machine; 'ip address' lists them, and 0.0.0.0 "
           "stands for all",
           address));
  }
  throw Error(tr("Cannot listen on port {} of {}: {}", port, address, std::strerror(failure)));
}

}  // namespace

bool is_ipv6(std::string const& address)
{
  in6_addr parsed{};
  return inet_pton(AF_INET6, address.c_str(), &parsed) == 1;
}

bool is_loopback(std::string const& address)
{
  return address.starts_with("127.") || address == loopback_of_ipv6;
}

std::string with_port(std::string const& address, std::uint16_t port)
{
  return is_ipv6(address) ? fmt::format("[{}]:{}", address, port) : fmt::format("{}:{}", address, port);
}

std::vector<std::string> addresses_to_listen_at(std::string const& asked, std::uint16_t port)
{
  in_addr parsed{};
  if (!asked.empty() && !is_ipv6(asked) && inet_pton(AF_INET, asked.c_str(), &parsed) != 1) {
    throw Error(
        tr("--address: '{}' is invalid; it must be a numeric address of this machine, such as "
           "192.168.0.5 or 0.0.0.0 for all",
           asked));
  }
  std::string const first = asked.empty() ? loopback : asked;
  if (int const failure = bind_error(first, port); failure != 0) { refuse(first, port, failure); }
  std::vector<std::string> addresses{first};
  if (!asked.empty()) { return addresses; }
  int const failure = bind_error(loopback_of_ipv6, port);
  if (failure == EADDRINUSE) { refuse(loopback_of_ipv6, port, failure); }
  if (failure == 0) { addresses.emplace_back(loopback_of_ipv6); }  // otherwise IPv6 is unavailable
  return addresses;
}

std::string machine_name()
{
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

}  // namespace slotscape::serve
