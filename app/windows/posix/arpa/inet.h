#pragma once

// Declarations from <ws2tcpip.h>, without the macros of <windows.h>.
inline constexpr int AF_INET = 2;
inline constexpr int AF_INET6 = 23;
struct in_addr {
  unsigned char bytes[4];
};
struct in6_addr {
  unsigned char bytes[16];
};
extern "C" __declspec(dllimport) int inet_pton(int family, char const* text, void* address);
