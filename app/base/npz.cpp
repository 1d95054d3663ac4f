#include "app/base/encoding.hpp"
#include "app/base/npy.hpp"
#include "app/base/replaced_file.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <zip.h>

#include <memory>

namespace slotscape {

namespace fs = std::filesystem;

void write_npz(fs::path const& file, std::vector<std::pair<std::string, std::string>> const& arrays)
{
  struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
  };
  auto const cannot = [&](char const* why) { return Error(tr("Cannot write {}: {}", path_text(file), why)); };
  replace_file(file, [&](fs::path const& temporary) {
    int code = 0;
    std::unique_ptr<zip_t, Discard> archive(zip_open(temporary.string().c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
    if (!archive) {
      zip_error_t error;
      zip_error_init_with_code(&error, code);
      Error const failure = cannot(zip_error_strerror(&error));
      zip_error_fini(&error);
      throw failure;
    }
    for (auto const& [name, content] : arrays) {
      zip_source_t* const source = zip_source_buffer(archive.get(), content.data(), content.size(), 0);
      if (source == nullptr) { throw cannot(zip_strerror(archive.get())); }
      zip_int64_t const index = zip_file_add(archive.get(), (name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
      if (index < 0) {
        zip_source_free(source);
        throw cannot(zip_strerror(archive.get()));
      }
      zip_set_file_compression(archive.get(), static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
      zip_file_set_mtime(archive.get(), static_cast<zip_uint64_t>(index), 0, 0);  // equal arrays give equal files
    }
    if (zip_close(archive.get()) != 0) { throw cannot(zip_strerror(archive.get())); }
    static_cast<void>(archive.release());  // closed
  });
}

}  // namespace slotscape
