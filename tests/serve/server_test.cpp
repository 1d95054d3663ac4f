// A server, asked through sockets as a browser would, and as one would not.

#include "app/serve/server.hpp"

#include "app/serve/encoder.hpp"
#include "app/serve/listening.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/support/stb.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace slotscape::serve {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr gl::Size small_picture{64, 48};
constexpr std::chrono::seconds patience{20};

gl::Image picture_of_color(std::uint8_t red)
{
  gl::Image image{.width = small_picture.width, .height = small_picture.height, .pixels = {}};
  for (int i = 0; i < small_picture.width * small_picture.height; ++i) {
    for (std::uint8_t const channel : {red, std::uint8_t{0}, std::uint8_t{0}, std::uint8_t{255}}) {
      image.pixels.push_back(channel);
    }
  }
  return image;
}

struct Decoded {
  int width = 0;
  int height = 0;
  int red = 0;  ///< of the first pixel
};

Decoded decoded(std::string const& jpeg)
{
  Decoded result;
  int channels = 0;
  stbi_uc* const pixels =
      stbi_load_from_memory(reinterpret_cast<stbi_uc const*>(jpeg.data()), static_cast<int>(jpeg.size()), &result.width,
                            &result.height, &channels, 3);
  if (pixels == nullptr) { return {}; }
  result.red = pixels[0];
  stbi_image_free(pixels);
  return result;
}

/// A connection to a port of this machine.
class Wire {
public:
  explicit Wire(std::uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM, 0))
  {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    inet_pton(AF_INET, loopback, &place.sin_addr);
    connected_ = connect(socket_, reinterpret_cast<sockaddr const*>(&place), sizeof place) == 0;
  }
  ~Wire() { close(socket_); }
  Wire(Wire const&) = delete;
  Wire& operator=(Wire const&) = delete;

  bool connected() const { return connected_; }
  void send(std::string const& text) const { ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }

  /// This many bytes, or fewer if the connection ends before.
  std::string take(std::size_t count)
  {
    while (read_.size() < count && read_more()) {}
    std::string taken = read_.substr(0, count);
    read_.erase(0, count);
    return taken;
  }
  /// All up to the end of a text and that.
  std::string take_through(std::string const& end)
  {
    while (read_.find(end) == std::string::npos && read_more()) {}
    std::size_t const found = read_.find(end);
    return take(found == std::string::npos ? read_.size() : found + end.size());
  }

private:
  bool read_more()
  {
    pollfd waiting{socket_, POLLIN, 0};
    if (poll(&waiting, 1, static_cast<int>(std::chrono::milliseconds(patience).count())) <= 0) { return false; }
    std::array<char, 4096> bytes{};
    ssize_t const count = recv(socket_, bytes.data(), bytes.size(), 0);
    if (count <= 0) { return false; }
    read_.append(bytes.data(), static_cast<std::size_t>(count));
    return true;
  }

  int socket_;
  bool connected_ = false;
  std::string read_;
};

/// A message from the server, or its farewell.
struct Heard {
  int kind = 0;  ///< the opcode: 1 text, 2 binary, 8 close; 0: the connection has ended
  std::string content = {};
};

/// A page's WebSocket, or what is left of it after it was refused.
class LivePage {
public:
  LivePage(std::uint16_t port, std::string const& path, std::string const& headers = "", std::string const& host = "")
      : wire_(port)
  {
    wire_.send(
        fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{}\r\n",
                    path, host.empty() ? fmt::format("localhost:{}", port) : host, headers));
    answer_ = wire_.take_through("\r\n\r\n");
  }
  std::string const& answer() const { return answer_; }

  Heard hear()
  {
    std::string const head = wire_.take(2);
    if (head.size() < 2) { return {}; }
    std::size_t length = static_cast<unsigned char>(head[1]) & 127U;
    std::size_t const more = length == 126 ? 2 : length == 127 ? 8 : 0;
    if (more > 0) {
      length = 0;
      for (char const each : wire_.take(more)) { length = length << 8U | static_cast<unsigned char>(each); }
    }
    return {head[0] & 15, wire_.take(length)};
  }
  /// The next message of this kind, or the end of the connection.
  Heard hear_of(int kind)
  {
    while (true) {
      Heard heard = hear();
      if (heard.kind == kind || heard.kind == 0) { return heard; }
    }
  }
  /// The code that the server closes the connection with.
  int close_code()
  {
    std::string const content = hear_of(8).content;
    if (content.size() < 2) { return 0; }
    return static_cast<unsigned char>(content[0]) << 8 | static_cast<unsigned char>(content[1]);
  }
  /// A masked text frame, as browsers send them; the mask is all zeros.
  void say(std::string const& text) const
  {
    std::string frame("\x81");
    if (text.size() < 126) {
      frame += static_cast<char>(0x80U | text.size());
    } else {
      frame += static_cast<char>(0xfe);
      frame += static_cast<char>(text.size() >> 8U);
      frame += static_cast<char>(text.size());
    }
    wire_.send(frame + std::string(4, '\0') + text);
  }

