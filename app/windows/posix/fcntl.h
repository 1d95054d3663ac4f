#pragma once
#include_next <fcntl.h>
#include <cerrno>

#define EDQUOT ENOSPC  // Windows has no error code for quotas

// Windows semantics: links are followed, opening does not wait, folders cannot be opened, and other programs inherit
// only what they are given.
inline constexpr int O_CLOEXEC = O_NOINHERIT;
inline constexpr int O_NOFOLLOW = 0;
inline constexpr int O_NONBLOCK = 0;
inline constexpr int O_DIRECTORY = 0;

int open(wchar_t const* path, int how, int rights = 0);
