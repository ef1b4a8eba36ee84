// SPDX-License-Identifier: Apache-2.0
#include "reports/store/sqlite.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>

#include "reports/store/cancel_scope.h"
#include "reports/store/clean_text.h"
#include "reports/store/report_error.h"

namespace ampprof::store {
namespace {

constexpr int kInstructionsPerUnit = 100'000;
constexpr std::size_t kMostIdle = 100;  // limit of idle compiled statements, some kilobytes each
constexpr std::string_view kNan = "nan";

// Opens without SQLite's mutexes, which would be locked for each column read: a connection serves one thread at a time.
int flags_of(OpenMode mode) {
  switch (mode) {
    case OpenMode::Create:
      return SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    case OpenMode::Write:
    case OpenMode::Rewrite:
      return SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE;
    case OpenMode::Read:
      return SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READONLY;
  }
  return SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READONLY;
}

// Returns a sentence about a failure, with %s in place of the file's name.
const char* sentence_of(int code, OpenMode mode) {
  switch (code) {
    case SQLITE_NOTADB:
      return "%s is not an ampprof report";
    case SQLITE_CORRUPT:
      return "the report %s is damaged";
    case SQLITE_BUSY:
      return "another process keeps the report %s locked; end it and try again";
    case SQLITE_FULL:
      return mode == OpenMode::Rewrite
                 ? "there is no room for a temporary copy of the report %s; set TMPDIR to a folder with room for it"
                 : "the disk is full: the report %s cannot grow";
    case SQLITE_INTERRUPT:
      return "the report %s is damaged: reading it takes more work than its size can explain";
    case SQLITE_NOMEM:
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_READONLY:
      return mode == OpenMode::Read ? "cannot read the report %s" : "cannot write the report %s";
    default:
      return mode == OpenMode::Read || mode == OpenMode::Rewrite ? "the report %s is damaged"
                                                                 : "cannot write the report %s";
  }
}

bool is_about_shared_memory(int extended_code) {
  switch (extended_code) {
    case SQLITE_CANTOPEN:  // SQLite cannot open the -shm file or another file
    case SQLITE_IOERR_SHMOPEN:
    case SQLITE_IOERR_SHMMAP:
    case SQLITE_IOERR_SHMLOCK:
      return true;
    default:
      return false;
  }
}

// Returns whether the file system refuses locks, as some network file systems do.
bool is_about_locks(int extended_code) {
  return extended_code == SQLITE_IOERR_LOCK || extended_code == SQLITE_IOERR_RDLOCK;
}

const char* sentence_about_locks(OpenMode mode) {
  return mode == OpenMode::Read ? "the file system of the report %s does not support file locks; copy the report to a "
                                  "local disk and read it there"
                                : "the file system of the report %s does not support file locks; write the report to a "
                                  "local disk and copy it later";
}

std::string with_path(std::string sentence, const std::filesystem::path& path) {
  return sentence.replace(sentence.find("%s"), 2, path.string());
}

struct Limit {
  int id;
  int value;
};

constexpr Limit kReadLimits[]{
    {SQLITE_LIMIT_LENGTH, 16 << 20},         {SQLITE_LIMIT_SQL_LENGTH, 1 << 16},  {SQLITE_LIMIT_COLUMN, 100},
    {SQLITE_LIMIT_EXPR_DEPTH, 50},           {SQLITE_LIMIT_COMPOUND_SELECT, 10},  {SQLITE_LIMIT_ATTACHED, 0},
    {SQLITE_LIMIT_FUNCTION_ARG, 10},         {SQLITE_LIMIT_VARIABLE_NUMBER, 100}, {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100},
};

}  // namespace

Database::Database(const std::filesystem::path& path, OpenMode mode) : path_(path), name_(path), mode_(mode) {
  const int code = sqlite3_open_v2(path.c_str(), &handle_, flags_of(mode), nullptr);
  try {
    if (code != SQLITE_OK) fail();
    wait_for_locks(kLockTimeoutMs);
    if (!is_trusted()) harden();
  } catch (...) {
    close();
    throw;
  }
}

Database::~Database() { close(); }

void Database::close() noexcept {
  for (const auto& [sql, statement] : idle_) sqlite3_finalize(statement);
  sqlite3_close(handle_);
}

void Database::harden() {
  for (const Limit& limit : kReadLimits) sqlite3_limit(handle_, limit.id, limit.value);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  allowed_ = work_by_size();
  sqlite3_progress_handler(
      handle_, kInstructionsPerUnit,
      [](void* self) { return static_cast<Database*>(self)->is_out_of_budget() ? 1 : 0; }, this);
  run("PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY;");
  if (mode_ == OpenMode::Read) run("PRAGMA query_only = ON");
}

// Returns the work that a statement may do, in units of kInstructionsPerUnit instructions of SQLite. A file of n bytes
// holds fewer than n rows, so statements on an undamaged file stay far below this limit.
std::int64_t Database::work_by_size() const {
  std::error_code ignored;
  std::int64_t units = 1'000;
  for (const char* suffix : {"", "-wal"}) {
    const auto bytes = std::filesystem::file_size(path_.string() + suffix, ignored);
    if (!ignored) units += static_cast<std::int64_t>(bytes >> 10);
  }
  return units;
}

bool Database::is_out_of_budget() {
  if (is_cancelled()) return true;
  if (--budget_ >= 0) return false;
  const std::int64_t allowed = work_by_size();  // grows while a running program writes the report
  budget_ = allowed - std::exchange(allowed_, std::max(allowed, allowed_));
  return budget_ <= 0;
}

sqlite3_stmt* Database::compiled(std::string_view sql) {
  budget_ = allowed_;
  if (auto known = idle_.extract(std::string(sql))) return known.mapped();
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle_, sql.data(), static_cast<int>(sql.size()), &statement, nullptr) != SQLITE_OK) fail();
  return statement;
}

