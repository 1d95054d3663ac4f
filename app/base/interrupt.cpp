#include "app/base/interrupt.hpp"

#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

namespace slotscape {
namespace {

std::atomic<int> came = 0;  ///< the signal that was received
std::atomic<Interrupt*> current = nullptr;

sigset_t interrupts()
{
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

Interrupt::Interrupt()
{
  sigset_t const set = interrupts();
  if (pthread_sigmask(SIG_BLOCK, &set, nullptr) != 0) { return; }
  signals_ = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  came = 0;
  if (signals_ < 0) {
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  } else {
    current = this;
  }
}

Interrupt::~Interrupt()
{
  if (signals_ < 0) { return; }
  current = nullptr;
  signalfd_siginfo rest{};
  while (read(signals_, &rest, sizeof rest) > 0) {}  // pending signals would end the program once unblocked
  close(signals_);
  sigset_t const set = interrupts();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

bool Interrupt::asked()
{
  signalfd_siginfo info{};
  if (came == 0 && signals_ >= 0 && read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    came = static_cast<int>(info.ssi_signo);
    sigset_t const set = interrupts();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  }
  return came != 0;
}

bool is_interrupted()
{
  Interrupt* const here = current;
  return here != nullptr && here->asked();
}

std::string_view interrupt_name()
{
  return came == SIGTERM ? "SIGTERM" : "Ctrl-C";
}

int interrupted_status()
{
  constexpr int ended_by_signal = 128;
  return ended_by_signal + came;
}

}  // namespace slotscape
