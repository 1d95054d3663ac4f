#pragma once
#include_next <signal.h>
#include <sys/types.h>

#define SIGHUP SIGBREAK  // sent when the console is closed

/// Supports only signal 0: whether the process exists.
int kill(pid_t process, int signal);
