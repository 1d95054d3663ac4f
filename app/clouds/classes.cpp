#include "app/clouds/colors.hpp"
#include "gpu/base/translation.hpp"

#include <array>

namespace slotscape::clouds {

namespace {

struct Class {
  std::string_view name;
  std::uint32_t color;
};

constexpr std::array classes{
    Class{translatable("never classified"), 0x8f969e},
    Class{translatable("unclassified"), 0xc3c7cc},
    Class{translatable("ground"), 0xa9713f},
    Class{translatable("low vegetation"), 0xa8d95e},
    Class{translatable("medium vegetation"), 0x56b345},
    Class{translatable("high vegetation"), 0x22803a},
    Class{translatable("building"), 0xe4573f},
    Class{translatable("low noise"), 0xd64bd6},
    Class{translatable("model key point"), 0xf2d13c},
    Class{translatable("water"), 0x3f8fe0},
    Class{translatable("rail"), 0x8f63cc},
    Class{translatable("road"), 0x6d727b},
    Class{translatable("overlap"), 0xd9c9a3},
    Class{translatable("guard wire"), 0xffe680},
    Class{translatable("conductor wire"), 0xffb000},
    Class{translatable("transmission tower"), 0x00b3a4},
    Class{translatable("wire connector"), 0xff7f9f},
    Class{translatable("bridge deck"), 0x5ad1e6},
    Class{translatable("high noise"), 0xff2e93},
    Class{translatable("overhead structure"), 0xd08a55},
    Class{translatable("ignored ground"), 0x74573c},
    Class{translatable("snow"), 0xf4f8ff},
    Class{translatable("temporal exclusion"), 0x7f8f5f},
};

/// Colours that distinguish classes without a predefined meaning.
constexpr std::array<std::uint32_t, 8> other_colors{0x66c2a5, 0xfc8d62, 0x8da0cb, 0xe78ac3,
                                                    0xa6d854, 0xffd92f, 0xe5c494, 0xb3b3b3};

}  // namespace

std::string name_of_class(std::uint8_t number)
{
  return number < classes.size() ? translated(classes[number].name) : tr("class {}", number);
}

std::uint32_t color_of_class(std::uint8_t number)
{
  return number < classes.size() ? classes[number].color : other_colors[number % other_colors.size()];
}

}  // namespace slotscape::clouds
