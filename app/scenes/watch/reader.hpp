#pragma once

#include "app/scene/file_question.hpp"
#include "app/scenes/watch/first_look.hpp"
#include "app/scenes/watch/numbers.hpp"
#include "app/scenes/watch/picture.hpp"
#include "app/scenes/watch/running.hpp"
#include "app/scenes/watch/state.hpp"
#include "app/watch/dump.hpp"
#include "gpu/base/work.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace slotscape {

/// Reads what is watched by its description, from a file or the memory of a program, and follows it. What it comes to
/// is in the state.
class WatchReader {
public:
  /// The references outlive it.
  WatchReader(WatchState& state, WatchPicture& picture, WatchNumbers& numbers);

  /// The files of the settings. Large ones are opened beside the frames. Throws Error if they cannot be opened.
  void open_dump_of_settings();
  /// Files of one dump, with its description if one of them is that. Throws Error if they cannot be opened.
  void open(Paths const& files);
  /// A table of a running program, by its name. Throws Error if there is none, or several.
  void connect_to(std::string const& name);
  void connect(Announcement const& table);
  void show(std::unique_ptr<watch::Source> source, bool is_live);

  /// Once a frame: looks again where the source has changed.
  void follow();
  /// The same for a copy that is being made.
  void copy_on(std::optional<double> max_wait);
  /// The same for what is read beside the frames; nothing: waits for its end.
  void take_look(std::optional<double> max_wait);
  /// Looks at the source's arrays as they are now, by its description or that of the settings.
  void look();

  void use_preset(std::string const& name);
  void use_description(watch::Description const& description);
  void use_description_of(std::filesystem::path const& file);
  /// The description as it was before those of the program took its place.
  void use_own_description();
  void check_description(bool searches);
  void pause_or_go_on();
  /// What is being read or copied. Returns whether there was anything.
  bool cancel();

  /// Null: there is nothing to see.
  watch::WatchedTable* table() const { return table_.get(); }
  watch::Source* source() const { return source_.get(); }
  /// Whether a table is read beside the frames.
  bool is_busy() const { return work_.busy(); }
  ProgressSnapshot progress() const { return work_.progress().snapshot(); }
  /// Whether the table may be another one in the next frame.
  bool follows() const;
  /// How many tables there have been so far.
  std::uint64_t opened() const { return opened_; }
  std::string const& notice() const { return notice_; }

private:
  watch::Dump dump_of_settings() const;
  /// Shows nothing, or what it is given.
  void forget_table(std::unique_ptr<watch::Source> source, std::string name, bool is_live);
  void follow_files();
  void take_events();
  void replace_layout(Json layout);
  void look_by_layout();
  void look_by(watch::Description const& description);
  /// The same of a file, beside the frames.
  void begin_look(bool checks);
  void begin_opening(watch::Dump dump, bool checks);
  void note_failure(std::string why);
  void show_table();
  void lose_table(std::string why);

  WatchState& state_;
  WatchPicture& picture_;
  WatchNumbers& numbers_;
  std::unique_ptr<watch::Source> source_;
  std::unique_ptr<watch::WatchedTable> table_;
  Work<FirstLook, FirstLooked> work_;  ///< while it is busy, what it reads stays
  std::string described_;              ///< the text of the description that was read last
  double opened_at_ = 0.0;
  double checked_at_ = 0.0;
  double failed_at_ = -1e9;  ///< to open a file again; infinite: nobody wants it any more
  std::uint64_t opened_ = 0;
  std::string notice_;
};

}  // namespace slotscape
