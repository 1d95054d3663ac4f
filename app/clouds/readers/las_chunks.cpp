// The chunk table of a LAZ file, decoded as by LASzip. Not part of a unity build: LASzip's own headers define very
// common names.

#include "app/clouds/readers/las_header.hpp"

#include <src/bytestreamin_array.hpp>
#include <src/integercompressor.hpp>

namespace slotscape::clouds::las {

std::optional<std::uint64_t> points_in_chunks(std::string_view table, std::size_t chunks)
{
  try {
    ByteStreamInArrayLE stream(reinterpret_cast<U8 const*>(table.data()), static_cast<I64>(table.size()));
    ArithmeticDecoder decoder;
    decoder.init(&stream);
    IntegerCompressor numbers(&decoder, 32, 2);
    numbers.initDecompressor();
    std::uint64_t all = 0;
    I32 points = 0;
    I32 bytes = 0;
    for (std::size_t i = 0; i < chunks; ++i) {
      points = numbers.decompress(points, 0);
      bytes = numbers.decompress(bytes, 1);
      if (points == 0 || bytes <= 0) { return std::nullopt; }
      all += static_cast<U32>(points);
    }
    return all;
  } catch (int) {  // thrown by LASzip at the end of the bytes and at invalid codes
    return std::nullopt;
  }
}

}  // namespace slotscape::clouds::las
