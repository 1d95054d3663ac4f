#include "app/keys/files/other_formats.hpp"

#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>

namespace slotscape::key_files {

std::string advice_on_format(std::string_view bytes)
{
  using namespace std::string_view_literals;
  struct Format {
    std::string_view start;
    char const* advice;
  };
  constexpr char const* packed = translatable("it is compressed; unpack it, and open what was in it");
  constexpr char const* table = translatable("save the column with the keys as CSV or, from NumPy, as .npy");
  constexpr std::array formats{
      Format{"\x1f\x8b"sv, packed},
      Format{"BZh"sv, packed},
      Format{"\xfd"
             "7zXZ"sv,
             packed},
      Format{"\x28\xb5\x2f\xfd"sv, packed},
      Format{"7z\xbc\xaf"sv, packed},
      Format{"PK\x03\x04"sv,
             translatable("it is an archive, as .zip, .npz and .xlsx are; save one array as .npy, or one "
                          "sheet as CSV")},
      Format{"PAR1"sv, table},
      Format{"ARROW1"sv, table},
      Format{"FEA1"sv, table},
      Format{"ORC"sv, table},
      Format{"\x89HDF"sv, table},
      Format{"SQLite format 3"sv, table},
      Format{"\xd0\xcf\x11\xe0"sv, table},
  };
  auto const found =
      std::ranges::find_if(formats, [&](Format const& format) { return bytes.starts_with(format.start); });
  return found == formats.end() ? std::string() : std::string(tr(found->advice));
}

}  // namespace slotscape::key_files
