// The folder `posix` declares the Linux functions that the program uses and mingw-w64 lacks; posix.cpp implements them.
#pragma once
#include_next <unistd.h>

inline constexpr int _SC_PHYS_PAGES = 1;
inline constexpr int _SC_PAGESIZE = 2;
long long sysconf(int what);

int fsync(int file);
int access(wchar_t const* path, int wanted);
int mkstemps(char* pattern, int ending);
char* mkdtemp(char* pattern);
int setenv(char const* name, char const* value, int replaces);
