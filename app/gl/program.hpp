#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace slotscape::gl {

/// The programs of the current context: each is linked once, whoever draws with it, because that takes a driver tens of
/// milliseconds, and lives as long as the context. Of contexts made later, the last one is current.
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
/// up edits. They have no line `#version`: it is put before them. A line `#include "FILE"` is replaced by another file
/// of the folder, which includes none itself. Throws Error with the compiler's log. Set all of its uniforms before you
/// draw: others draw with it, too.
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
  mutable std::map<std::string, int, std::less<>> locations_;  ///< of uniforms: OpenGL is asked once
  std::filesystem::file_time_type newest_edit_{};
};

}  // namespace slotscape::gl
