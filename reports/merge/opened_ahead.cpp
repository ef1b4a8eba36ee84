// SPDX-License-Identifier: Apache-2.0
#include "reports/merge/opened_ahead.h"

#include <system_error>
#include <utility>

namespace ampprof::merge {
namespace {

namespace fs = std::filesystem;

bool is_same_file(const fs::path& one, const fs::path& other) {
  std::error_code ignored;
  return fs::equivalent(one, other, ignored);
}

}  // namespace

OpenedAhead::OpenedAhead(std::vector<std::filesystem::path> paths) : paths_(std::move(paths)) { begin(); }

std::unique_ptr<queries::OpenReport> OpenedAhead::next() {
  auto opened = next_.get();
  begin();
  return opened;
}

void OpenedAhead::begin() {
  if (begun_ == paths_.size()) return;
  const std::size_t place = begun_++;
  // A report that is open is opened again when it no longer is: see "Nothing but SQLite opens a report" in
  // ../README.md.
  const bool is_open = place > 0 && is_same_file(paths_[place - 1], paths_[place]);
  const auto when = is_open ? std::launch::deferred : std::launch::async | std::launch::deferred;
  next_ = std::async(
      when, [path = paths_[place]] { return std::make_unique<queries::OpenReport>(path, queries::Reads::Tables); });
}

}  // namespace ampprof::merge
