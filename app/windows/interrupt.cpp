// Replaces app/base/interrupt.cpp: Windows calls a handler on a separate thread. It is then removed, so that the next
// Ctrl-C ends the program.

#include "app/base/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace slotscape {
namespace {

std::atomic<bool> came = false;
std::atomic<bool> is_taken_over = false;

void note(int)
{
  came = true;
}

}  // namespace

Interrupt::Interrupt()
{
  came = false;
  is_taken_over = std::signal(SIGINT, note) != SIG_ERR;
}

Interrupt::~Interrupt()
{
  is_taken_over = false;
  std::signal(SIGINT, SIG_DFL);
}

bool Interrupt::asked()
{
  return came;
}

bool is_interrupted()
{
  return is_taken_over && came;
}

std::string_view interrupt_name()
{
  return "Ctrl-C";
}

int interrupted_status()
{
  return 130;
}

}  // namespace slotscape
