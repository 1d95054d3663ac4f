// Replaces libzip in web pages, which read arrays from archives and write no archives.

#include "app/base/deflate.hpp"
#include "app/base/npy.hpp"
#include "app/base/text.hpp"
#include "app/watch/zip_members.hpp"
#include "app/web/package.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

namespace slotscape {

std::vector<std::byte> watch::unpacked(std::filesystem::path const& file, ZipMember const& member, std::uint64_t room,
                                       Progress const& /*progress*/)
{
  constexpr std::uint32_t deflate = 8;
  if (member.bytes > room) {
    refuse_archive(file, tr("its compressed arrays unpack to more than {}; save them with numpy.savez, which does not "
                            "compress",
                            bytes_text(max_unpacked)));
  }
  auto content = member.method == deflate ? inflated(member.stored, member.bytes) : std::nullopt;
  if (!content) { refuse_archive(file, tr("the archive is damaged: save it again")); }
  return std::move(*content);
}

void write_npz(std::filesystem::path const& /*file*/,
               std::vector<std::pair<std::string, std::string>> const& /*arrays*/)
{
  throw Error(tr("A page cannot write .npz files: use the desktop program."));
}

std::string web::course_package(ExportedLesson const& /*lesson*/)
{
  throw Error(tr("A page cannot export lessons: use the desktop program."));
}

}  // namespace slotscape
