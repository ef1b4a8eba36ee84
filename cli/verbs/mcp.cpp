// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "cli/launch/program/exit_code.h"
#include "cli/mcp/server.h"
#include "cli/verbs/answers.h"
#include "cli/verbs/flags.h"
#include "reports/queries/report_folder.h"
#include "reports/text/usage_error.h"
#include "reports/version/version.h"
#include "views/all_views.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;
using mcp::Json;

constexpr std::int64_t kRows = 50;

constexpr const char* kAbout =
    "Reads reports of ampprof, which recorded what a PyTorch or LibTorch program loses in low precision. Begin with "
    "the view 'findings' of a report: what is wrong, at which line, and what to do. The view 'missing' lists what was "
    "not recorded.";

constexpr const char* kFooter = R"(
Add it to the configuration of a client:
  {"mcpServers": {"ampprof": {"command": "ampprof", "args": ["mcp", "/data/reports"]}}}

It reads one message per line from stdin and answers on stdout, as the Model Context Protocol specifies for stdio. It
writes no files, and reads no report outside of FOLDER.)";

Json text_property(const char* about) { return {{"type", "string"}, {"description", about}}; }

Json count_property(const char* about, std::int64_t by_default) {
  return {{"type", "integer"}, {"minimum", 1}, {"default", by_default}, {"description", about}};
}

Json arguments_of(Json properties, const std::vector<std::string>& required) {
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", required}};
}

/// Throws UsageError for a report outside of the folder.
std::string report_in(const fs::path& folder, const Json& arguments) {
  const auto name = arguments.value("report", "");
  if (name.empty()) throw text::UsageError("No report given. The tool 'reports' lists them.");
  const auto path = queries::path_within(folder, name);
  if (path) return path->string();
  throw text::UsageError(
      fmt::format("'{}' is outside of {}, the directory that this server serves.", name, folder.string()));
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

Json reports_in(const fs::path& folder) {
  Json reports = Json::array();
  for (const queries::FoundReport& report : queries::reports_in(folder)) {
    reports.push_back({{"report", report.path.string()}, {"bytes", report.bytes}});
  }
  return reports;
}

Json show(const fs::path& folder, const Json& arguments) {
  const std::string view = arguments.value("view", "summary");
  Arguments words{report_in(folder, arguments), view};
  for (const char* name : {"run", "phase", "op", "module", "sort", "steps", "group-by", "target-gpu"}) {
    if (arguments.contains(name)) words.push_back(fmt::format("--{}={}", name, text_of(arguments[name])));
  }
  if (view != "summary") words.push_back(fmt::format("--limit={}", arguments.value("limit", kRows)));
  return shown(words);
}

mcp::Tool show_tool(const fs::path& folder) {
  Json views = Json::array({"summary"});
  for (const views::NamedView& view : views::all_views()) views.push_back(view.name);
  Json properties{{"report", text_property("path of the report")},
                  {"view", {{"type", "string"}, {"enum", std::move(views)}, {"default", "summary"}}},
                  {"run", text_property("id of a run, or its opt level, such as O1")},
                  {"phase", text_property("forward, recompute, backward, optimizer or inference")},
                  {"op", text_property("regular expression that the op must match")},
                  {"module", text_property("regular expression that the module path must match")},
                  {"sort", text_property("key or title of the column to order by: numbers descend, text ascends")},
                  {"steps", text_property("A:B: sum up op calls of steps A to B only")},
                  {"group-by", text_property("module, op or class")},
                  {"target-gpu", text_property("GPU to judge Tensor Core rules for, such as h100")},
                  {"limit", count_property("number of rows", kRows)}};
  return {"show", "Shows a view of a report, as `ampprof show` does, in exact JSON.",
          arguments_of(std::move(properties), {"report"}),
          [folder](const Json& arguments) { return show(folder, arguments); }};
}

mcp::Tool sql_tool(const fs::path& folder) {
  Json properties{
      {"report", text_property("path of the report")},
      {"query", text_property("one SELECT statement; if it is missing, the tables and their columns are listed")},
      {"limit", count_property("number of rows", kRows)}};
  return {"sql", "Queries the SQLite tables of a report, read-only.", arguments_of(std::move(properties), {"report"}),
          [folder](const Json& arguments) -> Json {
            return queried(report_in(folder, arguments), arguments.value("query", ""),
                           static_cast<std::size_t>(std::max<std::int64_t>(arguments.value("limit", kRows), 1)));
          }};
}

}  // namespace

int mcp_verb(const Arguments& arguments, const Installation&) {
  std::string given = ".";
  CLI::App app("Serves the reports in a folder to AI agents over the Model Context Protocol (MCP).", "ampprof mcp");
  set_usage(app, "ampprof mcp [FOLDER]");
  app.footer(kFooter);
  app.add_option("FOLDER", given, "serve the reports in this directory (default: .)");
  if (!parse(app, arguments)) return kFine;
  if (!fs::is_directory(given)) throw text::UsageError(fmt::format("No such directory: '{}'.", given));
  const fs::path folder = fs::canonical(given);
  const mcp::Tool reports{"reports", "Lists the reports.", arguments_of(Json::object(), {}),
                          [folder](const Json&) { return reports_in(folder); }};
  const mcp::Server server(version::number(), kAbout, {reports, show_tool(folder), sql_tool(folder)});
  for (std::string line; std::getline(std::cin, line);) {
    if (const auto answer = server.answer(line)) std::cout << *answer << std::endl;
  }
  return kFine;
}

}  // namespace ampprof::cli
