// SPDX-License-Identifier: Apache-2.0
#include "reports/queries/temporary_copy.h"

#include <cstdlib>
#include <fstream>
#include <string>
#include <system_error>

#include "reports/store/report_error.h"

namespace ampprof {
namespace {

namespace fs = std::filesystem;

constexpr int kAttempts = 5;
constexpr std::size_t kLogHeaderBytes = 32;

fs::path log_of(const fs::path& report) { return report.string() + "-wal"; }

/// What changes when the log is folded into the report. Commits only append to the log, and SQLite ignores a commit
/// whose end is cut off.
struct Moment {
  fs::file_time_type written;
  std::string log_header;

  bool operator==(const Moment&) const = default;
};

Moment moment_of(const fs::path& report) {
  std::string header(kLogHeaderBytes, '\0');
  std::ifstream(log_of(report), std::ios::binary).read(header.data(), kLogHeaderBytes);
  return {fs::last_write_time(report), header};
}

fs::path make_folder() {
  std::string pattern = fs::temp_directory_path() / "ampprof-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw fs::filesystem_error("mkdtemp", pattern, std::error_code(errno, std::generic_category()));
  }
  return pattern;
}

void copy_both(const fs::path& from, const fs::path& to) {
  constexpr auto overwrite = fs::copy_options::overwrite_existing;
  fs::copy_file(from, to, overwrite);
  fs::remove(log_of(to));
  if (fs::exists(log_of(from))) fs::copy_file(log_of(from), log_of(to), overwrite);
}

bool copy_of_one_moment(const fs::path& from, const fs::path& to) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const Moment before = moment_of(from);
    copy_both(from, to);
    if (moment_of(from) == before) return true;
  }
  return false;
}

void remove_quietly(const fs::path& folder) {
  std::error_code ignored;
  if (!folder.empty()) fs::remove_all(folder, ignored);
}

}  // namespace

TemporaryCopy::TemporaryCopy(const fs::path& report) {
  const std::string why = "nothing can be written beside the report " + report.string() + ", and ";
  try {
    folder_ = make_folder();
    path_ = folder_ / report.filename();
    if (!copy_of_one_moment(report, path_)) throw ReportError(why + "it changes too fast to be copied; try again");
  } catch (const fs::filesystem_error& error) {
    remove_quietly(folder_);
    throw ReportError(why + "a temporary copy failed; set TMPDIR to a folder with room for it: " + error.what());
  } catch (...) {
    remove_quietly(folder_);
    throw;
  }
}

TemporaryCopy::~TemporaryCopy() { remove_quietly(folder_); }

}  // namespace ampprof
