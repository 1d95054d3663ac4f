#include "gpu/watch/live.hpp"

#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/watch/live_memory.hpp"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <utility>

namespace slotscape::watch {

namespace live {

namespace {

using watch_link::Ask;
using watch_link::Say;

constexpr int max_packets = 64;                 ///< per `refresh`
constexpr double seconds_of_reading = 0.010;    ///< per `refresh`
constexpr double seconds_of_last_look = 0.060;  ///< out of the 100 ms that a program waits at its end
constexpr int milliseconds_to_connect = 500;
constexpr int max_permissions = 3;  ///< requests: another viewer may have taken the permission meant for us

/// Why the memory of another program cannot be read, and how to allow it: "man 2 process_vm_readv", "Yama".
std::string why_forbidden()
{
  std::ifstream file("/proc/sys/kernel/yama/ptrace_scope");
  int scope = 0;
  if (file >> scope && scope > 1) {
    return tr(
        "its memory cannot be read because kernel.yama.ptrace_scope is {}; set it to 1, or use memory from "
        "slotscape::watch_alloc",
        scope);
  }
  return tr(
      "its memory cannot be read: the system forbids it, as containers without CAP_SYS_PTRACE do; memory from "
      "slotscape::watch_alloc can be mapped");
}

class LiveSource final : public Source {
public:
  LiveSource(Announced const& table, BackendChoice where)
      : link_(table.socket, milliseconds_to_connect), name_(table.name), uses_device_(where != BackendChoice::cpu)
  {
  }

  Backend backend() const override { return memory_ == nullptr ? Backend::cpu : memory_->backend(); }
  std::string name() const override { return name_; }
  std::string description() const override { return shown_description_; }
  std::span<Array const> arrays() override { return memory_ == nullptr ? std::span<Array const>() : memory_->arrays(); }
  std::vector<Event> take_events() override { return std::exchange(events_, {}); }
  bool alive() const override { return is_alive_; }
  std::string manner() const override
  {
    std::string const how = memory_ == nullptr ? tr("waiting for the program") : memory_->manner();
    if (!is_alive_) { return tr("the last state"); }
    return trouble_.empty() ? how : how + " (" + trouble_ + ")";
  }

  bool refresh() override
  {
    has_changed_ = false;
    for (int i = 0; i < max_packets && is_alive_; ++i) {
      Packet packet;
      switch (link_.receive(packet)) {
        case Link::Received::nothing: i = max_packets; break;
        case Link::Received::end: end(tr("The program has ended without notice.")); break;
        case Link::Received::packet: take(packet); break;
      }
    }
    if (is_alive_) { read(seconds_of_reading); }
    return has_changed_;
  }

  /// Waits until there are arrays, or the program has sent nothing for this long.
  void wait(std::chrono::milliseconds patience)
  {
    auto const end = std::chrono::steady_clock::now() + patience;
    while (is_alive_ && memory_ == nullptr) {
      refresh();
      auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
      if (left.count() <= 0) { break; }
      if (memory_ == nullptr && (next_ == nullptr || waits_for_copy_)) { link_.wait(static_cast<int>(left.count())); }
    }
    if (table_.header.generation == 0) {
      throw Error("The program that announced '" + name_ +
                  "' does not answer as it should. It may be stopped, or use " +
                  "another version of slotscape/watch.hpp.");
    }
  }

private:
  void take(Packet& packet)
  {
    auto const header = parse_header(packet.bytes);
    if (!header) { return refuse(); }
    switch (static_cast<Say>(header->kind)) {
      case Say::table: return take_table(packet);
      case Say::copies: return take_copies(*header, packet);
      case Say::copied: return take_copied(*header);
      case Say::mark: return add_event(Event::Kind::mark, parse_text(packet), header->nanoseconds);
      case Say::ended: return take_end(*header);
      case Say::permission: return take_permission(header->value != 0);
      case Say::trouble: trouble_ = parse_text(packet); return;
    }
    refuse();
  }
  void refuse()
  {
    end(tr("The program sent a message that Slotscape does not understand. It may use another version of the header."));
  }

