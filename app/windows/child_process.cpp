// Replaces app/base/child_process.cpp: `id_` is the process's handle, and pipes replace sockets.

#include "app/base/child_process.hpp"

#include "gpu/base/error.hpp"

#include <windows.h>

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

namespace slotscape {
namespace {

constexpr unsigned room_of_pipe = 1u << 20;
constexpr std::chrono::milliseconds pause{2};

[[noreturn]] void fail(std::string const& what)
{
  throw Error(what + ": " + std::system_category().message(static_cast<int>(GetLastError())));
}

HANDLE handle_of(int file)
{
  return reinterpret_cast<HANDLE>(_get_osfhandle(file));
}
HANDLE handle_of_process(pid_t process)
{
  return reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(process));
}

/// Returns the reading end and the writing end of a new pipe.
std::pair<int, int> open_pipe()
{
  std::array<int, 2> ends{};
  if (::_pipe(ends.data(), room_of_pipe, _O_BINARY | _O_NOINHERIT) != 0) { throw Error("Could not make a pipe"); }
  return {ends[0], ends[1]};
}

void close_end(int& end)
{
  if (end >= 0) { ::_close(end); }
  end = -1;
}

/// A handle that a child process inherits.
HANDLE inherited(int file)
{
  SetHandleInformation(handle_of(file), HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
  return handle_of(file);
}

/// Quotes as programs parse their command line: backslashes are special only before quotation marks.
std::wstring quoted(std::wstring const& argument)
{
  std::wstring text = L"\"";
  std::size_t backslashes = 0;
  for (wchar_t const letter : argument) {
    if (letter == L'"') { text.append(backslashes + 1, L'\\'); }
    backslashes = letter == L'\\' ? backslashes + 1 : 0;
    text += letter;
  }
  return text.append(backslashes, L'\\') + L'"';
}

}  // namespace

ChildProcess::Pipe::Pipe()
{
  std::tie(read_, write_) = open_pipe();
}

ChildProcess::Pipe::~Pipe()
{
  close_write_end();
  close_end(read_);
}

void ChildProcess::Pipe::close_write_end()
{
  close_end(write_);
}

void ChildProcess::Pipe::read_available()
{
  std::array<char, 65536> piece{};  // so that a talkative child cannot block this process
  DWORD ready = 0;
  if (!PeekNamedPipe(handle_of(read_), nullptr, 0, nullptr, &ready, nullptr) || ready == 0) { return; }
  int const size = ::_read(read_, piece.data(), std::min<unsigned>(ready, piece.size()));
  if (size > 0) { text.append(piece.data(), static_cast<std::size_t>(size)); }
}

void ChildProcess::Socket::open()
{
  std::tie(there_, here_) = open_pipe();
  DWORD mode = PIPE_READMODE_BYTE | PIPE_NOWAIT;
  SetNamedPipeHandleState(handle_of(here_), &mode, nullptr, nullptr);
}

ChildProcess::Socket::~Socket()
{
  close_here();
  close_there();
}

void ChildProcess::Socket::close_here()
{
  close_end(here_);
}

void ChildProcess::Socket::close_there()
{
  close_end(there_);
}

ChildProcess::ChildProcess(std::vector<std::string> command, Input input)
{
  std::wstring line;
  for (std::string const& word : command) { line += (line.empty() ? L"" : L" ") + quoted(std::filesystem::path(word)); }
  bool const is_written = input == Input::written;
  if (is_written) { input_.open(); }
  int nothing = is_written ? -1 : ::_open("NUL", _O_RDONLY | _O_NOINHERIT);
  STARTUPINFOW start{};
  start.cb = sizeof start;
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdInput = inherited(is_written ? input_.there() : nothing);
  start.hStdOutput = inherited(output_.write_end());
  start.hStdError = inherited(errors_.write_end());
  PROCESS_INFORMATION made{};
  bool const is_started = CreateProcessW(std::filesystem::path(command.front()).c_str(), line.data(), nullptr, nullptr,
                                         TRUE, CREATE_NO_WINDOW, nullptr, nullptr, &start, &made) != 0;
  close_end(nothing);
  if (!is_started) { fail("Could not start " + command.front()); }
  CloseHandle(made.hThread);
  id_ = static_cast<pid_t>(reinterpret_cast<std::intptr_t>(made.hProcess));
  input_.close_there();
  output_.close_write_end();
  errors_.close_write_end();
}

ChildProcess::~ChildProcess()
{
  if (id_ < 0) { return; }
  TerminateProcess(handle_of_process(id_), 1);  // a program without a window cannot be asked to end
  WaitForSingleObject(handle_of_process(id_), INFINITE);
  CloseHandle(handle_of_process(id_));
}

bool ChildProcess::has_ended(int& status)
{
  HANDLE const process = handle_of_process(id_);
  if (WaitForSingleObject(process, 0) == WAIT_TIMEOUT) { return false; }
  DWORD code = 0;
  GetExitCodeProcess(process, &code);
  status = static_cast<int>(code);
  CloseHandle(process);
  id_ = -1;
  return true;
}

std::optional<ChildProcess::Result> ChildProcess::poll()
{
  output_.read_available();
  errors_.read_available();
  int status = 0;
  if (id_ >= 0 && !has_ended(status)) { return std::nullopt; }
  output_.read_available();
  errors_.read_available();
  return Result{.code = status, .output = std::move(output_.text), .errors = std::move(errors_.text)};
}

std::size_t ChildProcess::write(std::span<std::uint8_t const> bytes, std::chrono::milliseconds patience)
{
  constexpr std::size_t at_once = 1u << 16;  // a piece that does not fit as a whole is not written
  DWORD const size = static_cast<DWORD>(std::min(bytes.size(), at_once));
  for (auto waited = std::chrono::milliseconds(0); waited <= patience; waited += pause) {
    DWORD written = 0;
    bool const is_open = input_.here() >= 0;
    if (is_open && !WriteFile(handle_of(input_.here()), bytes.data(), size, &written, nullptr)) { end_input(); }
    if (written > 0) { return written; }
    std::this_thread::sleep_for(pause);
  }
  return 0;
}

void ChildProcess::end_input()
{
  input_.close_here();
}

}  // namespace slotscape
