#include "app/base/interrupt.hpp"

#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

namespace slotscape {
namespace {

sigset_t interrupts()
{
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  return set;
}

}  // namespace

Interrupt::Interrupt()
{
  sigset_t const set = interrupts();
  if (pthread_sigmask(SIG_BLOCK, &set, nullptr) != 0) { return; }
  signals_ = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  if (signals_ < 0) { pthread_sigmask(SIG_UNBLOCK, &set, nullptr); }
}

Interrupt::~Interrupt()
{
  if (signals_ < 0) { return; }
  asked();  // takes what has come: unblocked, it would end the program
  close(signals_);
  sigset_t const set = interrupts();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

bool Interrupt::asked()
{
  signalfd_siginfo info{};
  if (!asked_ && signals_ >= 0 && read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    asked_ = true;
    sigset_t const set = interrupts();
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  }
  return asked_;
}

}  // namespace slotscape
