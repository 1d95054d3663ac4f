#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace slotscape::gl {

/// A linked shader program from `shaders/NAME.vert` and `shaders/NAME.frag`: embedded in the binary at build time, or,
/// in development, read from the folder in the environment variable SLOTSCAPE_SHADERS, where `reload_if_changed` picks
/// up edits. A line `#include "FILE"` is replaced by another file of the folder, which includes none itself. Throws
/// Error with the compiler's log.
class Program {
public:
  explicit Program(std::string name);
  ~Program();
  Program(Program const&) = delete;
  Program& operator=(Program const&) = delete;

  void use() const;
  /// Throws Error with the compiler's log, once per edit, and keeps the previous program.
  void reload_if_changed();
  int uniform(std::string_view name) const;  ///< location; throws std::logic_error if the shader has no such uniform

private:
  std::string name_;
  unsigned program_ = 0;
  std::filesystem::file_time_type newest_edit_{};
};

}  // namespace slotscape::gl
