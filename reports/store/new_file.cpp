// SPDX-License-Identifier: Apache-2.0
#include "reports/store/new_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "reports/store/report_error.h"

namespace ampprof::store {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

fs::path unused_name_beside(const fs::path& path) {
  static std::atomic<int> counter;
  return path.string() + ".new-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
}

/// A file, and its name in error messages.
struct Named {
  const fs::path& path;
  const std::string& what;
};

[[noreturn]] void fail(const Named& file, const std::string& why) {
  throw WriteError("cannot write the " + file.what + " " + file.path.string() + ": " + why);
}

[[noreturn]] void fail_because_it_exists(const Named& file) {
  throw WriteError("the " + file.what + " " + file.path.string() +
                   " exists already; choose another name with -o, or replace it with --force");
}

void check_folder(const Named& file) {
  const fs::path folder = folder_of(file.path);
  std::error_code error;
  const auto status = fs::status(folder, error);
  if (!fs::exists(status)) {
    fail(file, "the directory " + folder.string() + " does not exist; create it, or choose another directory with -o");
  }
  if (!fs::is_directory(status)) fail(file, folder.string() + " is not a directory; choose another directory with -o");
  if (::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0) return;
  fail(file, "cannot write in the directory " + folder.string() + " (" + std::generic_category().message(errno) +
                 "); choose another directory with -o");
}

void check_target(const Named& file, bool replace) {
  std::error_code error;
  const auto status = fs::symlink_status(file.path, error);
  if (!fs::exists(status)) return;
  if (fs::is_directory(status)) fail(file, "it is a directory; name a file in it with -o");
  if (!replace) fail_because_it_exists(file);
  // Renaming over /dev/null would replace the device.
  if (!fs::is_regular_file(status)) fail(file, "it is not a regular file; choose another name with -o");
}

// Renames if the name is free. Falls back to a hard link, because not every file system supports RENAME_NOREPLACE.
std::error_code rename_to_free_name(const fs::path& from, const fs::path& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
  std::error_code error(errno, std::generic_category());
  if (error.value() == EINVAL || error.value() == ENOSYS) fs::create_hard_link(from, to, error);
  return error;
}

}  // namespace

NewFile::NewFile(fs::path path, bool replace, std::string what)
    : path_(std::move(path)), temporary_(unused_name_beside(path_)), replace_(replace), what_(std::move(what)) {
  check_folder({path_, what_});
  check_target({path_, what_}, replace);
}

NewFile::~NewFile() {
  std::error_code ignored;
  fs::remove(temporary_, ignored);
  fs::remove(temporary_.string() + "-journal", ignored);
}

void NewFile::put_in_place() {
  std::error_code error;
  if (replace_) {
    fs::rename(temporary_, path_, error);
  } else {
    error = rename_to_free_name(temporary_, path_);
  }
  if (error.value() == EEXIST) fail_because_it_exists({path_, what_});
  if (error) fail({path_, what_}, error.message());
}

}  // namespace ampprof::store
