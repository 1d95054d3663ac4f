// Makes std::filesystem::path read UTF-8.

#include <codecvt>
#include <cwchar>
#include <locale>

/// The program's texts, arguments and paths are UTF-8. libstdc++ 12 writes the text of a path as UTF-8, but reads it by
/// the codepage of the C library's locale, which takes each byte for a letter. The program is linked statically, so
/// this definition takes the place of the library's.
std::codecvt_base::result std::codecvt<wchar_t, char, std::mbstate_t>::do_in(state_type& state, extern_type const* from,
                                                                             extern_type const* from_end,
                                                                             extern_type const*& from_next,
                                                                             intern_type* to, intern_type* to_end,
                                                                             intern_type*& to_next) const
{
  static std::codecvt_utf8_utf16<wchar_t> const utf8;
  return utf8.in(state, from, from_end, from_next, to, to_end, to_next);
}
