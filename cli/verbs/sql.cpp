// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <string_view>

#include "cli/launch/program/arguments.h"
#include "cli/launch/program/exit_code.h"
#include "cli/verbs/answers.h"
#include "cli/verbs/flags.h"
#include "reports/queries/user_query.h"
#include "reports/text/usage_error.h"
#include "views/ops/views.h"
#include "views/table/sql_rows.h"

namespace ampprof::cli {
namespace {

constexpr std::int64_t kMemoryBytes = std::int64_t{1} << 30;

constexpr const char* kFooter = R"(
Without QUERY it lists the tables and their columns. Tables join on (run, id).
JSON and CSV hold every row. They write NaN as the text nan, and a BLOB in
hexadecimal.

Example:
  ampprof sql digits.ampprof "SELECT op, count(*) FROM call_site GROUP BY op")";

struct SqlFlags {
  std::string report;
  std::string query = views::kListTables;
  std::string format = "table";
  std::string timeout = "30s";
  double seconds = 30;  ///< `timeout` in seconds
  std::size_t limit = 1000;
};

bool read(const Arguments& arguments, SqlFlags& flags) {
  CLI::App app("Queries the tables of a report with SQL, read-only.", "ampprof sql");
  set_usage(app, "ampprof sql REPORT [QUERY] [OPTIONS]");
  app.footer(kFooter);
  app.add_option("REPORT", flags.report, "read this report of ampprof run")->required();
  app.add_option("QUERY", flags.query,
                 "run this SELECT statement of SQLite (default: list the tables and their columns)");
  add_format(app, flags.format);
  add_option(app, "--limit", flags.limit, "print at most N rows as a table (default: 1000)")->type_name("N");
  add_option(app, "--timeout", flags.timeout,
             "stop a query that runs longer than this time, such as 90s or 5m (default: 30s)")
      ->type_name("TIME");
  if (!parse(app, arguments)) return false;
  flags.seconds = seconds_from("--timeout", flags.timeout);
  return true;
}

text::UsageError explained(const queries::QueryError& error, const SqlFlags& flags) {
  const bool is_late = std::string_view(error.what()).find("was stopped after") != std::string_view::npos;
  return text::UsageError(
      views::explained(error, flags.report, flags.query, is_late ? "; --timeout TIME allows more" : ""));
}

void print_rows(queries::UserQuery& query, const SqlFlags& flags, views::Format format) {
  if (format == views::Format::Json || format == views::Format::Csv) {
    views::print_all(query, format, stdout);
    return;
  }
  const text::Terminal terminal = text::terminal_of(STDOUT_FILENO);
  const auto [view, is_cut] = views::first_rows(query, flags.limit);
  fmt::print("{}", views::formatted(view, format, terminal));
  std::fflush(stdout);
  if (is_cut)
    fmt::print(stderr, "ampprof: there are more rows. --limit N prints more; CSV and JSON have all of them.\n");
  views::note_left_out(view, 0, format, terminal);
}

}  // namespace

int sql_verb(const Arguments& arguments, const Installation&) {
  SqlFlags flags;
  if (!read(arguments, flags)) return kFine;
  const views::Format format = views::format_from(flags.format);
  sqlite3_hard_heap_limit64(kMemoryBytes);
  try {
    queries::UserQuery query(flags.report, flags.query, flags.seconds);
    print_rows(query, flags, format);
  } catch (const queries::QueryError& error) {
    std::fflush(stdout);
    throw explained(error, flags);
  }
  return kFine;
}

views::Json queried(const std::string& report, const std::string& query, std::size_t limit) {
  SqlFlags flags;
  flags.report = report;
  flags.limit = limit;
  if (!query.empty()) flags.query = query;
  sqlite3_hard_heap_limit64(kMemoryBytes);
  try {
    queries::UserQuery asked(flags.report, flags.query, flags.seconds);
    auto [rows, has_more] = views::first_objects(asked, flags.limit);
    return {{"rows", std::move(rows)}, {"has_more", has_more}};
  } catch (const queries::QueryError& error) {
    throw explained(error, flags);
  }
}

}  // namespace ampprof::cli
