// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

/// Answers HTTP requests and checks their senders. Uses no socket.
namespace ampprof::cli::serve {

/// The relevant parts of an HTTP/1.1 request.
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
  std::vector<std::pair<std::string, std::string>> headers{};  ///< in addition to the headers of every answer
};

/// Shows reports to clients with the token. Reads files only within its folder and writes none. Refuses browsers that
/// another web site sends here: they lack the token, and after DNS rebinding their Host header names that site.
class Site {
 public:
  /// `root` is an existing report, or a folder of reports. `port` is the one that the server listens on.
  Site(const std::filesystem::path& root, std::string token, int port);

  /// Never throws for a request, whatever it contains.
  Response answer(const Request& request) const;

  /// Returns path and query of the first page, with the token, to append to host and port.
  std::string address() const { return "/?token=" + token_; }

 private:
  bool has_token(const Request& request) const;
  Response page_at(const std::string& path) const;
  Response list() const;
  Response page(const std::filesystem::path& report) const;
  Response revision(const std::filesystem::path& report) const;

  std::filesystem::path folder_;
  std::string only_;  ///< the only report served; "" for the whole folder
  std::string token_;
  int port_;
};

}  // namespace ampprof::cli::serve
