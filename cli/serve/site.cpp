// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <exception>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include "analysis/ops/targets.h"
#include "cli/export/formats.h"
#include "cli/export/html.h"
#include "reports/queries/report_folder.h"
#include "reports/queries/runs.h"
#include "reports/store/report_error.h"
#include "reports/text/numbers.h"
#include "views/view_source.h"

namespace ampprof::cli::serve {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr std::string_view kReport = "/report/";
constexpr std::string_view kRevision = "/revision/";

Response text(int status, std::string body) { return {.status = status, .body = std::move(body) + '\n'}; }

Response not_found() { return text(404, "There is no report at this address."); }

/// Decodes %-escapes. Returns nothing for a malformed escape and for %00.
std::optional<std::string> unescaped(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      bytes += text[i];
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    unsigned char byte = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() < 2 || error != std::errc{} || end != digits.data() + 2) return std::nullopt;
    bytes += static_cast<char>(byte);
    i += 2;
  }
  if (bytes.find('\0') != std::string::npos) return std::nullopt;
  return bytes;
}

/// Escapes all but slashes and the unreserved characters of https://www.rfc-editor.org/rfc/rfc3986#section-2.3
std::string escaped_path(const std::string& path) {
  std::string text;
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("-._~/").find(c) != std::string_view::npos;
    text += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

/// Returns a path with exactly one leading slash: a browser reads two slashes as the beginning of a host name.
std::string local_path_of(const std::string& path) {
  return "/" + escaped_path(path.substr(std::min(path.find_first_not_of('/'), path.size())));
}

/// Returns the value of `name` in a list of "name=value" that `between` separates; "" if there is none.
std::string_view value_in(std::string_view text, std::string_view name, std::string_view between) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(between), text.size());
    const std::string_view part = text.substr(0, end);
    if (part.size() > name.size() && part.starts_with(name) && part[name.size()] == '=') {
      return part.substr(name.size() + 1);
    }
    text.remove_prefix(std::min(end + between.size(), text.size()));
  }
  return {};
}

/// Compares in constant time for texts of the same length, so that timing does not reveal the token.
bool are_same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

/// Returns a text that changes whenever the report changes.
std::string revision_of(const fs::path& report) {
  std::string revision;
  for (const char* suffix : {"", "-wal"}) {
    const fs::path file = report.string() + suffix;
    std::error_code not_there;
    const auto bytes = fs::file_size(file, not_there);
    const auto written = fs::last_write_time(file, not_there).time_since_epoch().count();
    if (!not_there) revision += fmt::format("{}-{} ", bytes, written);
  }
  return revision;
}

}  // namespace

Site::Site(const fs::path& root, std::string token, int port) : token_(std::move(token)), port_(port) {
  const fs::path whole = fs::canonical(root);
  const bool is_folder = fs::is_directory(whole);
  folder_ = is_folder ? whole : whole.parent_path();
  if (!is_folder) only_ = whole.filename().string();
}

bool Site::has_token(const Request& request) const {
  return are_same(value_in(request.cookie, fmt::format("ampprof{}", port_), "; "), token_);
}

Response Site::answer(const Request& request) const {
  if (request.host != fmt::format("127.0.0.1:{}", port_) && request.host != fmt::format("localhost:{}", port_)) {
    return text(403, "Open the address with 127.0.0.1 or localhost and the port that ampprof serve printed.");
  }
  if (request.method != "GET" && request.method != "HEAD") {
    Response refused = text(405, "This server only reads reports. Use GET or HEAD.");
    refused.headers.emplace_back("Allow", "GET, HEAD");
    return refused;
  }
  const std::string_view target = request.target;
  const std::size_t mark = std::min(target.find('?'), target.size());
  const std::string_view query = target.substr(std::min(mark + 1, target.size()));
  const auto path = unescaped(target.substr(0, mark));
  if (!path || !path->starts_with('/')) return text(400, "The address is malformed.");
  if (are_same(value_in(query, "token", "&"), token_)) {
    // Removes the token from the address, so that a copied address does not contain it.
    Response led = text(303, "");
    led.headers.emplace_back("Location", local_path_of(*path));
    led.headers.emplace_back("Set-Cookie", fmt::format("ampprof{}={}; Path=/; HttpOnly; SameSite=Lax", port_, token_));
    return led;
  }
  if (!has_token(request)) return text(403, "Open the address that ampprof serve printed: it has a token.");
  try {
    return page_at(*path);
  } catch (const store::ReportError& error) {
    return text(503, error.what());
  } catch (const std::exception&) {
    return not_found();
  }
}

Response Site::page_at(const std::string& path) const {
  if (path == "/") return list();
  const bool is_page = path.starts_with(kReport);
  if (!is_page && !path.starts_with(kRevision)) return not_found();
  const std::string name = path.substr(is_page ? kReport.size() : kRevision.size());
  if (!only_.empty() && name != only_) return not_found();
  const auto report = queries::path_within(folder_, name);
  const bool is_report =
      report && fs::is_regular_file(*report) && (!only_.empty() || report->extension() == ".ampprof");
  if (!is_report) return not_found();
  return is_page ? page(*report) : revision(*report);
}

Response Site::list() const {
  if (!only_.empty()) {
    Response led = text(303, "");
    led.headers.emplace_back("Location", std::string(kReport) + escaped_path(only_));
    return led;
  }
  std::string items;
  for (const queries::FoundReport& report : queries::reports_in(folder_)) {
    const std::string path = report.path.string();
    items += fmt::format("<li><a href=\"{}{}\">{}</a> {}</li>\n", kReport, escaped(escaped_path(path)), escaped(path),
                         escaped(text::bytes(static_cast<double>(report.bytes))));
  }
  if (items.empty()) items = "<li>There is no report in this folder yet.</li>\n";
  return {.type = kHtml,
          .body = fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Reports - "
                              "ampprof</title></head>\n<body><h1>Reports</h1>\n<ul>\n{}</ul></body></html>\n",
                              items)};
}

Response Site::page(const fs::path& path) const {
  const queries::Report report(path);
  const std::vector<queries::RunRow> runs = queries::runs(report);
  views::ViewSource views{report, runs, analysis::Targets(runs)};
  std::ostringstream out;
  write_live_page({views, path.filename().string()}, out);
  return {.type = kHtml, .body = out.str()};
}

Response Site::revision(const fs::path& path) const { return text(200, revision_of(path)); }

}  // namespace ampprof::cli::serve
