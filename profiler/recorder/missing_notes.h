// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "reports/records/run.h"

namespace ampprof::profiler {

/// Counts records that the report lacks, by item and cause. Thread-safe; takes no other lock while it holds its own.
class MissingNotes {
 public:
  void note(const std::string& what, const std::string& cause, const std::string& remedy);
  /// Returns the notes since the last call, sorted by text.
  std::vector<Missing> take();

 private:
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Missing> notes_;
};

}  // namespace ampprof::profiler
