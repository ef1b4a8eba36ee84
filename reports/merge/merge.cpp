// SPDX-License-Identifier: Apache-2.0
#include "reports/merge/merge.h"

#include <sqlite3.h>

#include <deque>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reports/merge/tables.h"
#include "reports/queries/open.h"
#include "reports/store/create.h"
#include "reports/store/new_file.h"
#include "reports/store/report_error.h"
#include "reports/store/schema.h"

namespace ampprof::merge {
namespace {

namespace fs = std::filesystem;

/// Opens reports for direct access to their tables, one after the other. While the caller reads one report, a thread
/// opens the next, since opening is slow: it checks all pages.
class ReportPrefetcher {
 public:
  explicit ReportPrefetcher(std::vector<std::filesystem::path> paths) : paths_(std::move(paths)) { begin(); }

  /// Returns the next report, at most once per path. Throws the exception if opening failed.
  std::unique_ptr<queries::OpenReport> next();

 private:
  void begin();

  std::vector<std::filesystem::path> paths_;
  std::size_t begun_ = 0;
  std::future<std::unique_ptr<queries::OpenReport>> next_;  // its destructor waits for the thread
};

bool is_same_file(const fs::path& one, const fs::path& other) {
  std::error_code ignored;
  return fs::equivalent(one, other, ignored);
}

std::unique_ptr<queries::OpenReport> ReportPrefetcher::next() {
  auto opened = next_.get();
  begin();
  return opened;
}

void ReportPrefetcher::begin() {
  if (begun_ == paths_.size()) return;
  const std::size_t place = begun_++;
  // Defers opening a file that is still open as the previous source: see "Nothing but SQLite opens a report" in
  // ../README.md.
  const bool is_open = place > 0 && is_same_file(paths_[place - 1], paths_[place]);
  const auto when = is_open ? std::launch::deferred : std::launch::async | std::launch::deferred;
  next_ = std::async(
      when, [path = paths_[place]] { return std::make_unique<queries::OpenReport>(path, queries::Reads::Tables); });
}

namespace fs = std::filesystem;
using Ids = std::unordered_map<std::int64_t, std::int64_t>;  // ids of a source -> ids of the target

std::string listed(const TableShape& table, const char* (*spell)(const std::string&)) {
  std::string list;
  for (const ColumnShape& column : table.columns) list += (list.empty() ? "" : ", ") + std::string(spell(column.name));
  return list;
}

const char* as_name(const std::string& name) { return name.c_str(); }
const char* as_parameter(const std::string&) { return "?"; }

std::string select_of(const TableShape& table) {
  return "SELECT " + (table.id.empty() ? "" : table.id + ", ") + listed(table, as_name) + " FROM " + table.name +
         (table.has_rowid ? " ORDER BY rowid" : "");
}

std::string insert_of(const TableShape& table) {
  std::string sql =
      "INSERT INTO " + table.name + " (" + listed(table, as_name) + ") VALUES (" + listed(table, as_parameter) + ")";
  // Two rows may differ only in a path that the filter removes. Then they become one row, and their counts add up.
  if (table.name == "missing") sql += " ON CONFLICT DO UPDATE SET count = count + excluded.count";
  if (table.is_referred_to) sql += " RETURNING " + table.id;
  return sql;
}

// Returns a text that identifies a run in any file: its columns, and the start and durations of its segments in
// nanoseconds. "" if too little was recorded.
std::string fingerprint_of(store::Database& source, const TableShape& runs, std::int64_t run) {
  std::string quoted;
  for (const ColumnShape& column : runs.columns) quoted += "quote(" + column.name + "), ";
  store::Statement row(source,
                       "SELECT wall_ns, " + quoted +
                           "(SELECT count(*) || ' ' || min(start_ns) || ' ' || max(end_ns) || ' ' || "
                           "total(end_ns - start_ns) || ' ' || total(overhead_ns) FROM segment s WHERE s.run = run.id) "
                           "FROM run WHERE id = ?",
                       run);
  if (!row.next()) return "";
  const bool has_ended = row.optional_integer().has_value();
  std::string fingerprint;
  for (std::size_t i = 0; i < runs.columns.size(); ++i) fingerprint += row.text() + '\n';
  const std::string times = row.text();
  return has_ended || !times.empty() ? fingerprint + times : "";
}

/// Opens the new file without a journal, since no other process uses it and an incomplete file is removed. A small
/// cache suffices, since a merge touches only the end of each table.
constexpr const char* kOfNewFile =
    "PRAGMA journal_mode = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -32768;";

constexpr std::uintmax_t kManyBytes = 64 << 20;

/// Returns the page size of a report that holds all sources. Large pages need fewer system calls. Small reports use
/// small pages, since each table takes at least one page.
std::string page_size_for(const std::vector<fs::path>& sources) {
  std::uintmax_t bytes = 0;
  std::error_code error;
  for (const fs::path& source : sources) {
    const std::uintmax_t size = fs::file_size(source, error);
    if (!error) bytes += size;
  }
  return std::to_string(bytes < kManyBytes ? 4096 : 16384);
}

/// Copies reports into an empty one. Keeps only run ids and fingerprints of finished sources, so memory does not grow
/// with every copied row.
class Copy {
 public:
  Copy(store::Database& target, const TextFilter& filter)
      : target_(target), filter_(filter), tables_(tables_of(target)) {
    for (const TableShape& table : tables_) inserts_.emplace_back(target, insert_of(table));
  }

