// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "reports/queries/ops.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

constexpr double kMuchFlushed = 0.25;  // share of the values that become 0
constexpr double kAssumedCost = 0.3;   // the report does not show how the program uses the values

bool is_judged(const queries::OpRow& op) {
  return op.phase != Phase::Backward && is_cast(op.op) && op.dtype_out == DType::Half && op.local;
}

/// The casts at one source line, for example of all tensors in a dictionary.
struct Line {
  const queries::OpRow* first = nullptr;
  std::int64_t values = 0;
  std::int64_t flushed = 0;
};

std::vector<Line> lines_of(const Symptoms& symptoms) {
  std::vector<Line> lines;
  for (const queries::OpRow* op : symptoms.ops) {
    if (!is_judged(*op)) continue;
    auto line = std::ranges::find(lines, op->source, [](const Line& each) { return each.first->source; });
    if (line == lines.end() || op->source.empty()) line = lines.insert(lines.end(), Line{.first = op});
    line->values += op->local->count;
    line->flushed += op->local->flushed;
  }
  return lines;
}

Finding finding_of(const Line& line) {
  const std::string place = at_line(line.first->source);
  return {.culprit = culprit_of(*line.first),
          .mechanism = fmt::format("{} of {} are below the range of FP16 and are flushed to 0 in the cast{}.",
                                   text::count(line.flushed), text::counted(line.values, "value"), place),
          .consequence =
              "The values stay 0 when they are cast back. Dividing by them or by their roots gives values that are too "
              "large.",
          .cost = kAssumedCost,
          .confidence = Confidence::Likely,
          .remedies = {{fmt::format("Keep the values in FP32{}, or in BF16, which has the range of FP32.", place)}}};
}

std::vector<Finding> find(const Symptoms& symptoms) {
  std::vector<Finding> findings;
  for (const Line& line : lines_of(symptoms)) {
    if (static_cast<double>(line.flushed) > kMuchFlushed * static_cast<double>(line.values)) {
      findings.push_back(finding_of(line));
    }
  }
  return findings;
}

}  // namespace

DiagnosisRule flushed_cast() { return {"flushed_cast", "A cast to FP16 turns small values into 0.", find}; }

}  // namespace ampprof::analysis
