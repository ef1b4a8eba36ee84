// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include "reports/store/report_error.h"
#include "reports/store/schema.h"
#include "reports/store/sqlite.h"
#include "reports/store/writer.h"

namespace ampprof {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

fs::path unused_name_beside(const fs::path& path) {
  static std::atomic<int> counter{0};
  return path.string() + ".new-" + std::to_string(::getpid()) + "-" + std::to_string(++counter);
}

[[noreturn]] void fail(const fs::path& path, const std::string& why) {
  throw ReportError("cannot write the report " + path.string() + ": " + why);
}

[[noreturn]] void fail_because_it_exists(const fs::path& path) {
  throw ReportError("the report " + path.string() +
                    " exists already; choose another name with -o, or --force to replace it");
}

void check_folder(const fs::path& path) {
  const fs::path folder = folder_of(path);
  std::error_code error;
  const auto status = fs::status(folder, error);
  if (!fs::exists(status))
    fail(path, "the folder " + folder.string() + " does not exist; make it, or choose another with -o");
  if (!fs::is_directory(status)) fail(path, folder.string() + " is not a folder; choose another with -o");
  if (::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0) return;
  fail(path, "nothing can be written in the folder " + folder.string() + " (" + std::generic_category().message(errno) +
                 "); choose another with -o");
}

void check_target(const fs::path& path, bool replace) {
  std::error_code error;
  const auto status = fs::symlink_status(path, error);
  if (!fs::exists(status)) return;
  if (fs::is_directory(status)) fail(path, "it is a folder; name a file in it with -o");
  if (!replace) fail_because_it_exists(path);
  // Renaming over /dev/null would replace the device.
  if (!fs::is_regular_file(status)) fail(path, "it is not an ordinary file; choose another name with -o");
}

// Renames where the name is free; 0 or errno. Two steps, because not every file system has the first.
int rename_to_free_name(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  return ::link(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

void rename_into_place(const fs::path& from, const fs::path& to, bool replace) {
  const int error = replace ? (std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno) : rename_to_free_name(from, to);
  if (error == EEXIST) fail_because_it_exists(to);
  if (error != 0) fail(to, std::generic_category().message(error));
}

/// Removes a file when it dies; no matter that it is gone by then.
struct [[nodiscard]] RemovedAtEnd {
  fs::path path;
  ~RemovedAtEnd() {
    std::error_code ignored;
    fs::remove(path, ignored);
    fs::remove(path.string() + "-journal", ignored);
  }
};

// SQLite replays a log of this name, whatever file it was made for.
void remove_logs_of_a_former_file(const fs::path& path) {
  std::error_code ignored;
  fs::remove(path.string() + "-wal", ignored);
  fs::remove(path.string() + "-shm", ignored);
  fs::remove(path.string() + "-journal", ignored);
}

}  // namespace

void create_report(const fs::path& path, bool replace) {
  check_folder(path);
  check_target(path, replace);
  const RemovedAtEnd fresh{unused_name_beside(path)};
  {
    Database database(fresh.path, OpenMode::Create);
    migrate(database);
  }
  rename_into_place(fresh.path, path, replace);
  remove_logs_of_a_former_file(path);
}

}  // namespace ampprof
