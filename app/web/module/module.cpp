// The interface for a page's script: JSON in, JSON out.

#include "app/base/catalogue_json.hpp"
#include "app/base/interrupt.hpp"
#include "app/base/json.hpp"
#include "app/keys/files/key_file.hpp"
#include "app/web/page_lesson.hpp"
#include "gpu/base/error.hpp"

#include <memory>
#include <string>
#include <string_view>

/// A page has no files: this definition replaces the one that needs file libraries.
slotscape::key_files::MadeKeys slotscape::key_files::read(std::filesystem::path const&, KeyReading const&)
{
  throw Error("A page of its own reads no files.");
}

/// A page receives no signals.
bool slotscape::is_interrupted()
{
  return false;
}
std::string_view slotscape::interrupt_name()
{
  return {};
}

namespace slotscape::web {
namespace {

/// The page's only lesson, while the page is open.
struct Opened {
  Catalogue catalogue;  ///< for the page's language
  std::unique_ptr<PageLesson> lesson;
  std::string reply;
};

Json reply_to(Opened& opened, Json const& request)
{
  JsonNode const node(request, "request");
  if (node.at("do").text() == "open") {
    lessons::Progress progress;
    read_fields(node.at("progress"), progress);
    if (auto const catalogue = node.find("catalogue")) {
      opened.catalogue = read_catalogue_json(*catalogue);
      use_catalogue(&opened.catalogue);
    }
    std::string const name = node.at("name").text();
    Json document = parse_json(node.at("lesson").text(), name);
    opened.lesson = std::make_unique<PageLesson>(std::move(document), name, std::move(progress));
    return opened.lesson->ask({{"do", "show"}});
  }
  if (!opened.lesson) { node.fail("no lesson is open"); }
  return opened.lesson->ask(request);
}

}  // namespace
}  // namespace slotscape::web

/// Executes `request` (of `PageLesson`, or { "do": "open", "name", "lesson", "progress" }, with a "catalogue" for
/// languages other than English), and returns what to show, or { "error": … }. The text is valid until the next call.
extern "C" char const* slotscape_ask(char const* request)
{
  using namespace slotscape;
  static web::Opened opened;
  try {
    opened.reply = web::reply_to(opened, parse_json(request, "request")).dump();
  } catch (std::exception const& error) {
    opened.reply = Json{{"error", error.what()}}.dump();
  }
  return opened.reply.c_str();
}
