// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <ostream>

#include "cli/export/formats.h"
#include "reports/queries/ops.h"
#include "reports/queries/runs.h"
#include "reports/text/elide.h"
#include "views/runs/run_choice.h"
#include "views/view_source.h"

namespace ampprof::cli {
namespace {

/// Replaces separators and line ends in the name of a frame.
std::string frame(std::string name) {
  name = text::printable(name);
  std::ranges::replace(name, ';', ',');
  return name;
}

/// Returns "layers;0;attn;" for "layers.0.attn".
std::string frames_of(const std::string& module) {
  if (module.empty()) return "";
  std::string frames = frame(module) + ';';
  std::ranges::replace(frames, '.', ';');
  return frames;
}

}  // namespace

void write_folded_stacks(const Exported& report, std::ostream& out) {
  const std::vector<queries::OpRow>& ops = report.views.ops();
  for (const queries::RunRow& run : report.views.runs) {
    const std::string root = frame(views::label_of(run, report.views.runs)) + ';';
    for (const queries::OpRow& op : ops) {
      const auto us = std::llround(op.gpu_us.value_or(op.cpu_us));
      if (op.run != run.run || us == 0) continue;
      out << root << name_of(op.phase) << ';' << frames_of(op.module) << frame(op.op) << ' ' << us << '\n';
    }
  }
}

}  // namespace ampprof::cli
