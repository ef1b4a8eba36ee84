// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder/missing_notes.h"

namespace ampprof::profiler {

void MissingNotes::note(const std::string& what, const std::string& cause, const std::string& remedy) {
  const std::lock_guard lock(mutex_);
  Missing& missing = notes_[{what, cause}];
  missing = {.what = what, .count = missing.count + 1, .cause = cause, .remedy = remedy};
}

std::vector<Missing> MissingNotes::take() {
  const std::lock_guard lock(mutex_);
  std::vector<Missing> taken;
  for (auto& [key, missing] : notes_) taken.push_back(std::move(missing));
  notes_.clear();
  return taken;
}

}  // namespace ampprof::profiler
