#include "app/tuning/report.hpp"

#include "app/base/text.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/simulation/names.hpp"
#include "app/tuning/check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace slotscape::tuning {
namespace {

using Cells = std::vector<std::string>;

/// The elements of a page, independent of the output format.
class Page {
public:
  Page() = default;
  Page(Page const&) = delete;
  Page& operator=(Page const&) = delete;
  virtual ~Page() = default;

  virtual void title(std::string const& text) = 0;
  virtual void heading(std::string const& text) = 0;
  virtual void paragraph(std::string const& text) = 0;
  virtual void list(std::vector<Sentence> const& sentences) = 0;
  virtual void table(Cells const& head, std::vector<Cells> const& rows) = 0;
  virtual void code(std::string const& text) = 0;
  virtual void picture(std::size_t number) = 0;
};

std::string escaped(std::string_view text)
{
  std::string safe;
  for (char const letter : text) {
    switch (letter) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      default: safe += letter;
    }
  }
  return safe;
}

class HtmlPage final : public Page {
public:
  explicit HtmlPage(std::vector<Picture> const& pictures) : pictures_(pictures) {}

  void title(std::string const& text) override
  {
    text_ += fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n<style>\n"
        "body {{ font: 16px/1.5 Roboto, 'DejaVu Sans', Arial, sans-serif; color: #141b24; max-width: 58em; "
        "margin: 2em auto; padding: 0 1em; }}\n"
        "table {{ border-collapse: collapse; font-size: 14px; }}\n"
        "th, td {{ text-align: left; padding: 0.2em 0.8em 0.2em 0; border-bottom: 1px solid #d5dae1; }}\n"
        "svg {{ width: 100%; height: auto; }}\n.warning {{ color: #a33; }}\n"
        "pre {{ background: #f2f4f7; padding: 0.7em; white-space: pre-wrap; "
        "}}\n</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
        escaped(text));
  }
  void heading(std::string const& text) override { text_ += fmt::format("<h2>{}</h2>\n", escaped(text)); }
  void paragraph(std::string const& text) override { text_ += fmt::format("<p>{}</p>\n", escaped(text)); }
  void list(std::vector<Sentence> const& sentences) override
  {
    text_ += "<ul>\n";
    for (Sentence const& sentence : sentences) {
      text_ += fmt::format("<li{}>{}</li>\n", sentence.warns ? " class=\"warning\"" : "", escaped(sentence.text));
    }
    text_ += "</ul>\n";
  }
  void table(Cells const& head, std::vector<Cells> const& rows) override
  {
    text_ += "<table>\n";
    row("th", head);
    for (Cells const& cells : rows) { row("td", cells); }
    text_ += "</table>\n";
  }
  void code(std::string const& text) override { text_ += fmt::format("<pre>{}</pre>\n", escaped(text)); }
  void picture(std::size_t number) override
  {
    std::string_view svg = pictures_[number].svg;
    svg.remove_prefix(std::min(svg.find("<svg"), svg.size()));  // drops the XML declaration
    text_ += fmt::format("<figure>\n{}\n</figure>\n", svg);
  }

  std::string finished() const { return text_ + "</body>\n</html>\n"; }

private:
  void row(std::string_view cell, Cells const& cells)
  {
    text_ += "<tr>";
    for (std::string const& text : cells) { text_ += fmt::format("<{0}>{1}</{0}>", cell, escaped(text)); }
    text_ += "</tr>\n";
  }

  std::vector<Picture> const& pictures_;
  std::string text_;
};

class MarkdownPage final : public Page {
public:
  explicit MarkdownPage(std::vector<std::pair<std::string, std::string>> const& pictures) : pictures_(pictures) {}