  void take_table(Packet& packet)
  {
    auto table = parse_table(packet);
    if (!table || table->header.generation <= table_.header.generation) { return refuse(); }
    bool const is_first = table_.header.generation == 0;
    table_ = std::move(*table);
    files_ = std::move(packet.descriptors);
    name_ = table_.name;
    trouble_.clear();
    permissions_ = 0;
    next_ = nullptr;
    waits_for_copy_ = false;
    if (is_first) {
      link_.ask(Ask::attach, table_.header.generation);
    } else {
      add_event(Event::Kind::moved, table_.text.empty() ? tr("moved") : table_.text, table_.header.nanoseconds);
    }
    reach();
    let_go();
    if (!is_first) { link_.ask(Ask::released, table_.header.generation); }
  }
  /// Releases memory that the program is about to free, if `reach` has not replaced it.
  void let_go()
  {
    if (memory_ == nullptr || memory_ == reached_ || !memory_->holds_memory()) { return; }
    memory_ = keep_state(*memory_);
    has_changed_ = true;
  }

  /// Accesses the table's memory in the best available way.
  void reach()
  {
    if (table_.arrays.empty()) {
      trouble_ = table_.text;
      return;
    }
    if (uses_device_ && !table_.snapshots && is_openable(table_)) {
      if (auto memory = reach_on_device(table_, files_)) { return use(std::move(memory)); }
    }
    Reading why = Reading::gone;
    if (!table_.snapshots && !is_on_device()) {
      if (auto memory = reach_directly(table_, files_, link_.pid(), why)) { return use(std::move(memory)); }
    }
    if (why == Reading::forbidden && permissions_ < max_permissions) {
      ++permissions_;
      link_.ask(Ask::permission, table_.header.generation);
    } else {
      ask_for_copies();
    }
  }
  bool is_on_device() const
  {
    return std::ranges::any_of(table_.arrays, [](NamedArray const& array) { return array.record.on_device != 0; });
  }
  void ask_for_copies()
  {
    bool const on_device = uses_device_ && is_openable(table_);
    link_.ask(Ask::copies, table_.header.generation, on_device ? watch_link::to_device : 0);
  }

  /// Shows this memory instead of the present one, once all of it has been read.
  void use(std::shared_ptr<Memory> memory)
  {
    next_ = std::move(memory);
    read(seconds_of_reading);
  }
  void show_next()
  {
    memory_ = reached_ = std::exchange(next_, nullptr);
    shown_description_ = table_.description;
    has_changed_ = true;
  }

  /// at_once: without a pause since the last read.
  void read(double seconds, bool at_once = false)
  {
    bool const is_next = next_ != nullptr && !waits_for_copy_;
    Memory* const memory = is_next ? next_.get() : memory_ == reached_ ? memory_.get() : nullptr;
    if (memory == nullptr) { return; }
    switch (memory->read(seconds, at_once)) {
      case Reading::done:
        if (is_next) { show_next(); }
        return;
      case Reading::unfinished: return;
      case Reading::forbidden:
        stop_reading();
        reach();
        return;
      case Reading::gone:
        stop_reading();
        trouble_ = tr("the memory is gone, and the program did not report that the table moved");
    }
  }
  /// Data that has been read is kept.
  void stop_reading()
  {
    next_ = nullptr;
    reached_ = nullptr;
  }

  void take_permission(bool granted)
  {
    if (memory_ != nullptr && memory_ == reached_) { return; }
    Reading why = Reading::gone;
    auto memory = granted ? reach_directly(table_, files_, link_.pid(), why) : nullptr;
    if (memory != nullptr) { return use(std::move(memory)); }
    if (why == Reading::forbidden) { trouble_ = why_forbidden(); }
    ask_for_copies();
  }

  void take_copies(watch_link::Header const& header, Packet const& packet)
  {
    if (header.generation != table_.header.generation) { return; }
    auto const record = parse_copies(packet, table_.arrays);
    if (!record) { return refuse(); }
    next_ = reach_copies(table_, *record, packet.descriptors);
    waits_for_copy_ = next_ != nullptr;
    if (next_ == nullptr) { trouble_ = tr("its copies cannot be opened"); }
  }
  void take_copied(watch_link::Header const& header)
  {
    if (header.generation != table_.header.generation) { return; }
    if (waits_for_copy_ && next_ != nullptr) {
      waits_for_copy_ = false;
      show_next();
    }
    if (memory_ == nullptr || memory_ != reached_ || !memory_->show_half(static_cast<unsigned>(header.value & 1))) {
      return;
    }
    has_changed_ = true;
    link_.ask(Ask::next, header.generation, header.value);
  }

  void take_end(watch_link::Header const& header)
  {
    read(seconds_of_last_look, true);
    end({}, header.nanoseconds);
    link_.ask(Ask::released, header.generation);
  }
  void end(std::string const& text, std::int64_t nanoseconds = watch_link::nanoseconds())
  {
    reached_ = nullptr;
    next_ = nullptr;
    if (memory_ != nullptr) { let_go(); }
    is_alive_ = false;
    add_event(Event::Kind::ended, text, nanoseconds);
  }

