#include "app/serve/audience.hpp"

#include "app/base/json.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>

namespace slotscape::serve {
namespace {

using ::testing::HasSubstr;
using Id = Audience::Id;

constexpr gl::Size picture{800, 600};

struct House {
  explicit House(std::size_t viewers = 10) : audience(viewers, picture, [this] { ++wakes; }) {}

  /// All that a page is told, without the pictures.
  std::vector<Json> told(Id id)
  {
    std::vector<Json> texts;
    while (auto const packet = audience.next(id)) {
      if (!packet->binary) { texts.push_back(Json::parse(packet->content)); }
    }
    return texts;
  }
  int farewell(Id id) const
  {
    auto const found = audience.farewell(id);
    return found ? found->code : 0;
  }

  int wakes = 0;
  Audience audience;
};

constexpr char const* click = R"({"type": "button", "button": 0, "down": true})";

TEST(ServeAudience, GreetsAndTellsHowManyLook)
{
  House house;
  Id const driver = house.audience.join(Role::driver);
  Id const viewer = house.audience.join(Role::viewer);
  auto const told = house.told(driver);
  ASSERT_EQ(told.size(), 2U);  // of two statuses, the last one
  EXPECT_EQ(told[0], (Json{{"type", "hello"}, {"role", "driver"}, {"width", 800}, {"height", 600}}));
  EXPECT_EQ(told[1].at("viewers"), 1);
  EXPECT_EQ(told[1].at("driven"), true);
  EXPECT_EQ(house.told(viewer)[0].at("role"), "viewer");
  house.audience.tell({"One table", "text"});
  house.audience.tell({"One table", "text"});
  auto const later = house.told(viewer);
  ASSERT_EQ(later.size(), 1U);
  EXPECT_EQ(later[0].at("scene"), "One table");
  EXPECT_EQ(later[0].at("cursor"), "text");
  EXPECT_GT(house.wakes, 0);
}

TEST(ServeAudience, OnlyTheDriverDrives)
{
  House house;
  Id const driver = house.audience.join(Role::driver);
  Id const viewer = house.audience.join(Role::viewer);
  house.audience.receive(viewer, click);
  EXPECT_TRUE(house.audience.take_input().empty());
  EXPECT_EQ(house.farewell(viewer), 0);
  house.audience.receive(driver, click);
  auto const input = house.audience.take_input();
  ASSERT_EQ(input.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<PointerButton>(input[0]));
  EXPECT_TRUE(house.audience.take_input().empty());
}

TEST(ServeAudience, OfMovesInSuccessionTheLastOneCounts)
{
  House house;
  Id const driver = house.audience.join(Role::driver);
  for (int x = 0; x < 50; ++x) {
    house.audience.receive(driver, fmt::format(R"({{"type": "move", "x": {}, "y": 1}})", x));
  }
  auto const input = house.audience.take_input();
  ASSERT_EQ(input.size(), 1U);
  EXPECT_FLOAT_EQ(std::get<PointerMove>(input[0]).x, 49.0F);
}

TEST(ServeAudience, AFullHouseSaysSo)
{
  House house(2);
  std::array const viewers{house.audience.join(Role::viewer), house.audience.join(Role::viewer)};
  Id const third = house.audience.join(Role::viewer);
  EXPECT_EQ(house.farewell(third), code_of_full_house);
  EXPECT_THAT(house.audience.farewell(third)->reason, HasSubstr("2 look already"));
  EXPECT_EQ(house.farewell(house.audience.join(Role::driver)), 0);  // who drives is not one of them
  house.audience.leave(viewers[0]);
  EXPECT_EQ(house.farewell(house.audience.join(Role::viewer)), 0);
}

TEST(ServeAudience, ASecondDriverTakesOver)
{
  House house;
  Id const first = house.audience.join(Role::driver);
  house.audience.receive(first, click);
  Id const second = house.audience.join(Role::driver);
  EXPECT_EQ(house.farewell(first), code_of_replaced);
  EXPECT_EQ(house.farewell(second), 0);
  auto const input = house.audience.take_input();
  EXPECT_TRUE(std::holds_alternative<ReleaseAll>(input.back()));  // the button does not stay down
  house.audience.receive(first, click);
  EXPECT_TRUE(house.audience.take_input().empty());
}

TEST(ServeAudience, ALostDriverLetsGo)
{
  House house;
  Id const driver = house.audience.join(Role::driver);
  house.audience.receive(driver, click);
  house.audience.leave(driver);
  EXPECT_TRUE(std::holds_alternative<ReleaseAll>(house.audience.take_input().back()));
  EXPECT_FALSE(house.audience.watched());
}

TEST(ServeAudience, BadMessagesAndFloodsEndTheConnection)
{
  House house;
  auto const now = Audience::Clock::now();
  Id const bad = house.audience.join(Role::viewer, now);
  house.audience.receive(bad, "rubbish", now);
  EXPECT_EQ(house.farewell(bad), code_of_bad_message);
  Id const patient = house.audience.join(Role::viewer, now);
  for (int i = 0; i < 2000; ++i) {
    house.audience.receive(patient, R"({"type": "alive"})", now + std::chrono::milliseconds(10 * i));
  }
  EXPECT_EQ(house.farewell(patient), 0);
  Id const flood = house.audience.join(Role::viewer, now);
  for (int i = 0; i < 301; ++i) { house.audience.receive(flood, R"({"type": "alive"})", now); }
  EXPECT_EQ(house.farewell(flood), code_of_bad_message);
}

TEST(ServeAudience, WhoDoesNotSeePicturesHoldsUpNobody)
{
  House house;
  auto const now = Audience::Clock::now();
  Id const quick = house.audience.join(Role::viewer, now);
  Id const dead = house.audience.join(Role::viewer, now);
  house.told(quick);
  house.told(dead);
  for (std::uint64_t number = 1; number <= 5; ++number) {
    Audience::Levels const wanted = house.audience.wanted(number);
    ASSERT_TRUE(wanted.test(first_level)) << number;
    house.audience.send(number, first_level, "JPEG", now);
    auto const packet = house.audience.next(quick);
    ASSERT_TRUE(packet);
    EXPECT_EQ(packet->content, std::string({static_cast<char>(number), 0, 0, 0}) + "JPEG");
    house.audience.receive(quick, fmt::format(R"({{"type": "seen", "frame": {}}})", number),
                           now + std::chrono::milliseconds(100));
  }
  EXPECT_TRUE(house.audience.next(dead));   // the first picture
  EXPECT_FALSE(house.audience.next(dead));  // and no other
  house.audience.dismiss_stalled(now + std::chrono::seconds(9));
  EXPECT_EQ(house.farewell(dead), 0);
  house.audience.dismiss_stalled(now + std::chrono::seconds(11));
  EXPECT_EQ(house.farewell(dead), code_of_stalled);
  EXPECT_EQ(house.farewell(quick), 0);
}

TEST(ServeAudience, ASilentPageIsGone)
{
  House house;
  auto const now = Audience::Clock::now();
  Id const silent = house.audience.join(Role::viewer, now);
  Id const alive = house.audience.join(Role::viewer, now);
  house.audience.receive(alive, R"({"type": "alive"})", now + std::chrono::seconds(60));
  house.audience.dismiss_stalled(now + std::chrono::seconds(100));
  EXPECT_EQ(house.farewell(silent), code_of_stalled);
  EXPECT_EQ(house.farewell(alive), 0);
}

TEST(ServeAudience, TheEndIsTold)
{
  House house;
  Id const viewer = house.audience.join(Role::viewer);
  house.audience.end(std::chrono::duration<double>(0.0));
  EXPECT_EQ(house.farewell(viewer), code_of_end);
  EXPECT_EQ(house.farewell(house.audience.join(Role::viewer)), code_of_end);
}

}  // namespace
}  // namespace slotscape::serve
