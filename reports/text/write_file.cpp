// SPDX-License-Identifier: Apache-2.0
#include "reports/text/write_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "reports/text/usage_error.h"

namespace ampprof::text {
namespace {

namespace fs = std::filesystem;

bool write_all(const fs::path& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  return static_cast<bool>(file);
}

}  // namespace

void write_file(const fs::path& path, std::string_view text) {
  std::error_code ignored;
  const UsageError failure(
      fmt::format("Cannot write {}. Check the directory, its permissions and the free space.", path.string()));
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
    if (!write_all(path, text)) throw failure;
    return;
  }
  // Replaces the target of a symbolic link, not the link.
  const fs::path target = fs::weakly_canonical(path, ignored);
  fs::path fresh = target.empty() ? path : target;
  fresh += fmt::format(".{}.tmp", ::getpid());
  std::error_code error;
  if (write_all(fresh, text)) {
    fs::rename(fresh, target.empty() ? path : target, error);
    if (!error) return;
  }
  fs::remove(fresh, ignored);
  throw failure;
}

}  // namespace ampprof::text
