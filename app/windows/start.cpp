// Preparations before main: linked into the program automatically (windows.cmake).

#include <windows.h>

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void set_unless_set(char const* name, std::string const& value)
{
  if (std::getenv(name) == nullptr && !value.empty()) { _putenv_s(name, value.c_str()); }
}

/// Sets the environment variables that the program reads from their Windows equivalents.
void translate_environment()
{
  char const* const folder = std::getenv("APPDATA");
  set_unless_set("XDG_CONFIG_HOME", folder == nullptr ? "" : folder);
  std::array<wchar_t, LOCALE_NAME_MAX_LENGTH> locale{};
  GetUserDefaultLocaleName(locale.data(), static_cast<int>(locale.size()));  // "de-AT", in ASCII
  std::string language;
  for (wchar_t const letter : std::wstring(locale.data())) {
    language += letter == L'-' ? '_' : static_cast<char>(letter);
  }
  set_unless_set("LANG", language);
}

/// Makes the console show UTF-8 and support clearing a line.
void prepare_console()
{
  SetConsoleOutputCP(CP_UTF8);
  for (DWORD const stream : {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE}) {
    HANDLE const handle = GetStdHandle(stream);
    DWORD mode = 0;
    if (GetConsoleMode(handle, &mode)) { SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING); }
  }
}

/// Prevents the translation of line ends.
void read_and_write_bytes()
{
  _fmode = _O_BINARY;
  for (std::FILE* const stream : {stdin, stdout, stderr}) { _setmode(_fileno(stream), _O_BINARY); }
}

bool prepare()
{
  read_and_write_bytes();
  translate_environment();
  prepare_console();
  return true;
}

[[maybe_unused]] bool const is_prepared = prepare();

}  // namespace
