// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "cli/views/views.h"

namespace ampprof::cli {

/// What views are made from.
struct ViewSource {
  const Report& report;
  const std::vector<RunRow>& runs;
  Targets targets;

  std::optional<std::vector<OpRow>> read_ops = {};

  /// Read once: several views are made from them. Tensor Core rules learn from all ops what a single one does not tell.
  const std::vector<OpRow>& ops() {
    if (!read_ops) {
      read_ops = report.ops();
      targets.learn_from(*read_ops);
    }
    return *read_ops;
  }
};

struct NamedView {
  const char* name;
  View (*make)(ViewSource&);
};

/// The views of `ampprof show` that are tables, in the order of the help.
const std::vector<NamedView>& all_views();

}  // namespace ampprof::cli
