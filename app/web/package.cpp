#include "app/web/package.hpp"

#include "app/base/encoding.hpp"
#include "app/base/text.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <cctype>
#include <memory>
#include <utility>

namespace slotscape::web {
namespace {

constexpr std::string_view page_name = "index.html";

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct Free {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};

void check(bool done)
{
  if (!done) { throw Error("There is not enough memory for the package: close other programs."); }
}

void add(zip_t* archive, std::string_view name, std::string const& content)
{
  constexpr std::uint16_t date = 1 << 5 | 1;  // 1980-01-01 in MS-DOS format: equal pages make equal packages
  zip_source_t* const source = zip_source_buffer(archive, content.data(), content.size(), 0);
  check(source != nullptr);
  zip_int64_t const index = zip_file_add(archive, std::string(name).c_str(), source, ZIP_FL_ENC_UTF_8);
  check(index >= 0);
  check(zip_file_set_dostime(archive, static_cast<zip_uint64_t>(index), 0, date, 0) == 0);
}

std::string content_of(zip_source_t* source)
{
  zip_stat_t found;
  zip_stat_init(&found);
  check(zip_source_stat(source, &found) == 0 && zip_source_open(source) == 0);
  std::string content(found.size, '\0');
  zip_int64_t const got = zip_source_read(source, content.data(), content.size());
  zip_source_close(source);
  check(got == static_cast<zip_int64_t>(content.size()));
  return content;
}

/// A zip archive of files, each a name and its content.
std::string zipped(std::vector<std::pair<std::string_view, std::string>> const& files)
{
  std::unique_ptr<zip_source_t, Free> const target(zip_source_buffer_create(nullptr, 0, 0, nullptr));
  check(target != nullptr);
  zip_source_keep(target.get());  // the archive takes ownership of one of two references
  std::unique_ptr<zip_t, Discard> archive(zip_open_from_source(target.get(), ZIP_TRUNCATE, nullptr));
  check(archive != nullptr);
  for (auto const& [name, content] : files) { add(archive.get(), name, content); }
  check(zip_close(archive.get()) == 0);
  (void)archive.release();  // already freed by closing
  return content_of(target.get());
}

/// A unique XML identifier for a name.
std::string identifier(std::string_view name)
{
  std::string text = "slotscape-";
  for (char const character : name) {
    bool const is_plain = std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '-';
    text += is_plain ? std::string(1, character) : fmt::format("_{:02x}", static_cast<unsigned char>(character));
  }
  return text;
}

}  // namespace

std::string manifest_of(ExportedLesson const& lesson)
{
  return fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="{identifier}" version="1.0" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
          xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>1.2</schemaversion>
  </metadata>
  <organizations default="lesson">
    <organization identifier="lesson">
      <title>{title}</title>
      <item identifier="item" identifierref="page" isvisible="true">
        <title>{title}</title>
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="page" type="webcontent" adlcp:scormtype="sco" href="{page}">
      <file href="{page}"/>
    </resource>
  </resources>
</manifest>
)",
                     fmt::arg("identifier", identifier(lesson.name)),
                     fmt::arg("title", escaped_markup(printable(lesson.title))), fmt::arg("page", page_name));
}

std::string course_package(ExportedLesson const& lesson)
{
  if (lesson.pages > max_pages_in_course) {
    throw Error(fmt::format("The lesson has {} pages, and a course keeps the points of at most {}: split it.",
                            grouped(lesson.pages), grouped(max_pages_in_course)));
  }
  return zipped({{"imsmanifest.xml", manifest_of(lesson)}, {page_name, lesson.page}});
}

}  // namespace slotscape::web
