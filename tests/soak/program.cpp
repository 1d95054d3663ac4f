#include "tests/soak/program.hpp"

#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/shell/last_session.hpp"
#include "gpu/base/error.hpp"
#include "tests/support/one_thread.hpp"

#include <soak_files.hpp>

#include <fmt/format.h>
#include <imgui.h>

#include <execinfo.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <string_view>

namespace slotscape::soak {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double longest_step = 0.1;   ///< as in the window
constexpr double longest_wait = 0.1;   ///< the same
constexpr double line_seconds = 30.0;  ///< between two lines

double seconds_since(Clock::time_point start)
{
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What is done now: a handler of signals may read no more than plain memory.
std::array<char, 200> present_act{};

void note_act(std::string const& what)
{
  present_act[what.copy(present_act.data(), present_act.size() - 1)] = '\0';
}

/// What is done, and the calls that led to it.
void tell_where(std::string_view what)
{
  auto const say = [](std::string_view text) {
    [[maybe_unused]] auto const written = ::write(STDERR_FILENO, text.data(), text.size());
  };
  say("slotscape_soak: ");
  say(what);
  say(present_act.data());
  say("\n");
  std::array<void*, 64> frames{};
  ::backtrace_symbols_fd(frames.data(), ::backtrace(frames.data(), static_cast<int>(frames.size())), STDERR_FILENO);
}

/// Says in what the program is ended, from where, and lets it end.
extern "C" void tell_end(int signal)
{
  tell_where("ended by a signal in: ");
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

int long_frames_to_tell = 100;

extern "C" void tell_long_frame(int)
{
  if (long_frames_to_tell-- > 0) { tell_where("a long frame, in: "); }
}

void tell_of_signals()
{
  std::array<void*, 1> frame{};
  ::backtrace(frame.data(), 1);  // the first call takes memory, which a handler must not
  for (int const signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL}) { std::signal(signal, tell_end); }
}

/// A timer of this thread's processor time, which says where frames are that take long.
timer_t frame_timer()
{
  struct sigaction action {};
  action.sa_handler = tell_long_frame;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGRTMIN, &action, nullptr);
  struct sigevent event {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGRTMIN;
  event._sigev_un._tid = ::gettid();
  timer_t timer{};
  if (::timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) != 0) { throw Error("There are no timers here."); }
  return timer;
}

fs::path settings_file(Plan const& plan)
{
  return fs::path(plan.state).replace_extension(".settings.json");
}

}  // namespace

Program::Program(Plan const& plan, Record& record)
    : plan_(plan), record_(record), frame_timer_(frame_timer()), before_(record.seconds)
{
  tell_of_signals();
  write_lessons();
  Options options;
  options.backend = plan.backend;
  LoadedSettings const loaded = load_settings(settings_file(plan), scenes());
  for (std::string const& message : loaded.messages) { ++record_.broken["settings: " + message]; }
  app_ = std::make_unique<App>(gl::open_offscreen(plan.size), options, loaded.settings);
  test::paint(plan.draws);
  app_->scene_host().set_max_wait(longest_wait);
  start_ = last_frame_ = Clock::now();
  go_on_with_session();
}

/// The lessons and the tour that come with the program are in this one, which runs wherever it is.
void Program::write_lessons()
{
  for (EmbeddedFile const& file : embedded_files) {
    fs::path const path = folder_ / file.name;
    fs::create_directories(path.parent_path());
    write_text_file(path, {reinterpret_cast<char const*>(file.content->data()), file.content->size()});
  }
  lessons::Library const library({folder_.path()});
  for (lessons::Listed const& each : library.lessons()) { lessons_.push_back(each.file); }
  tour_ = library.tour();
}

void Program::go_on_with_session()
{
  fs::path const session = last_session_path(settings_file(plan_));
  if (!fs::exists(session)) { return; }
  act("going on with the session of the run before", [&] { app_->open(session, Reach::anywhere); });
  count("sessions that were gone on with");
}

