// SPDX-License-Identifier: Apache-2.0
#include "profiler/gradient_impact/gradient_errors.h"

#include <ATen/ATen.h>

#include <cmath>
#include <span>
#include <utility>

#include "precision/tensors/length.h"
#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::profiler {
namespace {

/// `numbers`: lengths of the error, the exact gradient and the run's, its flushed elements, and perhaps the length of
/// the change.
void fill(GradientError& row, std::span<const double> numbers) {
  row.sum_sq_error = numbers[0] * numbers[0];
  row.sum_sq_reference = numbers[1] * numbers[1];
  row.sum_sq_run = numbers[2] * numbers[2];
  row.product = (row.sum_sq_run + row.sum_sq_reference - row.sum_sq_error) / 2.0;
  row.flushed = static_cast<std::int64_t>(numbers[3]);
  if (numbers.size() > 4 && std::isfinite(numbers[4])) row.sum_sq_change = numbers[4] * numbers[4];
}

}  // namespace

Gradients compare_gradients(const std::vector<GradientPair>& pairs, double scale, std::int64_t substep,
                            const Gradients& before, LateNumbers& numbers,
                            const std::function<void(const GradientError& row)>& arrived) {
  const tensors::ObserverDisabledGuard guard;
  using tensors::length_of;
  Gradients all;
  for (const GradientPair& pair : pairs) {
    const at::Tensor exact = pair.exact.div(scale), run = pair.run.to(exact.scalar_type()).div(scale);
    const at::Tensor flushed = run.eq(0).logical_and_(exact.ne(0)).sum();
    std::vector<at::Tensor> asked{length_of(run.sub(exact)), length_of(exact), length_of(run), flushed};
    const auto known = before.find(pair.parameter);
    if (known != before.end()) asked.push_back(length_of(exact.sub(known->second)));
    GradientError row{.substep = substep, .parameter = pair.parameter, .elements = run.numel()};
    numbers.ask(asked, [row, arrived](std::span<const double> found) mutable {
      fill(row, found);
      if (std::isfinite(row.sum_sq_error)) arrived(row);  // an overflow event tells of any other
    });
    all.insert_or_assign(pair.parameter, exact.to(at::kBFloat16));
  }
  return all;
}

}  // namespace ampprof::profiler
