#include "app/shell/last_session.hpp"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

namespace slotscape {
namespace {

std::atomic<bool> is_told_to_end{false};
SessionSaver* present = nullptr;

extern "C" void note_signal(int)
{
  is_told_to_end = true;
}

void say_at_exit()
{
  if (present != nullptr) { present->say(); }
}

}  // namespace

std::filesystem::path last_session_path(std::filesystem::path const& settings_file)
{
  std::filesystem::path file = settings_file;
  return file.replace_extension(".last.slotscape.json");
}

SessionSaver::SessionSaver(std::function<void()> save) : save_(std::move(save))
{
  static bool const registered = std::atexit(say_at_exit) == 0;
  if (registered) { present = this; }
  for (int const signal : {SIGTERM, SIGINT, SIGHUP}) { std::signal(signal, note_signal); }
}

SessionSaver::~SessionSaver()
{
  present = nullptr;
}

bool SessionSaver::told_to_end()
{
  return is_told_to_end;
}

void SessionSaver::say()
{
  auto const save = std::exchange(save_, nullptr);
  if (!save) { return; }
  try {
    save();
  } catch (std::exception const& error) {
    fmt::print(stderr, "slotscape: could not save everything: {}\n", error.what());
  }
}

}  // namespace slotscape
