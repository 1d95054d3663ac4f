#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace slotscape::serve {

inline constexpr char const* loopback = "127.0.0.1";
inline constexpr char const* loopback_of_ipv6 = "::1";

bool is_ipv6(std::string const& address);
bool is_loopback(std::string const& address);
/// Formats an address for a browser: "127.0.0.1:8080", "[::1]:8080".
std::string with_port(std::string const& address, std::uint16_t port);

/// The addresses to listen at: the requested one or, if empty, those of the loopback interface. Throws Error that says
/// what to do if an address is not numeric or not of this machine, or if the port is taken.
std::vector<std::string> addresses_to_listen_at(std::string const& asked, std::uint16_t port);

/// The name of this machine; empty if it has none.
std::string machine_name();

}  // namespace slotscape::serve
