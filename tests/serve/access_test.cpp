#include "app/serve/access.hpp"

#include <gmock/gmock.h>

#include <set>

namespace slotscape::serve {
namespace {

using ::testing::MatchesRegex;

TEST(ServeAccess, TokensAre128RandomBits)
{
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) {
    tokens.insert(random_token());
    EXPECT_THAT(*tokens.begin(), MatchesRegex("[0-9a-f]{32}"));
  }
  EXPECT_EQ(tokens.size(), 100U);
}

TEST(ServeAccess, EachTokenGivesItsRole)
{
  Access const access;
  EXPECT_NE(access.token(Role::driver), access.token(Role::viewer));
  EXPECT_EQ(access.role_by_token({.token = access.token(Role::driver)}), Role::driver);
  EXPECT_EQ(access.role_by_token({.token = access.token(Role::viewer)}), Role::viewer);
  std::string wrong = access.token(Role::driver);
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  EXPECT_EQ(access.role_by_token({.token = wrong}), std::nullopt);
  EXPECT_EQ(access.role_by_token({.token = access.token(Role::driver).substr(1)}), std::nullopt);
  EXPECT_EQ(access.role_by_token({}), std::nullopt);
}

TEST(ServeAccess, TheCookieOfOneRoleDoesNotOpenTheOther)
{
  Access const access;
  std::string const cookie = access.cookie_of(Role::viewer);
  EXPECT_THAT(cookie, MatchesRegex("slotscape_[0-9a-f]{8}=[0-9a-f]{32}; Path=/watch; HttpOnly; SameSite=Lax"));
  std::string const pair = cookie.substr(0, cookie.find(';'));
  EXPECT_TRUE(access.admits({.cookies = pair}, Role::viewer));
  EXPECT_TRUE(access.admits({.cookies = "a=b; " + pair + "; c"}, Role::viewer));
  EXPECT_FALSE(access.admits({.cookies = pair}, Role::driver));
  EXPECT_FALSE(access.admits({.cookies = pair.substr(0, pair.size() - 1)}, Role::viewer));
  EXPECT_FALSE(access.admits({.cookies = "slotscape_00000000=" + access.token(Role::viewer)}, Role::viewer));
  EXPECT_FALSE(access.admits({.cookies = ";;=;"}, Role::viewer));
  EXPECT_FALSE(access.admits({}, Role::viewer));
}

TEST(ServeAccess, KnowsItselfByLoopbackAndNumbers)
{
  Access const access;
  for (char const* const host :
       {"localhost", "LOCALHOST:8080", "a.localhost:1", "127.0.0.1:8080", "[::1]:8080", "[::1]", "192.168.0.5:80"}) {
    EXPECT_TRUE(access.knows_host(host)) << host;
  }
  for (char const* const host :
       {"", "example.org", "example.org:8080", "localhost.example.org", "127.0.0.1.nip.io", "[::1", "server",
        "127.0.0.1@example.org", "localhost:80; script-src *", "localhost:", "[::1]8080"}) {
    EXPECT_FALSE(access.knows_host(host)) << host;
  }
}

TEST(ServeAccess, KnowsItselfByItsNameWhereOthersMayConnect)
{
  Access const access("Server");
  EXPECT_TRUE(access.knows_host("server:8080"));
  EXPECT_TRUE(access.knows_host("server.local"));
  EXPECT_FALSE(access.knows_host("server.example.org"));
  EXPECT_FALSE(access.knows_host("other"));
}

TEST(ServeAccess, PagesOfOtherSitesAreStrangers)
{
  auto const same = [](char const* host, char const* origin) {
    return Access::is_same_origin({.host = host, .origin = origin});
  };
  EXPECT_TRUE(same("localhost:8080", ""));
  EXPECT_TRUE(same("localhost:8080", "http://localhost:8080"));
  EXPECT_TRUE(same("localhost:8080", "https://LOCALHOST:8080"));
  EXPECT_FALSE(same("localhost:8080", "http://localhost:8081"));
  EXPECT_FALSE(same("localhost:8080", "http://127.0.0.1:8080"));
  EXPECT_FALSE(same("localhost:8080", "http://localhost:8080.example.org"));
  EXPECT_FALSE(same("localhost:8080", "null"));
}

}  // namespace
}  // namespace slotscape::serve