  void add(const fs::path& path, store::Database& source) {
    const store::Snapshot snapshot(source);
    ids_.clear();
    repeated_.clear();
    fingerprints_.clear();
    find_repeated(path, source);
    for (std::size_t i = 0; i < tables_.size(); ++i) copy(path, source, tables_[i], inserts_[i]);
    for (const auto& [old_id, new_id] : std::map(ids_["run"].begin(), ids_["run"].end())) {
      merged_.push_back({.source = path, .source_run = old_id, .run = new_id});
      if (const auto& fingerprint = fingerprints_[old_id]; !fingerprint.empty()) known_.emplace(fingerprint, new_id);
    }
  }

  std::vector<MergedRun> merged() && { return std::move(merged_); }

 private:
  void find_repeated(const fs::path& path, store::Database& source);
  void copy(const fs::path& path, store::Database& source, const TableShape& table, store::Statement& to);
  std::vector<const Ids*> ids_of_columns(const TableShape& table);
  bool put_row(store::Statement& to, store::Statement& from, const TableShape& table,
               const std::vector<const Ids*>& ids);
  std::int64_t insert(const fs::path& path, store::Statement& row, const TableShape& table);

  store::Database& target_;
  const TextFilter& filter_;
  std::vector<TableShape> tables_;
  std::deque<store::Statement> inserts_;       // one for each table
  std::map<std::string, std::int64_t> known_;  // fingerprints -> runs of the target
  std::vector<MergedRun> merged_;
  // State of the current source:
  std::map<std::string, Ids> ids_;  // by table
  std::set<std::int64_t> repeated_;
  std::map<std::int64_t, std::string> fingerprints_;
  std::deque<std::string> texts_;  // filtered texts of the current row, until it is written
};

void Copy::find_repeated(const fs::path& path, store::Database& source) {
  store::Statement runs(source, "SELECT id FROM run ORDER BY id");
  while (runs.next()) {
    const std::int64_t run = runs.integer();
    fingerprints_[run] = fingerprint_of(source, tables_.front(), run);
    const auto known = known_.find(fingerprints_[run]);
    if (known == known_.end()) continue;
    repeated_.insert(run);
    merged_.push_back({.source = path, .source_run = run, .run = known->second, .is_repeated = true});
  }
}

/// Returns for each column the id map of the table that it refers to; null for other columns.
std::vector<const Ids*> Copy::ids_of_columns(const TableShape& table) {
  std::vector<const Ids*> ids;
  for (const ColumnShape& column : table.columns) {
    ids.push_back(column.refers_to.empty() ? nullptr : &ids_[column.refers_to]);
  }
  return ids;
}

void Copy::copy(const fs::path& path, store::Database& source, const TableShape& table, store::Statement& to) {
  store::Statement from(source, select_of(table));
  const std::vector<const Ids*> ids = ids_of_columns(table);
  while (from.next()) {
    const std::int64_t old_id = table.id.empty() ? 0 : from.integer();
    const bool is_repeated = table.name == "run" && repeated_.contains(old_id);
    if (is_repeated || !put_row(to, from, table, ids)) {
      to.start_over();
      continue;
    }
    const std::int64_t new_id = insert(path, to, table);
    if (table.is_referred_to) ids_[table.name][old_id] = new_id;
  }
}

// Binds the values of a row to the INSERT statement `to`. Returns false for a row of a run that is not copied.
bool Copy::put_row(store::Statement& to, store::Statement& from, const TableShape& table,
                   const std::vector<const Ids*>& ids) {
  texts_.clear();
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const ColumnShape& column = table.columns[i];
    if (ids[i] != nullptr) {
      const auto id = ids[i]->find(from.integer());
      if (id == ids[i]->end()) return false;
      to.put(id->second);
    } else if (filter_ && column.is_text && !from.at_null()) {
      to.put(texts_.emplace_back(filter_(table.name, column.name, from.text())));
    } else {
      to.put_next_of(from);
    }
  }
  return true;
}

std::int64_t Copy::insert(const fs::path& path, store::Statement& row, const TableShape& table) {
  try {
    const bool has_id = row.next();
    const std::int64_t id = has_id ? row.integer() : 0;
    if (has_id) row.execute();
    return id;
  } catch (const store::WriteError&) {
    if ((sqlite3_errcode(target_.handle()) & 0xff) != SQLITE_CONSTRAINT) throw;
    throw store::ReportError("the report " + path.string() + " is damaged: its table " + table.name +
                             " holds an impossible row (" + sqlite3_errmsg(target_.handle()) + ")");
  }
}

}  // namespace

std::vector<MergedRun> merge_reports(const std::vector<fs::path>& sources, const fs::path& target, bool replace,
                                     const TextFilter& filter) {
  store::NewFile file(target, replace, "report");
  std::vector<MergedRun> merged;
  {
    store::Database database(file.temporary(), store::OpenMode::Create);
    database.set_display_name(target);
    database.run(("PRAGMA page_size = " + page_size_for(sources)).c_str());
    store::create_tables(database);
    database.run(kOfNewFile);
    store::Transaction transaction(database);
    Copy copy(database, filter);
    ReportPrefetcher opened(sources);
    for (const fs::path& source : sources) copy.add(source, *opened.next()->database);
    transaction.commit();
    merged = std::move(copy).merged();
  }
  file.put_in_place();
  store::remove_logs_of_a_former_file(target);
  return merged;
}

}  // namespace ampprof::merge
