// SPDX-License-Identifier: Apache-2.0
// Finds the call that first turned finite inputs into NaN or inf, and the calls that it spread through.

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>

#include "precision/error/measure.h"
#include "profiler/observer/call.h"
#include "profiler/observer/session.h"
#include "profiler/stages/judge.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

bool all_finite(c10::ArrayRef<c10::IValue> values) {
  bool finite = true;
  for_each_tensor(values, [&](const at::Tensor& tensor) {
    if (!finite || !tensor.is_floating_point() || tensor.is_sparse() || tensor.is_nested()) return;
    finite = measure(tensor, at::Tensor()).ranges.nonfinite == 0;
  });
  return finite;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool holds_minus_infinity(c10::ArrayRef<c10::IValue> values) {
  bool holds = std::ranges::any_of(values, [](const c10::IValue& value) {
    return value.isScalar() && value.toScalar().isFloatingPoint() && value.toScalar().toDouble() == -kInfinity;
  });
  for_each_tensor(values, [&](const at::Tensor& tensor) {
    holds = holds || (is_measurable(tensor) && at::isneginf(tensor).any().item<bool>());
  });
  return holds;
}

bool has_no_other(c10::ArrayRef<c10::IValue> values) {
  bool only = true;
  for_each_tensor(values, [&](const at::Tensor& tensor) {
    if (!only || !is_measurable(tensor)) return;
    only = !at::logical_or(at::isnan(tensor), at::isposinf(tensor)).any().item<bool>();
  });
  return only;
}

/// A mask: -inf that the program writes, or that came in, for a softmax to make zeros of.
bool is_mask(const Call& call) {
  if (call.phase != Phase::Forward && call.phase != Phase::Inference) return false;
  return has_no_other(call.results()) && holds_minus_infinity(call.kept.arguments);
}

class NonfiniteStage : public Stage {
 public:
  explicit NonfiniteStage(Session& session) : session_(session) {}

  void after(Call& call) override {
    if (!call.record.ranges || call.record.ranges->nonfinite == 0) return;
    if (is_mask(call)) {
      call.record.nonfinite_expected = true;
      return;
    }
    NonfiniteTrace& trace = session_.trace();
    if (trace.looks_for_origin()) {
      if (all_finite(call.kept.arguments)) {
        trace.found({call.record.call_site, call.phase, call.record.scale, reference_amax(call.record)});
      } else {
        trace.came_in();
      }
    }
    trace.spread_to(call.record.call_site);
  }

 private:
  /// Without a high-precision reference the range statistics describe the overflowed output itself.
  static std::optional<double> reference_amax(const OpCall& record) {
    if (!record.local || record.ranges->reference_amax <= 0) return std::nullopt;
    return record.ranges->reference_amax;
  }

  Session& session_;
};

}  // namespace

std::unique_ptr<Stage> make_nonfinite_stage(Session& session) { return std::make_unique<NonfiniteStage>(session); }

}  // namespace ampprof::profiler