private:
  Wire wire_;
  std::string answer_;
};

class ServeServer : public ::testing::Test {
protected:
  void SetUp() override { open({}); }
  void open(std::vector<Origin> origins)
  {
    try {
      server_ = open_server({.port = 0, .viewers = 10, .origins = std::move(origins)}, small_picture);
    } catch (Error const& error) {
      if (std::string(error.what()).find("built without") != std::string::npos) { GTEST_SKIP() << error.what(); }
      throw;
    }
    std::string const place = server_->place();
    port_ = static_cast<std::uint16_t>(std::stoi(place.substr(place.rfind(':') + 1)));
  }

  std::string token(Role role) const
  {
    std::string const address = server_->address(role);
    return address.substr(address.find("token=") + 6);
  }
  /// The answer to a request, and as much of its body as it declares.
  std::string get(std::string const& path, std::string const& headers = "", std::string const& host = "") const
  {
    Wire wire(port_);
    wire.send(fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\n{}\r\n", path,
                          host.empty() ? fmt::format("localhost:{}", port_) : host, headers));
    std::string answer = wire.take_through("\r\n\r\n");
    constexpr std::string_view name = "content-length: ";
    std::size_t const length = answer.find(name);
    if (length != std::string::npos) { answer += wire.take(std::stoul(answer.substr(length + name.size()))); }
    return answer;
  }
  LivePage page(Role role) const
  {
    return {port_, fmt::format("{}?token={}", Access::live_path_of(role), token(role))};
  }
  std::vector<Input> input_within_patience() const
  {
    auto const end = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < end) {
      server_->audience().wait(std::chrono::duration<double>(0.1));
      std::vector<Input> input = server_->audience().take_input();
      if (!input.empty()) { return input; }
    }
    return {};
  }
  void show_within_patience(gl::Image const& image) const
  {
    auto const end = std::chrono::steady_clock::now() + patience;
    while (!server_->takes_picture() && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    server_->show(image);
  }

  std::unique_ptr<Server> server_;
  std::uint16_t port_ = 0;
};

TEST_F(ServeServer, WithoutTheRightTokenThereIsNothing)
{
  for (char const* const path : {"/", "/drive", "/watch", "/?token=", "/?token=00000000000000000000000000000000",
                                 "/drive?token=x", "/anything", "/drive/live"}) {
    EXPECT_THAT(get(path), AllOf(StartsWith("HTTP/1.1 403"), Not(HasSubstr("<canvas")))) << path;
  }
  EXPECT_THAT(get("/watch?token=" + token(Role::driver)), StartsWith("HTTP/1.1 403"));
}

TEST_F(ServeServer, TheTokenLeadsToThePageAndLeavesTheAddress)
{
  std::string const redirection = get("/?token=" + token(Role::driver));
  EXPECT_THAT(redirection, AllOf(StartsWith("HTTP/1.1 303"), HasSubstr("location: /drive\r\n"),
                                 HasSubstr("HttpOnly; SameSite=Lax")));
  std::size_t const at = redirection.find("slotscape_");
  std::string const cookie = redirection.substr(at, redirection.find(';', at) - at);
  std::string const answer = get("/drive", fmt::format("Cookie: {}\r\n", cookie));
  EXPECT_THAT(answer, AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("<canvas"), HasSubstr("cache-control: no-store"),
                            HasSubstr("content-security-policy: default-src 'none'; script-src 'nonce-"),
                            HasSubstr("referrer-policy: no-referrer"), Not(HasSubstr("{{nonce}}")),
                            Not(HasSubstr(token(Role::driver)))));
  EXPECT_THAT(get("/watch", fmt::format("Cookie: {}\r\n", cookie)), StartsWith("HTTP/1.1 403"));
}

