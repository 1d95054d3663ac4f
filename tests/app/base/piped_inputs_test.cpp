#include "app/base/piped_inputs.hpp"

#include "app/base/files.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/app/support/typed_words.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace slotscape {
namespace {

using test::message_of;
using test::TemporaryFolder;
using ::testing::HasSubstr;

/// Puts a file in the place of standard input while it lives.
class StandardInput {
public:
  explicit StandardInput(std::filesystem::path const& file) : before_(::dup(STDIN_FILENO))
  {
    int const opened = ::open(file.c_str(), O_RDONLY);
    ::dup2(opened, STDIN_FILENO);
    ::close(opened);
    std::clearerr(stdin);
  }
  ~StandardInput()
  {
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
    std::clearerr(stdin);
  }
  StandardInput(StandardInput const&) = delete;
  StandardInput& operator=(StandardInput const&) = delete;

private:
  int before_;
};

TEST(PipedInputs, StandardInputBecomesAFileThatIsReadAgain)
{
  TemporaryFolder const folder;
  std::string kept;
  {
    StandardInput const input(folder.write("a.xyz", "0 0 0\n1 0 0\n"));
    PipedInputs piped;
    kept = piped.file_of("-");
    EXPECT_EQ(read_text_file(kept), "0 0 0\n1 0 0\n");
    EXPECT_EQ(piped.file_of("/dev/stdin"), kept) << "there is one standard input";
  }
  EXPECT_FALSE(std::filesystem::exists(kept)) << "when it is no longer needed";
}

TEST(PipedInputs, PipesAreReadToTheirEnds)
{
  TemporaryFolder const folder;
  std::string const pipe = (folder / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::string const content(3'000'000, 'x');
  std::thread writer([&] { std::ofstream(pipe) << content; });
  PipedInputs piped;
  EXPECT_EQ(read_text_file(piped.file_of(pipe)), content);
  writer.join();
}

TEST(PipedInputs, OtherWordsStayAndDevicesAreRefused)
{
  TemporaryFolder const folder;
  PipedInputs piped;
  std::string const file = folder.write("a.xyz", "0 0 0\n").string();
  for (std::string const& word : {std::string("sphere"), std::string("none.ply"), file, std::string("/dev/zero")}) {
    EXPECT_EQ(piped.file_of(word), word);
  }
  StandardInput const input("/dev/zero");
  EXPECT_THAT(message_of<Error>([&] { piped.file_of("-"); }), HasSubstr("neither a file nor a pipe"));
}

TEST(PipedInputs, ModelsComeFromStandardInput)
{
  TemporaryFolder const folder;
  StandardInput const input(folder.write("a.xyz", "0 0 0\n1 0 0\n"));
  auto const options = test::parse({"spatial", "-", "cube"});
  ASSERT_TRUE(options);
  EXPECT_TRUE(options->subcommand->set_up().has_value()) << "a second time, too";
}

}  // namespace
}  // namespace slotscape
