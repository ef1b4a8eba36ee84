// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/temporary_copy.h"

#include <fstream>
#include <string>

#include "reports/store/report_error.h"
#include "reports/store/sqlite.h"

namespace ampprof::queries {
namespace {

namespace fs = std::filesystem;

constexpr int kAttempts = 5;
constexpr std::size_t kHeaderBytes = 32;

/// Suffixes of the write-ahead log, and of the rollback journal of a killed writer.
constexpr const char* kSuffixes[]{"-wal", "-journal"};

/// State of the files that changes when a checkpoint moves the log into the report. A commit does not change this state
/// and may be copied half: commits only append to the log, and SQLite ignores an incomplete one.
struct Moment {
  fs::file_time_type written;
  std::string headers;  ///< headers of the log and the journal

  bool operator==(const Moment&) const = default;
};

Moment moment_of(const fs::path& report) {
  Moment moment{fs::last_write_time(report), {}};
  for (const char* suffix : kSuffixes) {
    std::string header(kHeaderBytes, '\0');
    std::ifstream(report.string() + suffix, std::ios::binary).read(header.data(), kHeaderBytes);
    moment.headers += header;
  }
  return moment;
}

/// Copies a file. The copy is writable even if the file is not.
void copy_writable(const fs::path& from, const fs::path& to) {
  fs::copy_file(from, to, fs::copy_options::overwrite_existing);
  fs::permissions(to, fs::perms::owner_read | fs::perms::owner_write);
}

void copy_all(const fs::path& from, const fs::path& to) {
  copy_writable(from, to);
  for (const std::string suffix : kSuffixes) {
    fs::remove(to.string() + suffix);
    if (fs::exists(from.string() + suffix)) copy_writable(from.string() + suffix, to.string() + suffix);
  }
}

// Rolls back the transaction of the journal, which a read-only connection may not do.
void roll_back(const fs::path& copy) {
  if (fs::exists(copy.string() + "-journal")) store::Database(copy, store::OpenMode::Write).pragma("schema_version");
}

bool copy_of_one_moment(const fs::path& from, const fs::path& to) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const Moment before = moment_of(from);
    copy_all(from, to);
    if (moment_of(from) == before) return true;
  }
  return false;
}

}  // namespace

TemporaryCopy::TemporaryCopy(const fs::path& report) {
  const std::string why = "the report " + report.string() + " can only be read as a copy, and ";
  try {
    path_ = folder_.emplace().path() / report.filename();
    if (!copy_of_one_moment(report, path_))
      throw store::ReportError(why + "it changes too fast to be copied; try again");
    roll_back(path_);
  } catch (const fs::filesystem_error& error) {
    throw store::ReportError(why +
                             "a temporary copy failed; set TMPDIR to a directory with room for it: " + error.what());
  }
}

}  // namespace ampprof::queries
