// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "analysis/diagnosis/diagnosis_rule.h"
#include "analysis/diagnosis/rules/remedies.h"
#include "analysis/diagnosis/symptoms.h"
#include "precision/advice/loss_scale.h"
#include "reports/queries/gradient_impacts.h"
#include "reports/queries/ops.h"
#include "reports/queries/scales.h"
#include "reports/text/numbers.h"

namespace ampprof::analysis {
namespace {

constexpr double kMuchFlushed = 0.25;    // share of a gradient's elements that become 0
constexpr double kLittleFlushed = 0.01;  // share of a gradient's elements that may become 0 at a usable scale
constexpr double kUsualScale = 65536;    // default initial scale of a GradScaler

/// Returns a loss scale at which the gradients fit into FP16: kUsualScale if that is enough. Empty if the report does
/// not show one. Gradients of a program without a scaler have scale 1.
std::optional<double> scale_that_keeps(const Symptoms& symptoms) {
  std::vector<queries::OpRow> backward;
  for (const queries::OpRow* op : symptoms.ops) {
    if (op->phase != Phase::Backward) continue;
    backward.push_back(*op);
    if (symptoms.scales.empty() && !op->scale) backward.back().scale = 1.0;
  }
  std::vector<queries::ScaleRow> scales;
  for (const queries::ScaleRow* row : symptoms.scales) scales.push_back(*row);
  const auto advice = advice::loss_scale_advice(backward, scales);
  if (advice.empty()) return std::nullopt;
  const auto usual = std::ranges::find(advice.front().scales, kUsualScale, &advice::AtScale::scale);
  const bool is_enough =
      usual != advice.front().scales.end() && !usual->overflows && usual->shares.rounds_to_zero < kLittleFlushed;
  return is_enough ? std::optional(kUsualScale) : advice.front().static_scale;
}

/// Returns the op that flushes the largest share of a gradient; null if none does.
const queries::OpRow* worst_flush(const Symptoms& symptoms) {
  const auto share = [](const queries::OpRow* op) {
    const bool counts =
        op->phase == Phase::Backward && op->dtype_out == DType::Half && op->local && op->local->count > 0;
    return counts ? static_cast<double>(op->local->flushed) / static_cast<double>(op->local->count) : 0.0;
  };
  const auto worst = std::ranges::max_element(symptoms.ops, {}, share);
  return worst == symptoms.ops.end() || share(*worst) < kMuchFlushed ? nullptr : *worst;
}

std::vector<Finding> find(const Symptoms& symptoms) {
  std::vector<std::string> names;
  double most = 0.0;
  for (const queries::GradientErrorRow* row : symptoms.gradients) {
    if (row->flushed.value_or(0.0) < kMuchFlushed) continue;
    names.push_back(row->parameter);
    most = std::max(most, *row->flushed);
  }
  const queries::OpRow* worst = worst_flush(symptoms);
  if (names.empty() || worst == nullptr) return {};
  const bool has_scaler = !symptoms.scales.empty();
  const auto scale = scale_that_keeps(symptoms);
  Finding finding{
      .culprit = culprit_of(*worst),
      .mechanism = fmt::format("Gradients are below the range of FP16, and {}. {}: {} of {} are flushed to 0.",
                               has_scaler ? "the loss scale is too small" : "there is no loss scale", worst->call_site,
                               text::count(worst->local->flushed), text::counted(worst->local->count, "value")),
      .consequence = fmt::format("The gradient of {} is 0 in up to {} of its elements: it learns little or "
                                 "nothing.",
                                 some_of(names), text::percent(most)),
      .cost = most,
      .confidence = Confidence::Certain};
  const std::string size = scale ? fmt::format(" of {}", text::plain(*scale)) : "";
  const std::string number = scale ? text::plain(*scale) : "";
  const char* word = has_scaler ? "init_scale=" : "loss_scale=";
  finding.remedies = {
      {.text = fmt::format("{} a loss scale{}.", has_scaler ? "Begin with" : "Use a GradScaler with", size),
       .code = scale ? fmt::format("GradScaler(init_scale={})", number) : "GradScaler()",
       .word = scale ? word + number : ""},
      {"Use BF16, which has the range of FP32 and needs no loss scale."}};
  return {finding};
}

}  // namespace

DiagnosisRule gradients_flushed() {
  return {"gradients_flushed", "Gradients are too small for FP16 and become 0.", find};
}

}  // namespace ampprof::analysis
