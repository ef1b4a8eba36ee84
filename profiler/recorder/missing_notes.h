// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "reports/records/run.h"

namespace ampprof::profiler {

/// Counts what the report lacks, by kind and cause. Thread-safe; its lock is held for no other work.
class MissingNotes {
 public:
  void note(const std::string& what, const std::string& cause, const std::string& remedy);
  /// Returns the notes since the last call, in the order of their texts.
  std::vector<Missing> take();

 private:
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Missing> notes_;
};

}  // namespace ampprof::profiler
