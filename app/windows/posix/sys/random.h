#pragma once
#include <sys/types.h>

ssize_t getrandom(void* bytes, std::size_t count, unsigned how);