  void title(std::string const& text) override { text_ += fmt::format("# {}\n", text); }
  void heading(std::string const& text) override { text_ += fmt::format("\n## {}\n", text); }
  void paragraph(std::string const& text) override { text_ += fmt::format("\n{}\n", text); }
  void list(std::vector<Sentence> const& sentences) override
  {
    text_ += '\n';
    for (Sentence const& sentence : sentences) {
      text_ += sentence.warns ? fmt::format("- **{}**\n", sentence.text) : fmt::format("- {}\n", sentence.text);
    }
  }
  void table(Cells const& head, std::vector<Cells> const& rows) override
  {
    Cells const rule(head.size(), "---");
    text_ += fmt::format("\n| {} |\n| {} |\n", fmt::join(head, " | "), fmt::join(rule, " | "));
    for (Cells const& cells : rows) { text_ += fmt::format("| {} |\n", fmt::join(cells, " | ")); }
  }
  void code(std::string const& text) override { text_ += fmt::format("\n```\n{}\n```\n", text); }
  void picture(std::size_t number) override
  {
    text_ += fmt::format("\n![{}]({})\n", pictures_[number].first, pictures_[number].second);
  }

  std::string const& finished() const { return text_; }

private:
  std::vector<std::pair<std::string, std::string>> const& pictures_;
  std::string text_;
};

std::string shares_text(Workload const& workload, double match)
{
  if (workload.join) { return join_text(workload, match); }
  double const all = workload.operations();
  std::vector<std::string> parts;
  for (auto const& [share, name] : {std::pair(workload.insert, "insertions"), std::pair(workload.hit, "hits"),
                                    std::pair(workload.miss, "misses"), std::pair(workload.erase, "erasures")}) {
    if (share > 0.0) { parts.push_back(fmt::format("{:.0f} % {}", 100.0 * share / all, name)); }
  }
  return listed(parts);
}

std::string workload_text(Results const& results)
{
  Workload const& workload = results.workload;
  bool const from_file = workload.source.distribution == KeyDistribution::file;
  std::string const source =
      from_file ? workload.source.file_name.substr(workload.source.file_name.rfind('/') + 1) +
                      (workload.source.file_column.empty() ? "" : fmt::format(" ({})", workload.source.file_column))
                : std::string(to_text(workload.source.distribution));
  std::string text = fmt::format("{} live keys of {} bits, {}; {}", grouped(results.different), workload.key_bits,
                                 source, shares_text(workload, results.match));
  if (results.inserts != results.different) { text += fmt::format("; {} insertions", grouped(results.inserts)); }
  if (workload.growth > 1.0) { text += fmt::format("; grown {:g} times", workload.growth); }
  if (workload.batch != 0) { text += fmt::format("; batches of {}", grouped(workload.batch)); }
  if (workload.at_once) { text += "; all kinds at once"; }
  if (!workload.values) { text += "; keys without values"; }
  if (workload.division.divides()) { text += "; " + text_of(workload.division); }
  if (workload.max_bytes > 0.0) { text += fmt::format("; at most {:g} bytes a key", workload.max_bytes); }
  return text + ".";
}

Cells cells_of(Measured const& measured)
{
  return {title_of(measured),
          fmt::format("{:.1f}", 1e-6 * measured.throughput),
          measured.uncertainty > 1.0 ? std::string("not known") : fmt::format("± {}", percent(measured.uncertainty)),
          fmt::format("{:.1f}", measured.bytes_per_key),
          measured.accesses ? fmt::format("{:.2f}", measured.accesses->mean) : "–",
          measured.accesses ? std::to_string(measured.accesses->p99) : "–",
          measured.worst_batch_seconds > 0.0 ? milliseconds(measured.worst_batch_seconds) : "–"};
}

void add_frontier(Page& page, Results const& results, Choice const& choice)
{
  page.heading("The efficient frontier");
  page.paragraph(
      "Nothing that was measured closely is both faster and smaller than one of these, beyond the uncertainty.");
  std::vector<Cells> rows;
  for (std::size_t const i : choice.frontier) { rows.push_back(cells_of(results.measured[i])); }
  if (results.present && std::ranges::find(choice.frontier, *results.present) == choice.frontier.end()) {
    rows.push_back(cells_of(results.measured[*results.present]));
    rows.back().front() += results.stands_in() ? " (closest to the present one)" : " (present)";
  }
  std::string const rate = results.workload.join ? "Million rows a second" : "Million operations a second";
  page.table({"Table", rate, "Uncertainty", "Bytes a key", "Accesses of a lookup", "p99", "Slowest batch"}, rows);
}

