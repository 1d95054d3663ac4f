#include "app/serve/server.hpp"

#include "app/serve/access.hpp"
#include "app/serve/encoder.hpp"
#include "app/serve/listening.hpp"
#include "app/serve/page.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <libwebsockets.h>

#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

namespace slotscape::serve {
namespace {

constexpr unsigned handshake_seconds = 10;
constexpr int farewell_seconds = 3;  ///< time for a page to receive its farewell
constexpr std::chrono::seconds farewell_at_the_end{1};
constexpr unsigned most_connections_beside_viewers = 100;
constexpr std::size_t receive_bytes = 2048;
constexpr std::uint16_t header_bytes = 16384;  ///< cookies of other programs on this machine may need it

using Headers = std::vector<std::pair<std::string, std::string>>;  ///< names include a colon, as libwebsockets requires

struct Response {
  unsigned status = HTTP_STATUS_OK;
  std::string body = {};
  Headers headers = {};
};

/// The state of a connection: a response being sent, or a connected page.
struct Connection {
  std::string body = {};
  Role role = Role::viewer;                 ///< that its WebSocket was admitted with
  std::optional<Audience::Id> member = {};  ///< set once it is open
  std::string received = {};                ///< the beginning of a message whose rest has not arrived yet
  bool goes = false;                        ///< the server is about to disconnect this page
};

std::string header_of(lws* connection, lws_token_indexes header)
{
  int const length = lws_hdr_total_length(connection, header);
  if (length <= 0) { return {}; }
  std::string value(static_cast<std::size_t>(length) + 1, '\0');
  int const copied = lws_hdr_copy(connection, value.data(), static_cast<int>(value.size()), header);
  value.resize(copied > 0 ? static_cast<std::size_t>(copied) : 0);
  return value;
}

std::string token_of(lws* connection)
{
  constexpr std::string_view name = "token=";
  std::array<char, 128> part{};
  for (int i = 0; lws_hdr_copy_fragment(connection, part.data(), part.size(), WSI_TOKEN_HTTP_URI_ARGS, i) >= 0; ++i) {
    std::string_view const argument(part.data());
    if (argument.starts_with(name)) { return std::string(argument.substr(name.size())); }
  }
  return {};
}

Request request_of(lws* connection)
{
  return {.path = header_of(connection, WSI_TOKEN_GET_URI),
          .token = token_of(connection),
          .cookies = header_of(connection, WSI_TOKEN_HTTP_COOKIE),
          .host = header_of(connection, WSI_TOKEN_HOST),
          .origin = header_of(connection, WSI_TOKEN_ORIGIN)};
}

Response refusal(unsigned status, std::string_view why)
{
  return {status, refusal_page(why), {{"content-security-policy:", "default-src 'none'; frame-ancestors 'none'"}}};
}

class WebServer final : public Server {
public:
  WebServer(ServerSettings const& settings, gl::Size picture);
  ~WebServer() override;
  WebServer(WebServer const&) = delete;
  WebServer& operator=(WebServer const&) = delete;

  std::string address(Role role) const override;
  std::string place() const override;
  Audience& audience() override { return audience_; }
  bool takes_picture() const override { return encoder_->takes_picture(); }
  void show(gl::Image image) override { encoder_->show(std::move(image)); }

private:
  static int on_event(lws* connection, lws_callback_reasons reason, void* user, void* data, std::size_t size);
  int handle(lws* connection, lws_callback_reasons reason, std::string_view data);

  void listen();
  void listen_at(std::string const& address);
  Response response_to(Request const& request) const;
  int respond(lws* connection, Response const& response);
  int send_body(lws* connection);
  int confirm(lws* connection, std::string_view protocol);
  /// The role of a WebSocket that may be opened; nothing if it is refused.
  std::optional<Role> role_of(Request const& request) const;
  int begin(lws* connection);
  int receive(lws* connection, std::string_view data);
  int send_next(lws* connection);
  void look_for_work();
  void forget(lws* connection);

