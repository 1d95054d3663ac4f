#include "tests/soak/record.hpp"

#include "app/base/files.hpp"
#include "app/base/json.hpp"
#include "app/base/text.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

namespace slotscape::soak {
namespace {

namespace fs = std::filesystem;

constexpr double mebibyte = 1024.0 * 1024.0;

/// "RssAnon:     1234 kB" and "RssShmem: …", in MiB.
double memory_of_process()
{
  double kibibytes = 0.0;
  std::ifstream lines("/proc/self/status");
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("RssAnon:") || line.starts_with("RssShmem:")) {
      kibibytes += std::stod(line.substr(line.find(':') + 1));
    }
  }
  return kibibytes / 1024.0;
}

double allocated_memory()
{
  auto const heap = ::mallinfo2();
  return static_cast<double>(heap.uordblks + heap.hblkhd) / mebibyte;
}

double memory_of_device(Backend backend)
{
  if (backend == Backend::cpu) { return 0.0; }
  double const all = static_cast<double>(list_devices().front().memory_bytes);
  return (all - static_cast<double>(free_memory(backend))) / mebibyte;
}

double entries_of(char const* folder)
{
  return static_cast<double>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// OpenGL gives names in turn, the free ones first.
double opengl_objects()
{
  constexpr GLuint last_name = 4096;
  std::uint64_t count = 0;
  for (GLuint name = 1; name <= last_name; ++name) {
    for (auto const is_one : {glIsBuffer, glIsTexture, glIsFramebuffer, glIsRenderbuffer, glIsVertexArray, glIsProgram,
                              glIsShader, glIsQuery}) {
      count += is_one(name) == GL_TRUE ? 1 : 0;
    }
  }
  return static_cast<double>(count);
}

Json json_of(Sample const& sample)
{
  Json json = Json::array({sample.run, sample.cycle, sample.seconds});
  for (double const each : sample.resources) { json.push_back(each); }
  return json;
}

Sample sample_of(Json const& json)
{
  Sample sample{json.at(0), json.at(1), json.at(2), {}};
  for (std::size_t i = 0; i < measures.size(); ++i) { sample.resources[i] = json.at(3 + i); }
  return sample;
}

void append_counts(std::string& text, std::string_view title, std::map<std::string, std::uint64_t> const& counts)
{
  if (counts.empty()) { return; }
  text += fmt::format("{}\n", title);
  for (auto const& [what, count] : counts) { text += fmt::format("  {:>13}  {}\n", grouped(count), what); }
}

}  // namespace

Resources resources_now(Backend backend)
{
  ::malloc_trim(0);
  return {memory_of_process(),           allocated_memory(), memory_of_device(backend), entries_of("/proc/self/fd"),
          entries_of("/proc/self/task"), opengl_objects()};
}

void Record::note_frame(std::string_view scene, std::string_view what, double seconds)
{
  ++counts["frames"];
  auto found = longest.find(scene);
  if (found == longest.end()) { found = longest.emplace(scene, LongFrame{}).first; }
  if (seconds > found->second.seconds) { found->second = {seconds, std::string(what)}; }
}

Slope Record::slope(std::size_t measure) const
{
  std::vector<Point> points;
  for (Sample const& sample : samples) {
    if (sample.cycle <= warm_up) { continue; }
    points.push_back({sample.run, sample.seconds / 3600.0, sample.resources[measure]});
  }
  return slope_of(points);
}

std::vector<std::string> Record::problems() const
{
  std::vector<std::string> found;
  for (std::size_t i = 0; i < measures.size(); ++i) {
    Slope const each = slope(i);
    if (!leaks(each, measures[i].allowance)) { continue; }
    found.push_back(fmt::format("{} grow by {:.2f} ± {:.2f} an hour", measures[i].name, each.an_hour, each.error));
  }
  for (auto const& [scene, frame] : longest) {
    if (frame.seconds <= longest_frame) { continue; }
    found.push_back(
        fmt::format("a frame of '{}' took {} of processor time: {}", scene, milliseconds(frame.seconds), frame.what));
  }
  for (auto const& [what, count] : broken) { found.push_back(fmt::format("{} ({} times)", what, count)); }
  return found;
}

std::string Record::text() const
{
  std::string text = fmt::format("{} cycles in {} runs, {:.2f} hours on the {}\n", cycles, runs, seconds / 3600.0,
                                 backend == Backend::cpu ? "CPU" : "GPU");
  append_counts(text, "done", counts);
  append_counts(text, "messages", messages);
  text += "longest frame, processor time\n";
  for (auto const& [scene, frame] : longest) {
    text += fmt::format("  {:>10}  {}: {}\n", milliseconds(frame.seconds), scene, frame.what);
  }
  text += "at the end of cycles: first, last, slope an hour\n";
  for (std::size_t i = 0; i < measures.size() && !samples.empty(); ++i) {
    Slope const each = slope(i);
    text += fmt::format("  {:<18} {:>9.1f} {:>9.1f} {:>9.2f} ± {:.2f}\n", measures[i].name,
                        samples.front().resources[i], samples.back().resources[i], each.an_hour, each.error);
  }
  std::vector<std::string> const wrong = problems();
  bool const is_judged = !samples.empty() && std::isfinite(slope(0).error);
  text += is_judged ? "" : "too few cycles to say whether memory and handles grow\n";
  text += wrong.empty() ? "nothing is wrong\n" : "";
  for (std::string const& each : wrong) { text += fmt::format("WRONG: {}\n", each); }
  return text;
}

void write(fs::path const& file, Record const& record)
{
  Json document{{"version", 1},
                {"backend", record.backend == Backend::cpu ? "cpu" : "cuda"},
                {"seed", record.seed},
                {"runs", record.runs},
                {"cycles", record.cycles},
                {"seconds", record.seconds},
                {"counts", record.counts},
                {"messages", record.messages},
                {"broken", record.broken}};
  Json& longest = document["longest"] = Json::object();
  for (auto const& [scene, frame] : record.longest) {
    longest[scene] = {{"seconds", frame.seconds}, {"what", frame.what}};
  }
  Json& samples = document["samples"] = Json::array();
  for (Sample const& sample : record.samples) { samples.push_back(json_of(sample)); }
  write_text_file(file, format_json(document));
}

Record read(fs::path const& file)
{
  if (!fs::exists(file)) { return {}; }
  Json const document = parse_json(read_text_file(file), file.string());
  Record record;
  try {
    record.backend = document.at("backend") == "cuda" ? Backend::cuda : Backend::cpu;
    record.seed = document.at("seed");
    record.runs = document.at("runs");
    record.cycles = document.at("cycles");
    record.seconds = document.at("seconds");
    record.counts = document.at("counts");
    record.messages = document.at("messages");
    record.broken = document.at("broken");
    for (auto const& [scene, frame] : document.at("longest").items()) {
      record.longest[scene] = {frame.at("seconds"), frame.at("what")};
    }
    for (Json const& sample : document.at("samples")) { record.samples.push_back(sample_of(sample)); }
  } catch (Json::exception const& error) {
    throw Error(fmt::format("{} is not the state of a soak ({}): name another --state.", file.string(), error.what()));
  }
  return record;
}

}  // namespace slotscape::soak
