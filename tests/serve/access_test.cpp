#include "app/serve/access.hpp"

#include "gpu/base/error.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <initializer_list>
#include <set>
#include <utility>

namespace slotscape::serve {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
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
  Access const access;
  auto const same = [&](char const* host, char const* origin) {
    return access.is_same_origin({.host = host, .origin = origin});
  };
  EXPECT_TRUE(same("localhost:8080", ""));
  EXPECT_TRUE(same("localhost:8080", "http://localhost:8080"));
  EXPECT_TRUE(same("localhost:8080", "https://LOCALHOST:8080"));
  EXPECT_FALSE(same("localhost:8080", "http://localhost:8081"));
  EXPECT_FALSE(same("localhost:8080", "http://127.0.0.1:8080"));
  EXPECT_FALSE(same("localhost:8080", "http://localhost:8080.example.org"));
  EXPECT_FALSE(same("localhost:8080", "null"));
}

TEST(ServeAccess, AProxyIsKnownByItsOriginAlone)
{
  Access const access({}, origins_in("https://Slots.example.org, http://lan.example:8000"));
  for (char const* const host :
       {"slots.example.org", "SLOTS.example.org:443", "lan.example:8000", "localhost:8080", "127.0.0.1:8080"}) {
    EXPECT_TRUE(access.knows_host(host)) << host;
  }
  for (char const* const host :
       {"slots.example.org:80", "slots.example.org:8080", "lan.example", "lan.example:80", "lan.example:8000:80",
        "a.slots.example.org", "slots.example.org.", "example.org", "slots.example.org; script-src *"}) {
    EXPECT_FALSE(access.knows_host(host)) << host;
  }
  auto const same = [&](char const* host, char const* origin) {
    return access.is_same_origin({.host = host, .origin = origin});
  };
  EXPECT_TRUE(same("slots.example.org", "https://slots.example.org"));
  EXPECT_TRUE(same("127.0.0.1:8080", "https://slots.example.org")) << "a proxy that puts its own Host";
  EXPECT_TRUE(same("lan.example:8000", "http://lan.example:8000"));
  EXPECT_TRUE(same("localhost:8080", "http://localhost:8080")) << "beside it";
  EXPECT_FALSE(same("slots.example.org", "http://slots.example.org")) << "who changes what is not encrypted";
  EXPECT_FALSE(same("slots.example.org", "https://slots.example.org:8443"));
  EXPECT_FALSE(same("slots.example.org", "https://evil.example"));
  EXPECT_FALSE(same("127.0.0.1:8080", "https://evil.example"));
  EXPECT_FALSE(same("slots.example.org", "null"));
}

TEST(ServeAccess, CookiesOfEncryptedOriginsStayEncrypted)
{
  Access const access({}, origins_in("https://slots.example.org,http://lan.example"));
  EXPECT_THAT(access.cookie_of(Role::driver, "slots.example.org"), EndsWith("; SameSite=Lax; Secure"));
  EXPECT_THAT(access.cookie_of(Role::driver, "lan.example"), EndsWith("; SameSite=Lax"));
  EXPECT_THAT(access.cookie_of(Role::driver, "localhost:8080"), EndsWith("; SameSite=Lax"));
}

TEST(ServeOrigin, IsTheStartOfAnAddress)
{
  for (auto const& [typed, said] : std::initializer_list<std::pair<char const*, char const*>>{
           {"https://slots.example.org", "https://slots.example.org"},
           {"HTTPS://Slots.Example.org:443", "https://slots.example.org"},
           {"http://a-b.example:80", "http://a-b.example"},
           {"https://a.example:80", "https://a.example:80"},
           {"http://192.168.0.5:8000", "http://192.168.0.5:8000"},
           {"https://[fd00::1]:8443", "https://[fd00::1]:8443"},
           {"https://xn--mller-kva.example", "https://xn--mller-kva.example"}}) {
    EXPECT_EQ(Origin(typed).text(), said);
  }
  EXPECT_EQ(Origin("https://a.example:8443").of_websockets(), "wss://a.example:8443");
  EXPECT_EQ(Origin("http://a.example").of_websockets(), "ws://a.example");
  for (char const* const wrong : {"",
                                  "slots.example.org",
                                  "ftp://a.example",
                                  "wss://a.example",
                                  "https://",
                                  "https://:443",
                                  "https://*.example",
                                  "https://a.example:",
                                  "https://a.example:0",
                                  "https://a.example:0443",
                                  "https://a.example:65536",
                                  "https://a.example:443:443",
                                  "https://a@b.example",
                                  "https://a b",
                                  "https://-a.example",
                                  "https://a..example",
                                  "https://a.example.",
                                  "https://müller.example",
                                  "https://[fd00::1",
                                  "https://[::g]",
                                  "https://1.2.3",
                                  "https://a.example?b",
                                  "https://a.example;script-src",
                                  "null",
                                  "*"}) {
    EXPECT_THAT(test::message_of<Error>([&] { Origin const origin(wrong); }), HasSubstr("https://HOST:PORT")) << wrong;
  }
  for (char const* const wrong : {"https://a.example/", "https://a.example/slots"}) {
    EXPECT_THAT(test::message_of<Error>([&] { Origin const origin(wrong); }), HasSubstr("must end after the host"))
        << wrong;
  }
}

}  // namespace
}  // namespace slotscape::serve
