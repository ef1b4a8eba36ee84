// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/user_query.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "reports/queries/open.h"
#include "reports/store/clean_text.h"

namespace ampprof::queries {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int kInstructionsPerLook = 10'000;
constexpr double kSecondsOfOurs = 10;
constexpr std::array kPragmas{"table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo"};

bool is_any_of(const char* name, const auto& names) {
  return name != nullptr && std::ranges::any_of(names, [&](const char* n) { return sqlite3_stricmp(n, name) == 0; });
}

int authorize(void*, int action, const char* first, const char* second, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_FUNCTION:
      return sqlite3_stricmp(second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA:
      return is_any_of(first, kPragmas) ? SQLITE_OK : SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

bool is_about_the_report(int code) {
  constexpr std::array kCodes{SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_BUSY, SQLITE_PERM};
  return std::ranges::find(kCodes, code & 0xff) != kCodes.end();
}

SqlValue value_at(sqlite3_stmt* row, int column) {
  const auto bytes = [&](const void* data) {
    return std::string_view(static_cast<const char*>(data),
                            static_cast<std::size_t>(sqlite3_column_bytes(row, column)));
  };
  switch (sqlite3_column_type(row, column)) {
    case SQLITE_INTEGER:
      return static_cast<std::int64_t>(sqlite3_column_int64(row, column));
    case SQLITE_FLOAT:
      return sqlite3_column_double(row, column);
    case SQLITE_TEXT:
      return store::clean_text(bytes(sqlite3_column_text(row, column)));
    case SQLITE_BLOB:
      return SqlBytes{std::string(bytes(sqlite3_column_blob(row, column)))};
    default:
      return std::monostate();
  }
}

/// Returns the texts in the first column of the result of an internal query.
std::vector<std::string> texts_of(const std::filesystem::path& report, std::string_view sql) {
  UserQuery query(report, sql, kSecondsOfOurs);
  std::vector<std::string> texts;
  while (auto row = query.next()) {
    if (auto* text = std::get_if<std::string>(&row->front())) texts.push_back(std::move(*text));
  }
  return texts;
}

}  // namespace

struct UserQuery::State {
  State(const std::filesystem::path& path, double seconds, std::stop_token stop)
      : report(path, Reads::Tables), seconds(seconds), left(seconds), stop(std::move(stop)) {
    // The first use of these table-valued functions declares tables, which the authorizer would take for writing. Later
    // uses only read.
    for (const std::string pragma : kPragmas) report.database->try_run(("SELECT 1 FROM pragma_" + pragma).c_str());
    sqlite3_set_authorizer(handle(), authorize, nullptr);
    // Replaces the work budget that depends on the file size: a user's join may take much longer than a view.
    sqlite3_progress_handler(
        handle(), kInstructionsPerLook, [](void* self) { return static_cast<State*>(self)->must_end() ? 1 : 0; }, this);
  }
  ~State() {
    sqlite3_finalize(statement);
    sqlite3_progress_handler(handle(), 0, nullptr, nullptr);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  sqlite3* handle() const { return report.database->handle(); }
  bool must_end() const { return stop.stop_requested() || Clock::now() > deadline; }
  void begin_work() { deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(left); }
  void end_work() { left = deadline - Clock::now(); }
  void prepare(std::string_view sql);
  [[noreturn]] void fail(int code) const;

  OpenReport report;
  double seconds;
  Seconds left;
  std::stop_token stop;
  Clock::time_point deadline;
  sqlite3_stmt* statement = nullptr;
  std::vector<std::string> columns;
};

void UserQuery::State::fail(int code) const {
  if (is_about_the_report(code)) report.database->fail();
  switch (code & 0xff) {
    case SQLITE_INTERRUPT:
      if (stop.stop_requested()) throw QueryError("the query was cancelled");
      throw QueryError("the query was stopped after " + std::to_string(static_cast<std::int64_t>(seconds)) +
                       " s of work");
    case SQLITE_NOMEM:
      throw QueryError("the query takes too much memory; narrow it with WHERE, or aggregate fewer rows");
    case SQLITE_AUTH:
      throw QueryError(
          "a query can only read the report, with SELECT, WITH ... SELECT, EXPLAIN or PRAGMA table_info (" +
          store::clean_text(sqlite3_errmsg(handle())) + ")");
    default:
      break;
  }
  const int offset = sqlite3_error_offset(handle());
  throw QueryError(store::clean_text(sqlite3_errmsg(handle())),
                   offset < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(offset)));
}

void UserQuery::State::prepare(std::string_view sql) {
  const char* rest = nullptr;
  const int code = sqlite3_prepare_v2(handle(), sql.data(), static_cast<int>(sql.size()), &statement, &rest);
  if (code != SQLITE_OK) fail(code);
  if (statement == nullptr) throw QueryError("the query is empty");
  // Comments and whitespace compile to nothing.
  const auto behind = static_cast<std::size_t>(rest - sql.data());
  sqlite3_stmt* second = nullptr;
  const bool is_alone =
      sqlite3_prepare_v2(handle(), rest, static_cast<int>(sql.size() - behind), &second, nullptr) == SQLITE_OK &&
      second == nullptr;
  sqlite3_finalize(second);
  if (!is_alone) throw QueryError("one query at a time: something follows the first semicolon", behind);
  for (int i = 0; i < sqlite3_column_count(statement); ++i) {
    columns.push_back(store::clean_text(sqlite3_column_name(statement, i)));
  }
}

UserQuery::UserQuery(const std::filesystem::path& report, std::string_view sql, double seconds, std::stop_token stop)
    : state_(std::make_unique<State>(report, seconds, std::move(stop))) {
  state_->begin_work();
  state_->prepare(sql);
  state_->end_work();
}

UserQuery::~UserQuery() = default;

const std::vector<std::string>& UserQuery::columns() const { return state_->columns; }

std::optional<std::vector<SqlValue>> UserQuery::next() {
  state_->begin_work();
  const int code = sqlite3_step(state_->statement);
  if (code == SQLITE_DONE) return std::nullopt;
  if (code != SQLITE_ROW) state_->fail(code);
  std::vector<SqlValue> row;
  for (int i = 0; i < static_cast<int>(state_->columns.size()); ++i) row.push_back(value_at(state_->statement, i));
  state_->end_work();
  return row;
}

std::vector<std::string> names_in_schema(const std::filesystem::path& report) {
  return texts_of(report,
                  "SELECT name FROM sqlite_schema WHERE type = 'table' UNION "
                  "SELECT c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' ORDER BY 1");
}

std::vector<std::string> tables_with_rows(const std::filesystem::path& report) {
  std::string selected;
  for (const std::string& column :
       texts_of(report,
                "SELECT printf('EXISTS (SELECT 1 FROM \"%w\") AS \"%w\"', name, name) FROM sqlite_schema "
                "WHERE type = 'table' ORDER BY rowid")) {
    selected += (selected.empty() ? "SELECT " : ", ") + column;
  }
  if (selected.empty()) return {};
  UserQuery query(report, selected, kSecondsOfOurs);
  const auto row = query.next();
  std::vector<std::string> tables;
  for (std::size_t i = 0; row && i < row->size(); ++i) {
    if (row->at(i) == SqlValue(std::int64_t{1})) tables.push_back(query.columns()[i]);
  }
  return tables;
}

std::vector<std::string> tables_with(const std::filesystem::path& report, const std::string& column) {
  UserQuery query(report,
                  "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' "
                  "ORDER BY t.rowid",
                  kSecondsOfOurs);
  std::vector<std::string> tables;
  while (auto row = query.next()) {
    auto* table = std::get_if<std::string>(&row->at(0));
    const auto* name = std::get_if<std::string>(&row->at(1));
    if (table != nullptr && name != nullptr && *name == column) tables.push_back(std::move(*table));
  }
  return tables;
}

}  // namespace ampprof::queries