TEST_F(ServeServer, AnswersToItsOwnNamesAlone)
{
  std::string const path = "/?token=" + token(Role::viewer);
  EXPECT_THAT(get(path, "", "rebound.example.org"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(get(path, "", "127.0.0.1:1234"), StartsWith("HTTP/1.1 303"));  // the other end of a tunnel
}

TEST_F(ServeServer, OtherMethodsAreRefused)
{
  Wire wire(port_);
  wire.send(
      fmt::format("POST /?token={} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n", token(Role::driver)));
  EXPECT_THAT(wire.take_through("\r\n"), StartsWith("HTTP/1.1 405"));
}

TEST_F(ServeServer, WebSocketsNeedTheTokenAndTheSameSite)
{
  EXPECT_THAT(LivePage(port_, "/drive/live").answer(), HasSubstr(" 403 "));
  std::string const live = "/drive/live?token=" + token(Role::driver);
  EXPECT_THAT(LivePage(port_, live, "Origin: http://example.org\r\n").answer(), HasSubstr(" 403 "));
  EXPECT_THAT(LivePage(port_, "/drive/live?token=" + token(Role::viewer)).answer(), HasSubstr(" 403 "));
  EXPECT_THAT(LivePage(port_, live, fmt::format("Origin: http://localhost:{}\r\n", port_)).answer(),
              StartsWith("HTTP/1.1 101"));
}

/// As nginx and Caddy pass on what a browser sends them, with their Host or with the browser's.
class ServeBehindAProxy : public ServeServer {
protected:
  void SetUp() override { open(origins_in("https://slots.example.org")); }
};

TEST_F(ServeBehindAProxy, ShowsThePageUnderThatOrigin)
{
  EXPECT_THAT(server_->address(Role::driver), StartsWith("https://slots.example.org/?token="));
  std::string const forwarded = "X-Forwarded-For: 203.0.113.7\r\nX-Forwarded-Proto: https\r\n";
  for (std::string const& host : {std::string("slots.example.org"), fmt::format("127.0.0.1:{}", port_)}) {
    std::string const redirection = get("/?token=" + token(Role::driver), forwarded, host);
    EXPECT_THAT(redirection, AllOf(StartsWith("HTTP/1.1 303"), HasSubstr("location: /drive\r\n")));
    EXPECT_EQ(redirection.find("; Secure\r\n") != std::string::npos, host == "slots.example.org");
    std::size_t const at = redirection.find("slotscape_");
    std::string const cookie = fmt::format("Cookie: {}\r\n", redirection.substr(at, redirection.find(';', at) - at));
    EXPECT_THAT(get("/drive", forwarded + cookie, host),
                AllOf(StartsWith("HTTP/1.1 200"), HasSubstr(" wss://slots.example.org;")));
    auto const live = [&](std::string const& origin) {
      return LivePage(port_, "/drive/live", fmt::format("{}{}Origin: {}\r\n", forwarded, cookie, origin), host)
          .answer();
    };
    EXPECT_THAT(live("https://slots.example.org"), StartsWith("HTTP/1.1 101"));
    EXPECT_THAT(live("http://slots.example.org"), HasSubstr(" 403 "));
    EXPECT_THAT(live("https://evil.example"), HasSubstr(" 403 "));
  }
}

TEST_F(ServeBehindAProxy, OtherNamesAreRefusedAsBefore)
{
  std::string const path = "/?token=" + token(Role::viewer);
  EXPECT_THAT(get(path, "", "rebound.example.org"), AllOf(StartsWith("HTTP/1.1 403"), HasSubstr("--origin")));
  EXPECT_THAT(get(path, "X-Forwarded-Host: slots.example.org\r\n", "rebound.example.org"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(get("/", "", "slots.example.org"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(get(path), StartsWith("HTTP/1.1 303"));  // through a tunnel
}

TEST_F(ServeServer, ShowsPicturesAndTakesInput)
{
  LivePage driver = page(Role::driver);
  EXPECT_THAT(driver.hear().content, HasSubstr("\"width\":64"));
  show_within_patience(picture_of_color(200));
  std::string const first = driver.hear_of(2).content;
  ASSERT_GT(first.size(), 4U);
  Decoded const shown = decoded(first.substr(4));
  EXPECT_EQ(shown.width, 64);
  EXPECT_EQ(shown.height, 48);
  EXPECT_NEAR(shown.red, 200, 6);
  EXPECT_FALSE(server_->takes_picture());  // until it is seen
  driver.say(fmt::format(R"({{"type": "seen", "frame": {}}})", static_cast<int>(first[0])));
  show_within_patience(picture_of_color(100));
  EXPECT_NEAR(decoded(driver.hear_of(2).content.substr(4)).red, 100, 6);
  driver.say(R"({"type": "move", "x": 3, "y": 4})");
  auto const input = input_within_patience();
  ASSERT_FALSE(input.empty());
  EXPECT_FLOAT_EQ(std::get<PointerMove>(input.front()).y, 4.0F);
}

TEST_F(ServeServer, AnEleventhViewerIsOneTooMany)
{
  std::vector<std::unique_ptr<LivePage>> viewers;
  for (int i = 0; i < 10; ++i) {
    viewers.push_back(std::make_unique<LivePage>(port_, fmt::format("/watch/live?token={}", token(Role::viewer))));
    EXPECT_EQ(viewers.back()->hear().kind, 1);
  }
  EXPECT_EQ(page(Role::viewer).close_code(), code_of_full_house);
  EXPECT_EQ(page(Role::driver).hear().kind, 1);
}

TEST_F(ServeServer, LongAndBadMessagesEndTheConnection)
{
  LivePage wordy = page(Role::driver);
  wordy.say(std::string(5000, ' '));
  EXPECT_EQ(wordy.close_code(), code_of_bad_message);
  LivePage bad = page(Role::viewer);
  bad.say("rubbish");
  EXPECT_EQ(bad.close_code(), code_of_bad_message);
}

TEST_F(ServeServer, SaysFarewell)
{
  LivePage viewer = page(Role::viewer);
  EXPECT_EQ(viewer.hear().kind, 1);
  server_.reset();
  EXPECT_EQ(viewer.close_code(), code_of_end);
  EXPECT_FALSE(Wire(port_).connected());
}

TEST_F(ServeServer, ATakenPortIsSaid)
{
  try {
    open_server({.port = port_}, small_picture);
    FAIL() << "two servers have one port";
  } catch (Error const& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("taken"), HasSubstr("--port")));
  }
}

TEST(ServeListening, AddressesAreThoseOfThisMachine)
{
  auto const wrong_with = [](char const* address) -> std::string {
    try {
      addresses_to_listen_at(address, 0);
    } catch (Error const& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(addresses_to_listen_at("", 0).front(), loopback);
  EXPECT_EQ(wrong_with("0.0.0.0"), "nothing");
  EXPECT_THAT(wrong_with("example.org"), HasSubstr("numeric"));
  EXPECT_THAT(wrong_with("203.0.113.7"), HasSubstr("not an address of this machine"));  // for documentation, RFC 5737
}

TEST(ServeEncoder, ShrinksToMeans)
{
  gl::Image image{.width = 5, .height = 2, .pixels = {}};
  for (int i = 0; i < 10; ++i) {
    for (int channel = 0; channel < 4; ++channel) {
      image.pixels.push_back(static_cast<std::uint8_t>(10 * i + channel));
    }
  }
  gl::Image const small = shrunk(image, 2);
  EXPECT_EQ(small.width, 2);
  EXPECT_EQ(small.height, 1);
  // The pixels 0, 1, 5, 6 have the mean 30; 2, 3, 7, 8 have 50.
  EXPECT_THAT(small.pixels, ::testing::ElementsAre(30, 31, 32, 33, 50, 51, 52, 53));
}

}  // namespace
}  // namespace slotscape::serve
