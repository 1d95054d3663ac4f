#include "app/serve/audience.hpp"

#include "app/base/json.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace slotscape::serve {
namespace {

constexpr double messages_a_second = 150.0;
constexpr double most_messages_at_once = 300.0;
constexpr double longest_seconds_on_the_way = 10.0;
constexpr std::chrono::seconds longest_silence{90};  // hidden pages wake once a minute
constexpr std::size_t most_input = 2000;             ///< per frame

std::string picture_packet(std::uint32_t frame, std::string const& jpeg)
{
  std::string content;
  content.reserve(4 + jpeg.size());
  for (int shift = 0; shift < 32; shift += 8) { content += static_cast<char>(frame >> shift & 0xff); }
  return content + jpeg;
}

}  // namespace

Audience::Audience(std::size_t viewers, gl::Size picture, std::function<void()> wake)
    : viewers_(viewers), picture_(picture), wake_(std::move(wake))
{
}

std::size_t Audience::count(Role role) const
{
  return static_cast<std::size_t>(std::ranges::count_if(members_, [&](auto const& each) {
    return each.second.role == role && !each.second.farewell;
  }));
}

Audience::Id Audience::join(Role role, Clock::time_point now)
{
  std::scoped_lock const lock(mutex_);
  bool const full = role == Role::viewer && count(role) >= viewers_;
  if (role == Role::driver) {
    for (auto& [id, member] : members_) {
      if (member.role == role) { dismiss(member, {code_of_replaced, "Another browser has taken over."}); }
    }
  }
  Member& member = members_[++last_id_];
  member.role = role;
  arrived_ = true;
  changed_.notify_all();
  member.messages_left = most_messages_at_once;
  member.heard = now;
  if (over_) { dismiss(member, {code_of_end, "The program has ended."}); }
  if (full) { dismiss(member, {code_of_full_house, fmt::format("{} look already, which is the limit.", viewers_)}); }
  if (!member.farewell) {
    Json const hello{{"type", "hello"},
                     {"role", role == Role::driver ? "driver" : "viewer"},
                     {"width", picture_.width},
                     {"height", picture_.height}};
    member.packets.push_back({false, hello.dump()});
    tell_all();
  }
  wake_();
  return last_id_;
}

void Audience::leave(Id id)
{
  std::scoped_lock const lock(mutex_);
  auto const found = members_.find(id);
  if (found == members_.end()) { return; }
  bool const drove = found->second.role == Role::driver && !found->second.farewell;
  members_.erase(found);
  if (drove) { add_input(ReleaseAll{}); }
  tell_all();
  changed_.notify_all();
}

bool Audience::may_send(Member& member, Clock::time_point now) const
{
  double const seconds = std::chrono::duration<double>(now - std::exchange(member.heard, now)).count();
  member.messages_left = std::min(member.messages_left + seconds * messages_a_second, most_messages_at_once) - 1.0;
  return member.messages_left >= 0.0;
}

void Audience::receive(Id id, std::string const& text, Clock::time_point now)
{
  std::scoped_lock const lock(mutex_);
  auto const found = members_.find(id);
  if (found == members_.end() || found->second.farewell) { return; }
  Member& member = found->second;
  if (!may_send(member, now)) { return dismiss(member, {code_of_bad_message, "The page has sent too many messages."}); }
  try {
    Message const message = parse_message(text, picture_);
    if (auto const* const seen = std::get_if<Seen>(&message)) { member.pace.seen(seen->frame, now); }
    auto const* const input = std::get_if<Input>(&message);
    if (input != nullptr && member.role == Role::driver) { add_input(*input); }
  } catch (Error const& error) {
    dismiss(member, {code_of_bad_message, error.what()});
  }
}

/// Of consecutive pointer moves, only the last one is kept.
void Audience::add_input(Input const& input)
{
  bool const moves_on = std::holds_alternative<PointerMove>(input) && !input_.empty() &&
                        std::holds_alternative<PointerMove>(input_.back());
  if (moves_on) { input_.pop_back(); }
  if (input_.size() < most_input || std::holds_alternative<ReleaseAll>(input)) { input_.push_back(input); }
  changed_.notify_all();
}

