// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "views/view_source.h"

namespace ampprof::views {

/// Opens a report, as a source for views of all runs.
class AllRuns {
 public:
  explicit AllRuns(const std::filesystem::path& path);
  ~AllRuns();

  ViewSource& source();

 private:
  struct Opened;
  std::unique_ptr<Opened> opened_;
};

}  // namespace ampprof::views
