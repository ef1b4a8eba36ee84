// SPDX-License-Identifier: Apache-2.0
#include "profiler/overflow/gradient_report.h"

#include <ATen/ATen.h>

#include "precision/tensors/observer_disabled_guard.h"
#include "reports/records/bytes.h"

namespace ampprof::profiler {

std::optional<EventParameter> report_if_nonfinite(const at::Tensor& gradient, double factor) {
  const tensors::ObserverDisabledGuard guard;
  const at::Tensor nan = at::isnan(gradient);
  const at::Tensor inf = at::isinf(gradient);
  EventParameter parameter;
  parameter.nan = nan.sum().item<std::int64_t>();
  parameter.inf = inf.sum().item<std::int64_t>();
  if (parameter.nan + parameter.inf == 0) return std::nullopt;
  if (parameter.nan + parameter.inf < gradient.numel()) {
    const at::Tensor finite = gradient.to(at::kDouble).abs().masked_fill(at::logical_or(nan, inf), 0.0);
    parameter.finite_amax = finite.max().item<double>() * factor;
  }
  return parameter;
}

}  // namespace ampprof::profiler
