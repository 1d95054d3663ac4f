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

/// Reads a watched table by its description, from a file or from a program's memory, and follows its changes. The
/// results are in the state.
class WatchReader {
public:
  /// The referenced objects must outlive this.
  WatchReader(WatchState& state, WatchPicture& picture, WatchNumbers& numbers);

  /// Opens the files in the settings; large ones in the background. Throws Error if they cannot be opened.
  void open_dump_of_settings();
  /// Opens the files of one dump, possibly including its description. Throws Error if they cannot be opened.
  void open(Paths const& files);
  /// Opens the table of a running program by its name. Throws Error if there is no such table, or several.
  void connect_to(std::string const& name);
  void connect(Announcement const& table);
  void show(std::unique_ptr<watch::Source> source, bool is_live);

  /// Inspects a changed source again; to be called once per frame.
  void follow();
  /// Continues an ongoing copy; to be called once per frame.
  void copy_on(std::optional<double> max_wait);
  /// Takes over results of background reading; to be called once per frame. Without a limit, waits for the end.
  void take_look(std::optional<double> max_wait);
  /// Inspects the source's current arrays, by its description or that of the settings.
  void look();

  void use_preset(std::string const& name);
  void use_description(watch::Description const& description);
  void use_description_of(std::filesystem::path const& file);
  /// Returns to the description that presets or suggestions replaced.
  void use_own_description();
  void check_description(bool searches);
  void pause_or_go_on();
  /// Cancels reading or copying. Returns whether either was in progress.
  bool cancel();

  /// Null if there is no table to show.
  watch::WatchedTable* table() const { return table_.get(); }
  watch::Source* source() const { return source_.get(); }
  /// Whether a table is being read in the background.
  bool is_busy() const { return work_.busy(); }
  ProgressSnapshot progress() const { return work_.progress().snapshot(); }
  /// Whether the table may change before the next frame.
  bool follows() const;
  /// The number of tables opened so far.
  std::uint64_t opened() const { return opened_; }
  std::string const& notice() const { return notice_; }

private:
  watch::Dump dump_of_settings() const;
  /// Drops the table and takes over this source, if any.
  void forget_table(std::unique_ptr<watch::Source> source, std::string name, bool is_live);
  void follow_files();
  void take_events();
  void replace_layout(Json layout);
  void look_by_layout();
  void look_by(watch::Description const& description);
  /// Inspects a file's table in the background.
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
  Work<FirstLook, FirstLooked> work_;  ///< its input must stay valid while it is busy
  std::string described_;              ///< text of the last description read
  double opened_at_ = 0.0;
  double checked_at_ = 0.0;
  double failed_at_ = -1e9;  ///< last failure to reopen a file; infinite: no retries
  std::uint64_t opened_ = 0;
  std::string notice_;
};

}  // namespace slotscape
