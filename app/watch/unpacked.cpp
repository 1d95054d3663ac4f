#include "app/watch/zip_members.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <memory>

namespace slotscape::watch {

namespace fs = std::filesystem;

std::vector<std::byte> unpacked(fs::path const& file, ZipMember const& wanted, std::uint64_t room,
                                Progress const& progress)
{
  struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
  };
  struct Close {
    void operator()(zip_file_t* member) const { zip_fclose(member); }
  };
  std::unique_ptr<zip_t, Discard> const archive(zip_open(file.string().c_str(), ZIP_RDONLY, nullptr));
  zip_stat_t found;
  zip_stat_init(&found);
  if (!archive || zip_stat(archive.get(), wanted.name.c_str(), 0, &found) != 0 || (found.valid & ZIP_STAT_SIZE) == 0) {
    refuse_archive(file, tr("the archive is damaged: save it again"));
  }
  if (found.size > room) {
    refuse_archive(file, tr("its compressed arrays unpack to more than {}; save them with numpy.savez, which does not "
                            "compress",
                            bytes_text(max_unpacked)));
  }
  std::string const shown = printable(valid_text(wanted.name));
  std::unique_ptr<zip_file_t, Close> const member(zip_fopen(archive.get(), wanted.name.c_str(), 0));
  if (!member) { refuse_archive(file, tr("its array {} cannot be unpacked; save it with numpy.savez", shown)); }
  constexpr std::uint64_t at_once = std::uint64_t{1} << 24;
  std::vector<std::byte> content;
  while (content.size() < found.size) {
    std::size_t const before = content.size();
    content.resize(before + std::min<std::uint64_t>(at_once, found.size - before));
    zip_int64_t const got = zip_fread(member.get(), content.data() + before, content.size() - before);
    if (got <= 0) { refuse_archive(file, tr("its array {} ends early: the archive is damaged", shown)); }
    content.resize(before + static_cast<std::size_t>(got));
    progress.require(static_cast<double>(content.size()) / static_cast<double>(found.size));
  }
  return content;
}

}  // namespace slotscape::watch