void Program::act(std::string what, std::function<void()> const& change)
{
  if (!what.empty()) {
    what_ = std::move(what);
    note_act(what_);
  }
  double const start = test::OneThread::seconds();
  set_frame_timer(true);
  try {
    if (change) { change(); }
  } catch (Error const& error) {
    ++record_.messages[error.what()];
  } catch (std::exception const& error) {
    ++record_.broken[fmt::format("{}: {}", what_, error.what())];
  }
  double const elapsed = std::min(seconds_since(last_frame_), longest_step);
  last_frame_ = Clock::now();
  app_->frame(elapsed);
  set_frame_timer(false);
  double const took = test::OneThread::seconds() - start;
  record_.note_frame(app_->current_entry().name, what_, took);
  if (took > longest_of_line_.seconds) { longest_of_line_ = {took, what_}; }
  if (after_frame) { after_frame(); }
  count_operations(elapsed);
  note_messages();
  tell_sometimes();
}

void Program::set_frame_timer(bool on)
{
  constexpr long ms_a_second = 1000;
  constexpr long ns_a_ms = 1'000'000;
  timespec const period{.tv_sec = plan_.told_frame_ms / ms_a_second,
                        .tv_nsec = plan_.told_frame_ms % ms_a_second * ns_a_ms};
  itimerspec const times = on ? itimerspec{period, period} : itimerspec{};
  ::timer_settime(frame_timer_, 0, &times, nullptr);
}

/// By the rates that are shown.
void Program::count_operations(double elapsed_seconds)
{
  auto* const tables = scene<TableScene>();
  if (tables == nullptr) { return; }
  operations_ += tables->state().history.rates.rates(tables->state().now).total() * elapsed_seconds;
  auto const whole = static_cast<std::uint64_t>(operations_);
  operations_ -= static_cast<double>(whole);
  count("operations of tables", whole);
}

/// Errors are for the user: what was asked for cannot be done. An exception of another kind is a mistake of the
/// program.
void Program::note_messages()
{
  if (app_->toasts().errors() == 0) { return; }
  std::string const latest = app_->toasts().latest();
  bool const is_mistake = latest.find("If it happens again") != std::string::npos;
  ++(is_mistake ? record_.broken : record_.messages)[is_mistake ? fmt::format("{}: {}", what_, latest) : latest];
  app_->toasts().dismiss_all();
}

void Program::tell_sometimes()
{
  if (seconds() < next_line_) { return; }
  next_line_ = seconds() + line_seconds;
  save();
  Resources const now = resources_now(record_.backend);
  fmt::print("{:6.1f} min, {} cycles, {} frames", record_.seconds / 60.0, record_.cycles,
             grouped(record_.counts["frames"]));
  for (std::size_t i = 0; i < measures.size(); ++i) { fmt::print(", {:.0f} {}", now[i], measures[i].name); }
  fmt::print("; longest frame {} ({})\n", milliseconds(longest_of_line_.seconds), longest_of_line_.what);
  std::fflush(stdout);
  longest_of_line_ = {};
}

void Program::draw_until(double seconds, std::function<bool()> const& done)
{
  Clock::time_point const start = Clock::now();
  do {
    frame();
  } while (!over() && !(done && done()) && seconds_since(start) < seconds);
}

void Program::open(Scenario const& scenario)
{
  act(fmt::format("opening a scenario of '{}'", scenario.scene->name), [&] {
    fs::path const file = folder_ / "opened.slotscape.json";
    write_scenario(file, scenario);
    app_->open(file);
  });
  count("scenarios opened");
}

bool Program::over() const
{
  return SessionSaver::told_to_end() || seconds() >= plan_.seconds;
}

double Program::seconds() const
{
  return seconds_since(start_);
}

void Program::keep_session()
{
  act("saving settings and session", [&] {
    fs::path const file = settings_file(plan_);
    save_settings(file, app_->user_settings(), scenes());
    app_->scene_host().keep_for_next_start(last_session_path(file));
  });
  count("settings and sessions saved");
}

void Program::take_sample(std::size_t cycle)
{
  app_->measurements().forget_times();
  record_.samples.push_back({record_.runs, cycle, seconds(), resources_now(record_.backend)});
  ++record_.cycles;
  save();
}

void Program::save()
{
  record_.seconds = before_ + seconds();
  write(plan_.state, record_);
}

}  // namespace slotscape::soak
