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

/// Why a connection is closed: the WebSocket's close code and reason, which the page shows.
struct Farewell {
  std::uint16_t code;
  std::string reason;
};
inline constexpr std::uint16_t code_of_full_house = 4001;
inline constexpr std::uint16_t code_of_replaced = 4002;
inline constexpr std::uint16_t code_of_end = 4003;
inline constexpr std::uint16_t code_of_stalled = 4004;
inline constexpr std::uint16_t code_of_bad_message = 4005;

/// What a page is told besides pictures.
struct Status {
  std::string scene;                    ///< its title
  std::string_view cursor = "default";  ///< of the driver's pointer, by its name in CSS
  friend bool operator==(Status const&, Status const&) = default;
};

/// A message to a page: JSON, or the number of a picture in four bytes, the lowest first, and the picture as JPEG.
struct Packet {
  bool binary;
  std::string content;
};

/// Who looks: what came from them, and what they are still to get. It knows no network, and may be called from any
/// thread. Nobody waits for anybody: who cannot take a picture does not get it.
class Audience {
public:
  using Id = std::uint64_t;
  using Clock = Pace::Clock;

  /// `viewers`: how many may look besides the driver. `wake` is called when there is something to send.
  Audience(std::size_t viewers, gl::Size picture, std::function<void()> wake);

  // --- for the connections

  /// One more that looks. If the house is full, it gets a farewell; a driver takes the place of the one before.
  Id join(Role role, Clock::time_point now = Clock::now());
  void leave(Id id);
  /// A whole message; a bad one, or too many, lead to a farewell.
  void receive(Id id, std::string const& text, Clock::time_point now = Clock::now());
  /// The next message to send, if there is one.
  std::optional<Packet> next(Id id);
  std::optional<Farewell> farewell(Id id) const;
  void dismiss(Id id, Farewell const& farewell);

  // --- for the program

  /// Whether anybody looks.
  bool watched() const;
  /// What the driver has done since the last call, in order.
  std::vector<Input> take_input();
  /// Returns when the driver has done something, somebody has come, or after this time.
  void wait(std::chrono::duration<double> longest);
  /// Tells everybody, if it is new.
  void tell(Status const& status);
  /// Says farewell to those that have not seen a picture for a long time, or have not been heard of.
  void dismiss_stalled(Clock::time_point now = Clock::now());
  /// Says farewell to everybody, and waits until they have gone, but not for longer than this.
  void end(std::chrono::duration<double> longest);

  // --- for who compresses the pictures

  using Levels = std::bitset<levels.size()>;
  /// The levels in which somebody can take the picture of this number now.
  Levels wanted(std::uint64_t picture) const;
  /// Whether somebody can take a picture that is not there yet.
  bool takes_more() const;
  /// Queues it for everybody who wants it in this level.
  void send(std::uint64_t picture, std::size_t level, std::string const& jpeg, Clock::time_point now = Clock::now());

private:
  struct Member {
    Role role;
    Pace pace = {};
    std::deque<Packet> packets = {};
    std::optional<Farewell> farewell = {};
    double messages_left = 0.0;  ///< of the rate that a page may send at
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
  bool arrived_ = false;  ///< somebody has come since the last wait
  Status status_;
  bool over_ = false;
};

}  // namespace slotscape::serve
