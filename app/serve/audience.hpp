#pragma once

#include "app/serve/access.hpp"
#include "app/serve/messages.hpp"
#include "app/serve/pace.hpp"

#include <bitset>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace slotscape::serve {

/// The reason for closing a connection: the WebSocket's close code and a text that the page shows.
struct Farewell {
  std::uint16_t code;
  std::string reason;
};
inline constexpr std::uint16_t code_of_full_house = 4001;
inline constexpr std::uint16_t code_of_replaced = 4002;
inline constexpr std::uint16_t code_of_end = 4003;
inline constexpr std::uint16_t code_of_stalled = 4004;
inline constexpr std::uint16_t code_of_bad_message = 4005;

/// Information for pages in addition to the pictures.
struct Status {
  std::string scene;                    ///< title of the scene
  std::string_view cursor = "default";  ///< of the driver's pointer, by its name in CSS
  friend bool operator==(Status const&, Status const&) = default;
};

/// A message to a page: JSON, or a picture as JPEG, preceded by its number in four bytes, little-endian.
struct Packet {
  bool binary;
  std::string content;
};

/// The connected browsers: their input, and the messages queued for them. Independent of the network and thread-safe.
/// No one waits for slow connections, which skip pictures instead.
class Audience {
public:
  using Id = std::uint64_t;
  using Clock = Pace::Clock;

  /// `viewers`: the maximum number of viewers besides the driver. `wake` is called when there is something to send.
  Audience(std::size_t viewers, gl::Size picture, std::function<void()> wake);

  // --- for the connections

  /// Adds a browser. A viewer beyond the limit gets a farewell; a new driver replaces the previous one.
  Id join(Role role, Clock::time_point now = Clock::now());
  void leave(Id id);
  /// Handles a complete message. An invalid one, or too many, cause a farewell.
  void receive(Id id, std::string const& text, Clock::time_point now = Clock::now());
  /// The next message to send, if any.
  std::optional<Packet> next(Id id);
  std::optional<Farewell> farewell(Id id) const;
  void dismiss(Id id, Farewell const& farewell);

  // --- for the program

  /// Whether anyone is connected.
  bool watched() const;
  /// The driver's input since the last call, in order.
  std::vector<Input> take_input();
  /// Waits for input from the driver or a new connection, up to this time.
  void wait(std::chrono::duration<double> longest);
  /// Sends the status to everyone if it has changed.
  void tell(Status const& status);
  /// Dismisses connections that have not confirmed a picture for a long time, or have been silent.
  void dismiss_stalled(Clock::time_point now = Clock::now());
  /// Dismisses everyone and waits until they are gone, up to this time.
  void end(std::chrono::duration<double> longest);

  // --- for the encoder

  using Levels = std::bitset<levels.size()>;
  /// The levels at which someone can receive this picture now.
  Levels wanted(std::uint64_t picture) const;
  /// Whether someone can receive a picture newer than the existing ones.
  bool takes_more() const;
  /// Queues a picture for everyone who wants it at this level.
  void send(std::uint64_t picture, std::size_t level, std::string const& jpeg, Clock::time_point now = Clock::now());

private:
  struct Member {
    Role role;
    Pace pace = {};
    std::deque<Packet> packets = {};
    std::optional<Farewell> farewell = {};
    double messages_left = 0.0;  ///< number of messages that the page may still send before its rate limit is reached
    Clock::time_point heard = {};
  };

  std::size_t count(Role role) const;
  void dismiss(Member& member, Farewell const& farewell);
  std::string status_text() const;
  void tell_all();
  bool may_send(Member& member, Clock::time_point now) const;
  void add_input(Input const& input);

  std::size_t const viewers_;
  gl::Size const picture_;
  std::function<void()> const wake_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<Id, Member> members_;
  Id last_id_ = 0;
  std::vector<Input> input_;
  bool arrived_ = false;  ///< someone has connected since the last wait
  Status status_;
  bool over_ = false;
};

}  // namespace slotscape::serve
