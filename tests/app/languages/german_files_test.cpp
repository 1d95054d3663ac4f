// German is complete in what readers find wrong in files: models, arrays, pictures, scenarios and lessons.

#include "app/base/npy.hpp"
#include "app/clouds/load_cloud.hpp"
#include "app/lessons/lesson.hpp"
#include "app/pictures/picture_file.hpp"
#include "app/scene/scenario.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/languages/german.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/app/support/typed_words.hpp"

#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <functional>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace slotscape {
namespace {

struct FileToRead {
  std::string name;
  std::string content;
};

/// The names of fields and formats are what they are.
void expect_in_german(std::function<std::vector<std::string>()> const& say, std::set<std::string>& said)
{
  static std::regex const field(R"(^: [a-z_.0-9\[\]]+: )");
  static std::regex const left(R"(\b(the|are|its|would|must|there|it)\b)");
  std::vector<std::string> const english = say();
  InLanguage const language("de");
  std::vector<std::string> const german = say();
  ASSERT_EQ(german.size(), english.size());
  for (std::size_t i = 0; i < german.size(); ++i) {
    EXPECT_NE(german[i], english[i]);
    EXPECT_FALSE(std::regex_search(std::regex_replace(german[i], field, ""), left)) << german[i];
    said.insert(german[i]);
  }
}

/// What is said of each file, without its name: all of it in German.
void expect_said_of(std::vector<FileToRead> const& files,
                    std::function<std::vector<std::string>(std::filesystem::path const&)> const& read)
{
  test::TemporaryFolder const folder;
  std::set<std::string> said;
  for (FileToRead const& each : files) {
    std::filesystem::path const file = folder.write(each.name, each.content);
    auto const say = [&] {
      try {
        return read(file);
      } catch (Error const& error) {
        std::string const what = error.what();
        return std::vector{what.substr(what.find(each.name) + each.name.size())};
      }
    };
    SCOPED_TRACE(each.content);
    EXPECT_FALSE(say().empty()) << "nothing is said of it";
    expect_in_german(say, said);
  }
  EXPECT_GT(4 * said.size(), 3 * files.size()) << "most files were to have something of their own be said of them";
}

std::vector<std::string> read_model(std::filesystem::path const& file)
{
  return clouds::load_cloud(file, {}, {}).notes;
}

std::vector<FileToRead> models()
{
  std::string const ply = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n";
  std::string const pcd = "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\n";
  return {
      {"a.xyz", ""},
      {"a.bin", std::string("\1\2\3\4", 4)},
      {"a.ply", "plx\n"},
      {"b.ply", ply},
      {"c.ply", ply + "end_header\n0 0\n1 1\n"},
      {"d.ply", ply + "property float z\nend_header\n0 0 0\n"},
      {"e.ply", ply + "property float z\nend_header\n0 0 0\n1 x 1\n"},
      {"f.ply", ply + "property float z\nnothing\n"},
      {"a.pcd", pcd},
      {"b.pcd", pcd + "WIDTH 2\nHEIGHT 1\nPOINTS 3\nDATA ascii\n0 0 0\n"},
      {"c.pcd", pcd + "WIDTH 2\nHEIGHT 1\nPOINTS 2\nDATA ascii\n0 0 0\n"},
      {"d.pcd", pcd + "WIDTH 1\nHEIGHT 1\nPOINTS 1\nDATA ascii\n0 0\n"},
      {"e.pcd", pcd + "WIDTH 1\nHEIGHT 1\nPOINTS 1\nDATA zipped\n0 0\n"},
      {"a.off", "OFF\n3\n"},
      {"b.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n"},
      {"c.off", "OFF BINARY\n3 1 0\n"},
      {"d.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n"},
      {"a.obj", "v 0 0\n"},
      {"b.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n"},
      {"c.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"},
      {"a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n"},
      {"b.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\nendfacet\n"},
      {"b.xyz", "1 2 3\n4 5\n"},
      {"c.xyz", "1 2 3\n4 five 6\n"},
      {"a.csv", "a,b,c\n1,2,3\n"},
      {"b.csv", "x,y,z\n1,2,3\n4,5,6,7\n"},
      {"c.csv", "x;y;z\n1;2;3\n4;5;6;7\n"},
      {"d.csv", "x;y;z\n1,5;2;3\n1.5;2;3\n"},
      {"d.xyz", "1 2 3\nnan nan nan\n4 5 6\n7 8 9\n"},
      {"e.xyz", "nan nan nan\n"},
      {"a.las", "LASF" + std::string(20, '\0')},
      {"b.las", "LASF" + std::string(400, '\0')},
  };
}

TEST(GermanFiles, SayWhatIsWrongInModels)
{
  expect_said_of(models(), read_model);
}

std::string npy_with(std::string const& header, std::string const& data = {})
{
  std::string const padded = header + '\n';
  return std::string("\x93NUMPY\1\0", 8) + static_cast<char>(padded.size()) + '\0' + padded + data;
}

TEST(GermanFiles, SayWhatIsWrongInArrays)
{
  std::vector<FileToRead> const arrays{
      {"a.npy", "no array"},
      {"b.npy", npy_with("{'shape': (2,)}")},
      {"c.npy", npy_with("{'descr': '|O', 'shape': (2,)}")},
      {"d.npy", npy_with("{'descr': '<x4', 'shape': (2,)}")},
      {"e.npy", npy_with("{'descr': '<i16', 'shape': (2,)}")},
      {"f.npy", npy_with("{'descr': '<i4', 'shape': (2,2,2)}")},
      {"g.npy", npy_with("{'descr': '<i4', 'shape': (2,3)}", "1234")},
      {"h.npy", npy_with("{'descr': '<i4', 'shape': 2}", "1234")},
      {"i.npy", npy_with("{'descr': '<f4', 'shape': (1,)}", std::string("\0\0\0\x3f", 4))},
      {"j.npy", npy_with("{'descr': '|S4', 'shape': (1,)}", "abcd")},
  };
  expect_said_of(arrays, [](std::filesystem::path const& file) {
    read_npy(file);
    return std::vector<std::string>();
  });
}

TEST(GermanFiles, SayWhatIsWrongInPictures)
{
  std::vector<FileToRead> const pictures{
      {"a.png", ""},
      {"b.png", "no picture"},
      {"c.gif", "GIF89a"},
      {"d.tif", std::string("II*\0", 4)},
      {"e.pgm", "P5\n2 2\n255\nabcd"},
      {"f.pgm", "P5\n100000 100000\n255\nabcd"},
      {"g.pgm", "P5\n100 100\n255\nabcd"},
  };
  expect_said_of(pictures, [](std::filesystem::path const& file) { return pictures::read_picture(file).findings; });
}

TEST(GermanFiles, SayWhatIsWrongInScenarios)
{
  std::vector<FileToRead> const scenarios{
      {"a.json", ""},
      {"b.json", "{"},
      {"c.json", R"({ "version": 1, "version": 1 })"},
      {"d.json", R"({ "version": 99 })"},
      {"e.json", R"({ "table": {} })"},
      {"f.json", R"({ "version": 1, "tabel": {} })"},
      {"g.json", R"({ "version": 1, "table": [] })"},
      {"h.json", R"({ "version": 1, "table": { "family": "linear" } })"},
      {"i.json", R"({ "version": 1, "table": { "slots": 0.5 } })"},
      {"j.json", R"({ "version": 1, "steps": {} })"},
      {"k.json", R"({ "version": 1, "steps": [ 1 ] })"},
      {"l.json", R"({ "version": 1, "title": 1 })"},
      {"m.json", R"({ "version": 1, "keys": { "file": "/etc/passwd" } })"},
      {"n.json", R"({ "version": 1, "drive": { "insert": -1 } })"},
      {"o.json", R"({ "version": 1, "drive": { "insert": 0, "find": 0, "erase": 0 } })"},
      {"p.json", R"({ "version": 1, "view": { "center": [1] } })"},
  };
  expect_said_of(scenarios, [](std::filesystem::path const& file) {
    read_scenario(scenes(), file);
    return std::vector<std::string>();
  });
}

TEST(GermanFiles, SayWhatIsWrongInLessons)
{
  auto const page = [](std::string const& content) {
    return R"({ "version": 1, "title": "A", "pages": [ )" + content + " ] }";
  };
  std::vector<FileToRead> const files{
      {"a.json", R"({ "version": 9, "title": "A", "pages": [] })"},
      {"b.json", R"({ "version": 1, "title": "A", "pages": [] })"},
      {"c.json", R"({ "version": 1, "title": "A", "playlist": [] })"},
      {"d.json", page(R"({ "title": "A" })")},
      {"e.json", page(R"({ "title": "A", "text": "Text", "claims": [ { "says": "Other", "of": "1", "is": 1 } ] })")},
      {"f.json", page(R"({ "title": "A", "text": "Text", "task": { "kind": "guess" } })")},
      {"g.json", page(R"({ "title": "A", "text": "Text {1 / 0}" })")},
      {"h.json", page(R"({ "title": "A", "text": "Text {unknown}" })")},
  };
  expect_said_of(files, [](std::filesystem::path const& file) {
    lessons::read_lesson(scenes(), file, [](JsonNode const& name) { return name.file(); });
    return std::vector<std::string>();
  });
}

TEST(German, SaysWhatIsWrongWithOptions)
{
  std::vector<test::Words> const wrong{
      {"--seed", "x"},
      {"--size", "1x1"},
      {"--size"},
      {"--size", "800x600", "--size", "800x600"},
      {"--size", ""},
      {"--sizee", "1"},
      {"--theme", "pink"},
      {"--device", "-1"},
      {"--device", "0", "--backend", "cpu"},
      {"--screenshot", "a.png"},
      {"run"},
      {"run", "a.json", "--frames", "0"},
      {"run", "a.json", "b.json"},
      {"run", "a.json", "--slide", "a.gif"},
      {"run", "a.json", "--slide-size", "800x600"},
      {"run", "a.json", "--slide", "a.png", "--slide-scale", "x"},
      {"a.json", "b.json"},
      {"./no-such-file"},
      {"no-such-command"},
      {"/"},
      {"lesson", "--page", "0"},
      {"lesson", "--headless"},
      {"lesson", "a", "b"},
      {"lesson", "--check"},
      {"lesson", "a", "--solved"},
      {"lesson", "a", "--record", "b"},
      {"lesson", "a", "--headless", "--record", "b.mp4"},
      {"lesson", "export", "a"},
      {"lesson", "export", "--web", "b"},
      {"lesson", "export", "a", "--all", "--web", "b"},
      {"lesson", "export", "a", "--web", "b", "--pass", "5"},
      {"lesson", "export", "a", "--scorm", "b.pdf"},
      {"lesson", "export", "a", "b", "--scorm", "c.zip"},
      {"lesson", "export", "a", "b", "--web", "c.html"},
      {"lesson", "grade"},
      {"lecture"},
      {"serve", "--port", "x"},
      {"serve", "--origin", "example.org"},
      {"serve", "--origin", "https://example.org/a"},
      {"spatial", "no-such-file.ply"},
      {"spatial", "--voxel", "1"},
      {"sparse", "no-such-file.csv"},
      {"match", "--shift", "1"},
      {"match", "--frame", "7"},
      {"races", "--case", "none"},
  };
  std::set<std::string> said;
  test::expect_all_in_german(
      [&] {
        std::vector<std::string> all;
        for (test::Words const& words : wrong) {
          all.push_back(test::wrong_in(words));
          EXPECT_NE(all.back(), "nothing was thrown") << fmt::format("{}", fmt::join(words, " "));
        }
        return all;
      },
      said);
  EXPECT_GT(said.size(), wrong.size() - 5);
}

}  // namespace
}  // namespace slotscape