std::optional<Packet> Audience::next(Id id)
{
  std::scoped_lock const lock(mutex_);
  auto const found = members_.find(id);
  if (found == members_.end() || found->second.packets.empty()) { return std::nullopt; }
  Packet packet = std::move(found->second.packets.front());
  found->second.packets.pop_front();
  return packet;
}

std::optional<Farewell> Audience::farewell(Id id) const
{
  std::scoped_lock const lock(mutex_);
  auto const found = members_.find(id);
  return found == members_.end() ? std::nullopt : found->second.farewell;
}

void Audience::dismiss(Id id, Farewell const& farewell)
{
  std::scoped_lock const lock(mutex_);
  auto const found = members_.find(id);
  if (found != members_.end()) { dismiss(found->second, farewell); }
}

void Audience::dismiss(Member& member, Farewell const& farewell)
{
  if (member.farewell) { return; }
  member.farewell = farewell;
  member.packets.clear();
  if (member.role == Role::driver) { add_input(ReleaseAll{}); }
  tell_all();
  wake_();
}

bool Audience::watched() const
{
  std::scoped_lock const lock(mutex_);
  return count(Role::viewer) + count(Role::driver) > 0;
}

std::vector<Input> Audience::take_input()
{
  std::scoped_lock const lock(mutex_);
  return std::exchange(input_, {});
}

void Audience::wait(std::chrono::duration<double> longest)
{
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, longest, [this] { return !input_.empty() || arrived_; });
  arrived_ = false;
}

std::string Audience::status_text() const
{
  Json const text{{"type", "status"},
                  {"scene", status_.scene},
                  {"cursor", status_.cursor},
                  {"viewers", count(Role::viewer)},
                  {"driven", count(Role::driver) > 0}};
  return text.dump();
}

/// A new status replaces one that has not been sent yet.
void Audience::tell_all()
{
  std::string const text = status_text();
  for (auto& [id, member] : members_) {
    if (member.farewell) { continue; }
    std::erase_if(member.packets, [](Packet const& packet) {
      return !packet.binary && packet.content.starts_with(R"({"type":"status")");
    });
    member.packets.push_back({false, text});
  }
  wake_();
}

void Audience::tell(Status const& status)
{
  std::scoped_lock const lock(mutex_);
  if (std::exchange(status_, status) != status) { tell_all(); }
}

void Audience::dismiss_stalled(Clock::time_point now)
{
  std::scoped_lock const lock(mutex_);
  for (auto& [id, member] : members_) {
    if (member.pace.seconds_on_the_way(now) > longest_seconds_on_the_way) {
      dismiss(member, {code_of_stalled, "The line was too slow for any picture."});
    } else if (now - member.heard > longest_silence) {
      dismiss(member, {code_of_stalled, "The page was silent for too long."});
    }
  }
}

void Audience::end(std::chrono::duration<double> longest)
{
  std::unique_lock lock(mutex_);
  over_ = true;
  for (auto& [id, member] : members_) { dismiss(member, {code_of_end, "The program has ended."}); }
  changed_.wait_for(lock, longest, [this] { return members_.empty(); });
}

Audience::Levels Audience::wanted(std::uint64_t picture) const
{
  std::scoped_lock const lock(mutex_);
  Levels wanted;
  for (auto const& [id, member] : members_) {
    auto const level = member.farewell ? std::nullopt : member.pace.wanted(picture);
    if (level) { wanted.set(*level); }
  }
  return wanted;
}

bool Audience::takes_more() const
{
  constexpr std::uint64_t another = ~std::uint64_t{0};
  return wanted(another).any();
}

void Audience::send(std::uint64_t picture, std::size_t level, std::string const& jpeg, Clock::time_point now)
{
  std::scoped_lock const lock(mutex_);
  for (auto& [id, member] : members_) {
    if (member.farewell || member.pace.wanted(picture) != level) { continue; }
    std::uint32_t const frame = member.pace.sent(picture, level, jpeg.size(), now);
    member.packets.push_back({true, picture_packet(frame, jpeg)});
  }
  wake_();
}

}  // namespace slotscape::serve
