#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace slotscape::gl {

/// A linked shader program from `shaders/NAME.vert` and `shaders/NAME.frag`: embedded in the binary at build time, or
/// read from the folder in the environment variable SLOTSCAPE_SHADERS in development, where `reload_if_changed` picks
/// up edits. A line `#include "FILE"` stands for another file of the folder, which includes none itself. Throws Error
/// with the compiler's log.
class Program {
public:
  explicit Program(std::string name);
  ~Program();
  Program(Program const&) = delete;
  Program& operator=(Program const&) = delete;

  void use() const;
  /// Throws Error with the compiler's log, once for each edit, and keeps the program that was.
  void reload_if_changed();
  int uniform(std::string_view name) const;  ///< location; throws std::logic_error for a name the shader has not

private:
  std::string name_;
  unsigned program_ = 0;
  std::filesystem::file_time_type newest_edit_{};
};

}  // namespace slotscape::gl
