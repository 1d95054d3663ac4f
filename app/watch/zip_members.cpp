#include "app/watch/zip_members.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace slotscape::watch {

namespace fs = std::filesystem;

void refuse_archive(fs::path const& file, std::string_view why)
{
  throw Error(fmt::format("{}: {}", path_text(file.filename()), why));
}

namespace {

/// Reads numbers from an archive. Rejects positions beyond its end.
class Bytes {
public:
  Bytes(fs::path const& file, std::span<std::byte const> all) : file_(&file), all_(all) {}

  std::span<std::byte const> part(std::uint64_t at, std::uint64_t size) const
  {
    if (at > all_.size() || size > all_.size() - at) {
      refuse_archive(*file_, tr("the archive is damaged: save it again"));
    }
    return all_.subspan(at, size);
  }
  std::uint64_t number(std::uint64_t at, std::size_t bytes) const
  {
    std::uint64_t number = 0;
    std::memcpy(&number, part(at, bytes).data(), bytes);
    return number;
  }
  std::uint64_t size() const { return all_.size(); }

private:
  fs::path const* file_;
  std::span<std::byte const> all_;
};

// Signatures and offsets from PKWARE's APPNOTE, 4.3.
constexpr std::uint64_t end_signature = 0x06054b50u;
constexpr std::uint64_t end64_locator_signature = 0x07064b50u;
constexpr std::uint64_t entry_signature = 0x02014b50u;
constexpr std::uint64_t end_size = 22;
constexpr std::uint64_t locator_size = 20;
constexpr std::uint64_t entry_size = 46;
constexpr std::uint64_t local_size = 30;
constexpr std::uint64_t in_64_bits = 0xffffffffu;

struct Directory {
  std::uint64_t start;
  std::uint64_t entries;
};

Directory directory_of(fs::path const& file, Bytes const& archive)
{
  constexpr std::uint64_t max_comment = 0xffff;
  if (archive.size() < end_size) { refuse_archive(file, tr("it is not a .npz archive: save one with numpy.savez")); }
  std::uint64_t const first = archive.size() - std::min(archive.size(), end_size + max_comment);
  for (std::uint64_t at = archive.size() - end_size + 1; at-- > first;) {
    if (archive.number(at, 4) != end_signature) { continue; }
    Directory directory{archive.number(at + 16, 4), archive.number(at + 10, 2)};
    bool const has_locator = at >= locator_size && archive.number(at - locator_size, 4) == end64_locator_signature;
    if (has_locator) {
      std::uint64_t const end64 = archive.number(at - locator_size + 8, 8);
      directory = {archive.number(end64 + 48, 8), archive.number(end64 + 32, 8)};
    }
    return directory;
  }
  refuse_archive(file, tr("it is not a .npz archive: save one with numpy.savez"));
}

/// The position of a member's local header and the size of its content; either may be in the extra field.
struct Place {
  std::uint64_t header;
  std::uint64_t size;   ///< compressed
  std::uint64_t bytes;  ///< unpacked
};
Place place_of(Bytes const& archive, std::uint64_t entry, std::uint64_t name_size, std::uint64_t extra_size)
{
  Place place{archive.number(entry + 42, 4), archive.number(entry + 20, 4), archive.number(entry + 24, 4)};
  std::uint64_t at = entry + entry_size + name_size;
  std::uint64_t const end = at + extra_size;
  while (at + 4 <= end) {
    std::uint64_t const kind = archive.number(at, 2);
    std::uint64_t const size = archive.number(at + 2, 2);
    std::uint64_t field = at + 4;
    if (kind == 1) {
      if (place.bytes == in_64_bits) {
        place.bytes = archive.number(field, 8);
        field += 8;
      }
      if (place.size == in_64_bits) {
        place.size = archive.number(field, 8);
        field += 8;
      }
      if (place.header == in_64_bits) { place.header = archive.number(field, 8); }
    }
    at += 4 + size;
  }
  return place;
}

}  // namespace

std::vector<ZipMember> zip_members(fs::path const& file, std::span<std::byte const> whole)
{
  constexpr std::uint64_t max_members = 4096;
  Bytes const archive(file, whole);
  Directory const directory = directory_of(file, archive);
  if (directory.entries > max_members) { refuse_archive(file, tr("it has too many arrays: save those of one table")); }
  std::vector<ZipMember> members;
  std::uint64_t entry = directory.start;
  for (std::uint64_t i = 0; i < directory.entries; ++i) {
    if (archive.number(entry, 4) != entry_signature) {
      refuse_archive(file, tr("the archive is damaged: save it again"));
    }
    std::uint64_t const name_size = archive.number(entry + 28, 2);
    std::uint64_t const extra_size = archive.number(entry + 30, 2);
    std::span<std::byte const> const name = archive.part(entry + entry_size, name_size);
    Place const place = place_of(archive, entry, name_size, extra_size);
    std::uint64_t const data =
        place.header + local_size + archive.number(place.header + 26, 2) + archive.number(place.header + 28, 2);
    members.push_back({std::string(reinterpret_cast<char const*>(name.data()), name.size()),
                       archive.part(data, place.size), place.bytes,
                       static_cast<std::uint32_t>(archive.number(entry + 10, 2))});
    entry += entry_size + name_size + extra_size + archive.number(entry + 32, 2);
  }
  return members;
}

}  // namespace slotscape::watch