  ServerSettings settings_;
  std::vector<std::string> addresses_;
  Access access_;
  std::map<lws*, Connection> connections_;  ///< used only by the network thread
  std::atomic<bool> ends_ = false;
  std::array<lws_protocols, 2> protocols_;
  lws_context* context_ = nullptr;
  Audience audience_;
  std::optional<Encoder> encoder_;
  std::thread network_;
};

bool is_open_to_others(ServerSettings const& settings)
{
  return !settings.address.empty() && !is_loopback(settings.address);
}

WebServer::WebServer(ServerSettings const& settings, gl::Size picture)
    : settings_(settings),
      addresses_(addresses_to_listen_at(settings.address, settings.port)),
      access_(is_open_to_others(settings) ? machine_name() : std::string(), settings.origins),
      protocols_{},
      audience_(settings.viewers, picture, [this] {
        if (context_ != nullptr) { lws_cancel_service(context_); }
      })
{
  protocols_[0].name = "slotscape";
  protocols_[0].callback = on_event;
  protocols_[0].rx_buffer_size = receive_bytes;
  listen();
  encoder_.emplace(audience_);
  network_ = std::thread([this] {
    while (!ends_ && lws_service(context_, 0) >= 0) {}
  });
}

WebServer::~WebServer()
{
  audience_.end(farewell_at_the_end);
  encoder_.reset();  // destroyed first, because it wakes the network
  ends_ = true;
  lws_cancel_service(context_);
  network_.join();
  lws_context_destroy(context_);
}

std::string WebServer::address(Role role) const
{
  std::string const start = settings_.origins.empty() ? place() : settings_.origins.front().text();
  return fmt::format("{}/?token={}", start, access_.token(role));
}

std::string WebServer::place() const
{
  bool const any = addresses_.front() == "0.0.0.0" || addresses_.front() == "::";
  std::string const machine = any ? machine_name() : std::string();
  std::string const host =
      machine.empty() ? with_port(addresses_.front(), settings_.port) : fmt::format("{}:{}", machine, settings_.port);
  return fmt::format("http://{}", host);
}

void WebServer::listen()
{
  lws_set_log_level(0, nullptr);
  lws_context_creation_info info{};
  info.options = LWS_SERVER_OPTION_EXPLICIT_VHOSTS;
  info.user = this;
  info.max_http_header_data = header_bytes;
  info.fd_limit_per_thread = static_cast<unsigned>(settings_.viewers) + most_connections_beside_viewers;
  context_ = lws_create_context(&info);
  if (context_ == nullptr) { throw Error(tr("There is not enough memory for the server: close other programs.")); }
  try {
    for (std::string const& address : addresses_) { listen_at(address); }
  } catch (Error const&) {
    lws_context_destroy(context_);
    throw;
  }
}

void WebServer::listen_at(std::string const& address)
{
  lws_context_creation_info info{};
  bool const six = is_ipv6(address);
  info.options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND |
                 (six ? LWS_SERVER_OPTION_IPV6_V6ONLY_MODIFY | LWS_SERVER_OPTION_IPV6_V6ONLY_VALUE
                      : LWS_SERVER_OPTION_DISABLE_IPV6);
  info.port = settings_.port;
  info.iface = address.c_str();
  info.vhost_name = address.c_str();
  info.protocols = protocols_.data();
  info.timeout_secs = handshake_seconds;
  info.keepalive_timeout = static_cast<int>(handshake_seconds);
  lws_vhost* const host = lws_create_vhost(context_, &info);
  if (host == nullptr) { throw Error(tr("Cannot listen on {}", with_port(address, settings_.port))); }
  settings_.port = static_cast<std::uint16_t>(lws_get_vhost_listen_port(host));  // the others use the same port
}

int WebServer::on_event(lws* connection, lws_callback_reasons reason, void* /*user*/, void* data, std::size_t size)
{
  auto* const server = static_cast<WebServer*>(lws_context_user(lws_get_context(connection)));
  bool const has_text = reason == LWS_CALLBACK_HTTP || reason == LWS_CALLBACK_RECEIVE;
  bool const has_name = reason == LWS_CALLBACK_HTTP_CONFIRM_UPGRADE;
  auto const* const text = static_cast<char const*>(data);
  std::string_view const content = text == nullptr ? std::string_view()
                                   : has_text      ? std::string_view(text, size)
                                   : has_name      ? std::string_view(text)
                                                   : std::string_view();
  try {
    return server->handle(connection, reason, content);
  } catch (std::exception const&) {  // out of memory
    return -1;
  }
}

/// Returns what libwebsockets expects: 0, or -1 to close the connection.
int WebServer::handle(lws* connection, lws_callback_reasons reason, std::string_view data)
{
  switch (reason) {
    case LWS_CALLBACK_HTTP: return respond(connection, response_to(request_of(connection)));
    case LWS_CALLBACK_HTTP_WRITEABLE: return send_body(connection);
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirm(connection, data);
    case LWS_CALLBACK_ESTABLISHED: return begin(connection);
    case LWS_CALLBACK_RECEIVE: return receive(connection, data);
    case LWS_CALLBACK_SERVER_WRITEABLE: return send_next(connection);
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED: look_for_work(); return 0;
    case LWS_CALLBACK_CLOSED:
    case LWS_CALLBACK_WSI_DESTROY: forget(connection); return 0;
    default: return 0;
  }
}

Response WebServer::response_to(Request const& request) const
{
  if (request.path.empty()) { return refusal(HTTP_STATUS_METHOD_NOT_ALLOWED, "This server answers only GET."); }
  if (!access_.knows_host(request.host)) {
    return refusal(HTTP_STATUS_FORBIDDEN,
                   "This server does not know itself by that name. Use the address that slotscape printed, localhost, "
                   "or a numeric address; behind a proxy, start slotscape with --origin and the address of that.");
  }
  if (request.path == "/") {
    auto const role = access_.role_by_token(request);
    if (role) {
      return {HTTP_STATUS_SEE_OTHER,
              {},
              {{"location:", std::string(Access::path_of(*role))},
               {"set-cookie:", access_.cookie_of(*role, request.host)}}};
    }
  }
  for (Role const role : {Role::viewer, Role::driver}) {
    if (request.path != Access::path_of(role) || !access_.admits(request, role)) { continue; }
    std::string const nonce = random_token();
    return {HTTP_STATUS_OK,
            live_page(nonce),
            {{"content-security-policy:", policy_of_page(nonce, request.host, settings_.origins)}}};
  }
  return refusal(HTTP_STATUS_FORBIDDEN,
                 "The token is missing or wrong. Open the whole address that slotscape printed, with its token; your "
                 "browser must allow this site to keep a cookie.");
}

int WebServer::respond(lws* connection, Response const& response)
{
  std::vector<unsigned char> buffer(LWS_PRE + 4096);
  unsigned char* const start = buffer.data() + LWS_PRE;
  unsigned char* at = start;
  unsigned char* const end = buffer.data() + buffer.size() - 1;
  if (lws_add_http_common_headers(connection, response.status, "text/html; charset=utf-8", response.body.size(), &at,
                                  end) != 0) {
    return -1;
  }
  Headers headers{{"cache-control:", "no-store"},
                  {"referrer-policy:", "no-referrer"},
                  {"x-content-type-options:", "nosniff"},
                  {"cross-origin-resource-policy:", "same-origin"}};
  headers.insert(headers.end(), response.headers.begin(), response.headers.end());
  for (auto const& [name, value] : headers) {
    if (lws_add_http_header_by_name(connection, reinterpret_cast<unsigned char const*>(name.c_str()),
                                    reinterpret_cast<unsigned char const*>(value.data()),
                                    static_cast<int>(value.size()), &at, end) != 0) {
      return -1;
    }
  }
  if (lws_finalize_write_http_header(connection, start, &at, end) != 0) { return -1; }
  if (response.body.empty()) { return lws_http_transaction_completed(connection) != 0 ? -1 : 0; }
  connections_[connection].body = response.body;
  lws_callback_on_writable(connection);
  return 0;
}

int WebServer::send_body(lws* connection)
{
  auto const found = connections_.find(connection);
  if (found == connections_.end() || found->second.body.empty()) { return 0; }
  std::string const body = std::exchange(found->second.body, {});
  std::vector<unsigned char> buffer(LWS_PRE + body.size());
  std::memcpy(buffer.data() + LWS_PRE, body.data(), body.size());
  int const sent = lws_write(connection, buffer.data() + LWS_PRE, body.size(), LWS_WRITE_HTTP_FINAL);
  if (sent < static_cast<int>(body.size())) { return -1; }
  return lws_http_transaction_completed(connection) != 0 ? -1 : 0;
}

std::optional<Role> WebServer::role_of(Request const& request) const
{
  if (!access_.knows_host(request.host) || !access_.is_same_origin(request)) { return std::nullopt; }
  for (Role const role : {Role::viewer, Role::driver}) {
    if (request.path == Access::live_path_of(role) && access_.admits(request, role)) { return role; }
  }
  return std::nullopt;
}

/// Whether an upgrade from HTTP may proceed: 0; or 1 if it was refused.
int WebServer::confirm(lws* connection, std::string_view protocol)
{
  if (protocol != "websocket") { return -1; }
  if (auto const role = role_of(request_of(connection))) {
    connections_[connection].role = *role;
    return 0;
  }
  return lws_return_http_status(connection, HTTP_STATUS_FORBIDDEN, nullptr) < 0 ? -1 : 1;
}

int WebServer::begin(lws* connection)
{
  auto const found = connections_.find(connection);
  if (found == connections_.end()) { return -1; }
  found->second.member = audience_.join(found->second.role);
  lws_callback_on_writable(connection);
  return 0;
}

int WebServer::receive(lws* connection, std::string_view data)
{
  Connection& from = connections_[connection];
  if (!from.member) { return -1; }
  from.received += data;
  bool const whole = lws_is_final_fragment(connection) != 0 && lws_remaining_packet_payload(connection) == 0;
  if (from.received.size() > max_message_bytes) {
    audience_.dismiss(*from.member, {code_of_bad_message, "The page has sent a message that is too long."});
    from.received.clear();
    return 0;
  }
  if (whole) { audience_.receive(*from.member, std::exchange(from.received, {})); }
  return 0;
}

int WebServer::send_next(lws* connection)
{
  auto const found = connections_.find(connection);
  if (found == connections_.end() || !found->second.member) { return 0; }
  Audience::Id const member = *found->second.member;
  if (auto const farewell = audience_.farewell(member)) {
    std::string reason = farewell->reason.substr(0, 120);  // a close frame has room for 123 bytes
    lws_close_reason(connection, static_cast<lws_close_status>(farewell->code),
                     reinterpret_cast<unsigned char*>(reason.data()), reason.size());
    return -1;
  }
  auto const packet = audience_.next(member);
  if (!packet) { return 0; }
  std::vector<unsigned char> buffer(LWS_PRE + packet->content.size());
  std::memcpy(buffer.data() + LWS_PRE, packet->content.data(), packet->content.size());
  int const sent = lws_write(connection, buffer.data() + LWS_PRE, packet->content.size(),
                             packet->binary ? LWS_WRITE_BINARY : LWS_WRITE_TEXT);
  if (sent < static_cast<int>(packet->content.size())) { return -1; }
  lws_callback_on_writable(connection);
  return 0;
}

/// Disconnects pages that do not even receive their farewell.
void WebServer::look_for_work()
{
  for (auto& [connection, what] : connections_) {
    if (!what.member) { continue; }
    if (!what.goes && audience_.farewell(*what.member)) {
      what.goes = true;
      lws_set_timeout(connection, static_cast<pending_timeout>(PENDING_TIMEOUT_USER_REASON_BASE), farewell_seconds);
    }
    lws_callback_on_writable(connection);
  }
}

void WebServer::forget(lws* connection)
{
  auto const found = connections_.find(connection);
  if (found == connections_.end()) { return; }
  if (found->second.member) { audience_.leave(*found->second.member); }
  connections_.erase(found);
}

}  // namespace

std::unique_ptr<Server> open_server(ServerSettings const& settings, gl::Size picture)
{
  return std::make_unique<WebServer>(settings, picture);
}

}  // namespace slotscape::serve
