#include "app/base/temporary_file.hpp"

#include "app/base/files.hpp"

#include <mutex>
#include <set>
#include <utility>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

struct TemporaryFiles {
  std::mutex mutex;  ///< a worker thread may destroy its keys' temporary file
  std::multiset<fs::path> files;
};

TemporaryFiles& all()
{
  static TemporaryFiles files;
  return files;
}

}  // namespace

TemporaryFile::TemporaryFile(fs::path const& file) : file_(fs::absolute(file).lexically_normal())
{
  std::scoped_lock const lock(all().mutex);
  all().files.insert(file_);
}

TemporaryFile::~TemporaryFile()
{
  remove_quietly(file_);
  std::scoped_lock const lock(all().mutex);
  all().files.erase(all().files.find(file_));
}

bool is_temporary(fs::path const& file)
{
  std::scoped_lock const lock(all().mutex);
  return all().files.contains(fs::absolute(file).lexically_normal());
}

}  // namespace slotscape
