#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace slotscape::gl {

/// The shader programs of the current context. Each is linked only once, as that takes a driver tens of milliseconds,
/// and lives as long as the context. If there are several contexts, the one created last is current.
class SharedPrograms {
public:
  SharedPrograms();
  ~SharedPrograms();
  SharedPrograms(SharedPrograms const&) = delete;
  SharedPrograms& operator=(SharedPrograms const&) = delete;

  /// Throws Error with the compiler's log.
  unsigned named(std::string const& name);

private:
  std::map<std::string, unsigned> linked_;
};

/// A linked shader program from `shaders/NAME.vert` and `shaders/NAME.frag`: embedded in the binary at build time, or,
/// in development, read from the folder in the environment variable SLOTSCAPE_SHADERS, where `reload_if_changed` picks
/// up edits. The files have no `#version` line: it is prepended. A line `#include "FILE"` is replaced by another file
/// of the folder, which must not include others. Throws Error with the compiler's log. Set all uniforms before drawing:
/// the program is shared with other code.
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
  bool is_shared_;
  unsigned program_ = 0;
  mutable std::map<std::string, int, std::less<>> locations_;  ///< of uniforms, cached
  std::filesystem::file_time_type newest_edit_{};
};

}  // namespace slotscape::gl