void add_check(Page& page, Check const& check)
{
  page.heading("To check it");
  if (!check.command.empty()) {
    page.code(check.command);
    page.paragraph(fmt::format("On the same device, with nothing else at work, it should bring these rates again, {}:",
                               nearness_of(check)));
    std::vector<Cells> rows;
    for (CheckRow const& row : check.rows) {
      rows.push_back({row.operation, fmt::format("{:.1f}", 1e-6 * row.rate), percent(row.spread)});
    }
    page.table({"Operation", "Million operations a second", "Spread"}, rows);
  }
  if (!check.remark.empty()) { page.paragraph(check.remark); }
}

std::string slots_text(double slots)
{
  return slots < 100.0 ? fmt::format("{:.2f}", slots) : short_number(slots);
}

void add_hashes(Page& page, Results const& results)
{
  if (results.hashes.empty()) { return; }
  page.heading("Hashes of these keys");
  page.paragraph(fmt::format("In a table of {} slots at α {:.2f}; slots that lookups read are those of linear probing.",
                             grouped(results.hashes.front().slots), results.hashes.front().load()));
  std::vector<Cells> rows;
  for (HashUniformity const& hash : results.hashes) {
    rows.push_back({std::string(to_text(hash.hash)), fmt::format("{:.1f}", hash.z), percent(hash.shared),
                    percent(hash.expected_shared), grouped(hash.longest_run),
                    fmt::format("{:.0f}", hash.expected_longest_run), slots_text(hash.probing.hit),
                    slots_text(hash.random_probing.hit), slots_text(hash.probing.miss),
                    slots_text(hash.random_probing.miss), std::string(to_label(hash.evenness()))});
  }
  page.table({"Hash", "χ² (standard deviations)", "Keys that share a home", "of random homes", "Longest run",
              "of random homes", "Slots of a hit", "of random homes", "Slots of a miss", "of random homes", ""},
             rows);
  for (HashUniformity const& hash : results.hashes) { page.paragraph(verdict_of(hash)); }
}

/// Each reason once, with the tables it applies to.
void add_skipped(Page& page, Results const& results)
{
  if (results.skipped.empty()) { return; }
  std::map<std::string, std::vector<std::string>> reasons;
  for (Skipped const& skipped : results.skipped) { reasons[skipped.why.text()].push_back(title_of(skipped.candidate)); }
  page.heading("Not measured");
  std::vector<Cells> rows;
  for (auto const& [why, titles] : reasons) {
    std::string const more = titles.size() > 3 ? fmt::format("; and {} more", titles.size() - 3) : "";
    std::size_t const shown = std::min<std::size_t>(titles.size(), 3);
    rows.push_back(
        {fmt::format("{}{}", fmt::join(titles.begin(), titles.begin() + static_cast<std::ptrdiff_t>(shown), "; "),
                     more),
         why});
  }
  page.table({"Table", "Why"}, rows);
}

void write_page(Page& page, Results const& results, std::size_t pictures)
{
  Choice const choice = choose(results);
  page.title(fmt::format("{}: which hash table?", results.workload.name));
  page.paragraph(workload_text(results));
  for (std::string const& finding : findings_of(results.workload)) { page.paragraph(finding); }
  bool const on_several = results.workload.division.devices == ShardDevices::each && results.devices > 1;
  page.paragraph(fmt::format("Measured on {}{} by Slotscape " SLOTSCAPE_VERSION ".",
                             on_several ? fmt::format("{} × ", results.devices) : "", results.device));
  page.heading("Answer");
  page.list(answer_of(results, choice));
  for (std::size_t i = 0; i < pictures; ++i) { page.picture(i); }
  add_frontier(page, results, choice);
  if (choice.winner) { add_check(page, check_of(results, results.measured[*choice.winner])); }
  add_hashes(page, results);
  add_skipped(page, results);
}

}  // namespace

std::string html_report(Results const& results, std::vector<Picture> const& pictures)
{
  HtmlPage page(pictures);
  write_page(page, results, pictures.size());
  return page.finished();
}

std::string markdown_report(Results const& results, std::vector<std::pair<std::string, std::string>> const& pictures)
{
  MarkdownPage page(pictures);
  write_page(page, results, pictures.size());
  return page.finished();
}

}  // namespace slotscape::tuning
