// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <future>
#include <memory>
#include <vector>

#include "reports/queries/open.h"

namespace ampprof::merge {

/// Opens reports for their tables, one after the other. While one is read, the next is opened on a thread of its own:
/// all its pages are checked first.
class OpenedAhead {
 public:
  explicit OpenedAhead(std::vector<std::filesystem::path> paths);
  OpenedAhead(const OpenedAhead&) = delete;
  OpenedAhead& operator=(const OpenedAhead&) = delete;

  /// Returns the next report, at most as often as there are paths. Throws what opening it throws.
  std::unique_ptr<queries::OpenReport> next();

 private:
  void begin();

  std::vector<std::filesystem::path> paths_;
  std::size_t begun_ = 0;
  std::future<std::unique_ptr<queries::OpenReport>> next_;  // waits for its thread where it goes
};

}  // namespace ampprof::merge
