#pragma once

inline constexpr short POLLIN = 1;
struct pollfd {
  int fd;
  short events;
  short revents;
};
/// Reports all files as ready; reading then blocks.
int poll(pollfd* files, unsigned count, int milliseconds);