void Database::keep(sqlite3_stmt* statement) noexcept {
  const char* const sql = sqlite3_sql(statement);
  if (mode_ != OpenMode::Read || sql == nullptr || idle_.size() >= kMostIdle) {
    sqlite3_finalize(statement);
    return;
  }
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
  idle_.emplace(sql, statement);
}

void Database::try_run(const char* sql) noexcept { sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr); }

void Database::run(const char* sql) {
  budget_ = allowed_;
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

std::int64_t Database::pragma(const std::string& name) {
  Statement statement(*this, "PRAGMA " + name);
  return statement.next() ? statement.integer() : 0;
}

void Database::wait_for_locks(int milliseconds) { sqlite3_busy_timeout(handle_, milliseconds); }

bool Database::moved() {
  int moved = 0;
  return sqlite3_file_control(handle_, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0;
}

std::unique_ptr<Database> Database::another() {
  try {
    auto other = std::make_unique<Database>(path_, OpenMode::Read);
    other->set_display_name(name_);
    return moved() ? nullptr : std::move(other);
  } catch (const ReportError&) {
    return nullptr;
  }
}

bool Database::is_cancelled() const { return !is_trusted() && CancelScope::is_cancelled(); }

void Database::fail() const {
  if (is_cancelled()) throw ReportError("reading the report " + name_.string() + " was cancelled");
  const int code = sqlite3_extended_errcode(handle_);
  const char* const wrong = is_about_locks(code) ? sentence_about_locks(mode_) : sentence_of(code & 0xff, mode_);
  const std::string sentence = with_path(wrong, name_) + ": " + clean_text(sqlite3_errmsg(handle_));
  if (!is_trusted()) throw ReportError(sentence);
  if (is_about_shared_memory(code)) throw NoSharedMemory(sentence);
  throw WriteError(sentence);
}

Statement::Statement(Database& database, std::string_view sql) : database_(database) {
  handle_ = database.compiled(sql);
}

Statement::~Statement() { database_.keep(handle_); }

void Statement::check(int code) {
  if (code == SQLITE_OK) return;
  parameter_ = 0;
  database_.fail();
}

Statement& Statement::put_integer(std::int64_t value) {
  check(sqlite3_bind_int64(handle_, ++parameter_, value));
  return *this;
}

Statement& Statement::put(double value) {
  if (std::isnan(value)) return put(kNan);
  check(sqlite3_bind_double(handle_, ++parameter_, value));
  return *this;
}

Statement& Statement::put(std::string_view value) {
  // A null pointer would bind NULL, not "".
  const char* const data = value.data() != nullptr ? value.data() : "";
  check(sqlite3_bind_text64(handle_, ++parameter_, data, value.size(), SQLITE_STATIC, SQLITE_UTF8));
  return *this;
}

Statement& Statement::put_blob(std::string_view bytes) {
  if (bytes.empty()) return put_null();
  check(sqlite3_bind_blob64(handle_, ++parameter_, bytes.data(), bytes.size(), SQLITE_STATIC));
  return *this;
}

Statement& Statement::put_copy_of_blob(const std::string& bytes) {
  if (bytes.empty()) return put_null();
  check(sqlite3_bind_blob64(handle_, ++parameter_, bytes.data(), bytes.size(), SQLITE_TRANSIENT));
  return *this;
}

Statement& Statement::put_null(int count) {
  for (int i = 0; i < count; ++i) check(sqlite3_bind_null(handle_, ++parameter_));
  return *this;
}

Statement& Statement::put_next_of(Statement& row) {
  const int column = row.column_++;
  const auto size = [&] { return static_cast<sqlite3_uint64>(sqlite3_column_bytes(row.handle_, column)); };
  switch (sqlite3_column_type(row.handle_, column)) {
    case SQLITE_INTEGER:
      return put_integer(sqlite3_column_int64(row.handle_, column));
    case SQLITE_FLOAT:
      check(sqlite3_bind_double(handle_, ++parameter_, sqlite3_column_double(row.handle_, column)));
      return *this;
    case SQLITE_TEXT: {
      const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(row.handle_, column));
      check(sqlite3_bind_text64(handle_, ++parameter_, text, size(), SQLITE_STATIC, SQLITE_UTF8));
      return *this;
    }
    case SQLITE_BLOB: {
      const void* const bytes = sqlite3_column_blob(row.handle_, column);
      // The pointer of an empty BLOB is null, which would bind NULL.
      check(sqlite3_bind_blob64(handle_, ++parameter_, bytes != nullptr ? bytes : "", size(), SQLITE_STATIC));
      return *this;
    }
    default:
      return put_null();
  }
}

void Statement::execute() {
  while (next()) {
  }
}

bool Statement::next() {
  parameter_ = 0;
  column_ = 0;
  if (database_.is_cancelled()) database_.fail();
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  sqlite3_reset(handle_);  // also after a failure, since the caller may try again
  if (code != SQLITE_DONE) database_.fail();
  return false;
}

bool ResultRow::at_null() const { return sqlite3_column_type(handle_, column_) == SQLITE_NULL; }

std::int64_t ResultRow::integer() { return sqlite3_column_int64(handle_, column_++); }

double ResultRow::real() {
  const int type = sqlite3_column_type(handle_, column_);
  const bool is_number = type == SQLITE_INTEGER || type == SQLITE_FLOAT;
  const double value = sqlite3_column_double(handle_, column_++);
  return is_number ? value : std::numeric_limits<double>::quiet_NaN();
}

std::string ResultRow::text() {
  const auto* const data = reinterpret_cast<const char*>(sqlite3_column_text(handle_, column_));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_, column_++));
  return data != nullptr ? clean_text({data, size}) : "";
}

std::string ResultRow::blob() {
  const auto* const data = static_cast<const char*>(sqlite3_column_blob(handle_, column_));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_, column_++));
  return data != nullptr ? std::string(data, size) : "";
}

std::optional<std::int64_t> ResultRow::optional_integer() {
  if (!at_null()) return integer();
  ++column_;
  return std::nullopt;
}

std::optional<double> ResultRow::optional_real() {
  if (!at_null()) return real();
  ++column_;
  return std::nullopt;
}

Transaction::Transaction(Database& database) : database_(database) { database.run("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
  // Does nothing if a commit or a failure has ended the transaction already. Ignores errors.
  if (sqlite3_get_autocommit(database_.handle()) == 0) database_.try_run("ROLLBACK");
}

void Transaction::commit() { database_.run("COMMIT"); }

Snapshot::Snapshot(Database& database)
    : database_(database), is_outermost_(sqlite3_get_autocommit(database.handle()) != 0) {
  if (is_outermost_) database.run("BEGIN");
}

// A rollback loses nothing, since nothing was written.
Snapshot::~Snapshot() {
  if (is_outermost_) database_.try_run("ROLLBACK");
}

}  // namespace ampprof::store
