// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

/// Answers requests of HTTP: what, and to whom. Knows no socket.
namespace ampprof::cli::serve {

/// Holds what counts of a request of HTTP/1.1.
struct Request {
  std::string method;
  std::string target;  ///< path and query, as sent
  std::string host;    ///< header Host
  std::string cookie;  ///< header Cookie
};

struct Response {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers{};  ///< besides those that every answer has
};

/// Shows reports to whoever has the token. Only reads, and only what lies in its folder. A browser that is led here by
/// another site has no token, and names another host where that site's name points to this machine.
class Site {
 public:
  /// `root`: a report, or a folder of reports. It is there. `port`: where this machine listens.
  Site(const std::filesystem::path& root, std::string token, int port);

  /// Never throws for a request, whatever it holds.
  Response answer(const Request& request) const;

  /// Returns the path of the first page, with the token, behind the host and the port.
  std::string address() const { return "/?token=" + token_; }

 private:
  bool has_token(const Request& request) const;
  Response page_at(const std::string& path) const;
  Response list() const;
  Response page(const std::filesystem::path& report) const;
  Response revision(const std::filesystem::path& report) const;

  std::filesystem::path folder_;
  std::string only_;  ///< the one report that is served; "" for all of the folder
  std::string token_;
  int port_;
};

}  // namespace ampprof::cli::serve
