#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slotscape::serve {

/// The address at which a proxy shows the page, as browsers send it in the header Origin: "https://slots.example.org".
class Origin {
public:
  /// Throws Error that explains the format: a scheme and a host, optionally a port, and nothing after it.
  explicit Origin(std::string_view typed);

  /// "https://slots.example.org", in lower case, without the scheme's default port.
  std::string const& text() const { return text_; }
  /// The origin of its WebSockets: "wss://slots.example.org".
  std::string of_websockets() const { return "ws" + text_.substr(4); }
  bool is_encrypted() const { return text_.starts_with("https"); }
  /// Whether a Host header names this origin.
  bool has_host(std::string_view host) const;

private:
  std::string text_;
};

/// Parses the option --origin: one, or several separated by commas.
std::vector<Origin> origins_in(std::string_view typed);

}  // namespace slotscape::serve