  void add_event(Event::Kind kind, std::string text, std::int64_t nanoseconds)
  {
    std::int64_t const now = watch_link::nanoseconds();
    double const ago = nanoseconds > now || nanoseconds < 0 ? 0.0 : static_cast<double>(now - nanoseconds);
    events_.push_back({kind, std::move(text), (static_cast<double>(now - opened_) - ago) * 1e-9});
  }

  Link link_;
  std::string name_;
  bool uses_device_;
  std::int64_t opened_ = watch_link::nanoseconds();
  TableMessage table_;  ///< the program's current description; generation 0 before the first one
  std::vector<watch_link::Descriptor> files_;
  std::shared_ptr<Memory> memory_;   ///< the memory that is shown
  std::string shown_description_;    ///< of `memory_`
  std::shared_ptr<Memory> reached_;  ///< `memory_`, if it belongs to `table_`
  std::shared_ptr<Memory> next_;     ///< replaces `memory_` once it has been read or written
  bool waits_for_copy_ = false;      ///< `next_` is written by the program
  int permissions_ = 0;
  bool is_alive_ = true;
  bool has_changed_ = false;
  std::string trouble_;
  std::vector<Event> events_;
};

/// The kernel's name for a process.
std::string program_of(int pid)
{
  std::ifstream file("/proc/" + std::to_string(pid) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

std::vector<std::string> sockets_in(std::string const& folder)
{
  std::vector<std::string> result;
  if (!watch_link::distrust(folder).empty()) { return result; }
  std::unique_ptr<DIR, int (*)(DIR*)> const opened(opendir(folder.c_str()), &closedir);
  if (opened == nullptr) { return result; }
  while (dirent const* const entry = readdir(opened.get())) {
    std::string const name = entry->d_name;
    if (name.ends_with(".sock")) { result.push_back(std::string(folder).append("/").append(name)); }
  }
  return result;
}

/// A program that has been asked for its announcement.
struct Asked {
  std::string socket;
  std::unique_ptr<Link> link;
};

/// Returns nullopt if nobody listens; the socket is then a leftover.
std::optional<Asked> ask(std::string const& socket)
{
  try {
    return Asked{socket, std::make_unique<Link>(socket)};
  } catch (NobodyListens const&) {
    unlink(socket.c_str());
  } catch (Error const&) {  // belongs to another user, or is too busy to answer
  }
  return {};
}

/// When a socket was created.
std::chrono::system_clock::time_point time_of(std::string const& socket)
{
  struct stat found {};
  return std::chrono::system_clock::from_time_t(stat(socket.c_str(), &found) == 0 ? found.st_mtime : 0);
}

std::optional<Announced> answer_of(Asked const& asked)
{
  Packet packet;
  if (asked.link->receive(packet) != Link::Received::packet) { return {}; }
  auto const table = parse_table(packet);
  if (!table || table->header.magic != watch_link::magic) { return {}; }
  Announced result{.name = table->name,
                   .program = program_of(asked.link->pid()),
                   .pid = asked.link->pid(),
                   .is_shared = !table->arrays.empty(),
                   .snapshots = table->snapshots,
                   .description = table->description,
                   .socket = asked.socket,
                   .since = time_of(asked.socket)};
  for (NamedArray const& array : table->arrays) {
    result.bytes += array.record.bytes;
    result.on_device = result.on_device || array.record.on_device != 0;
    result.is_shared = result.is_shared && array.record.way == watch_link::Way::file;
  }
  return result;
}

}  // namespace
}  // namespace live

std::vector<Announced> announced()
{
  std::vector<live::Asked> asked;
  for (std::string const& folder : watch_link::folders()) {
    for (std::string const& socket : live::sockets_in(folder)) {
      if (auto one = live::ask(socket)) { asked.push_back(std::move(*one)); }
    }
  }
  constexpr std::chrono::milliseconds patience{250};
  auto const end = std::chrono::steady_clock::now() + patience;
  std::vector<Announced> result;
  for (live::Asked const& one : asked) {
    auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    one.link->wait(std::max(static_cast<int>(left.count()), 0));
    if (auto table = live::answer_of(one)) { result.push_back(std::move(*table)); }
  }
  std::ranges::sort(result, {}, [](Announced const& table) { return std::pair(table.name, table.pid); });
  return result;
}

std::unique_ptr<Source> connect(Announced const& table, BackendChoice where)
{
  auto source = std::make_unique<live::LiveSource>(table, where);
  source->wait(std::chrono::seconds(1));
  return source;
}

}  // namespace slotscape::watch
