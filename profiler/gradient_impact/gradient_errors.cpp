// SPDX-License-Identifier: Apache-2.0
#include "profiler/gradient_impact/gradient_errors.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>
#include <span>

#include "precision/tensors/length.h"
#include "precision/tensors/measure.h"
#include "precision/tensors/observer_disabled_guard.h"

namespace ampprof::profiler {
namespace {

/// Fills a row. `numbers`: the L2 norms of the error, of the exact gradient and of the program's gradient; how many
/// elements the program flushed to zero; optionally the L2 norm of the change of the exact gradient.
void fill(GradientError& row, std::span<const double> numbers) {
  row.sum_sq_error = numbers[0] * numbers[0];
  row.sum_sq_reference = numbers[1] * numbers[1];
  row.sum_sq_run = numbers[2] * numbers[2];
  row.product = (row.sum_sq_run + row.sum_sq_reference - row.sum_sq_error) / 2.0;
  row.flushed = static_cast<std::int64_t>(numbers[3]);
  if (numbers.size() > 4 && std::isfinite(numbers[4])) row.sum_sq_change = numbers[4] * numbers[4];
}

at::Tensor divided(const at::Tensor& tensor, double scale) { return scale == 1.0 ? tensor : tensor.div(scale); }

/// Returns the numbers for fill(), as one-element tensors. `run`: the program's gradient. `before`: the previous exact
/// gradient; undefined if unknown.
std::vector<at::Tensor> asked_of(const at::Tensor& run, const at::Tensor& exact, const at::Tensor& before) {
  using tensors::length_of;
  std::vector<at::Tensor> asked{length_of(run.sub(exact)), length_of(exact), length_of(run),
                                run.eq(0).logical_and_(exact.ne(0)).sum()};
  if (before.defined()) asked.push_back(length_of(exact.sub(before)));
  return asked;
}

/// Returns the numbers for fill(), computed on the CPU in one pass over each pair of gradients.
std::vector<double> found_on_cpu(const at::Tensor& run, const at::Tensor& exact, const at::Tensor& before) {
  const auto length_of_error = [](const ErrorStats& stats) {
    return stats.excluded > 0 ? std::numeric_limits<double>::infinity() : std::sqrt(stats.sum_sq_error);
  };
  const ErrorStats error = tensors::measure(run, exact).local.value();
  std::vector<double> found{length_of_error(error), std::sqrt(error.sum_sq_reference), std::sqrt(error.sum_sq_output),
                            static_cast<double>(error.flushed)};
  if (before.defined()) found.push_back(length_of_error(tensors::measure(before, exact).local.value()));
  return found;
}

}  // namespace

NamedGradients compare_gradients(const std::vector<GradientPair>& pairs, double scale, std::int64_t segment,
                                 const NamedGradients& before, DeferredScalars& numbers,
                                 const std::function<void(const GradientError& row)>& arrived) {
  const tensors::ObserverDisabledGuard guard;
  NamedGradients all;
  for (const GradientPair& pair : pairs) {
    const at::Tensor exact = divided(pair.exact, scale), run = divided(pair.run.to(exact.scalar_type()), scale);
    const auto known = before.find(pair.parameter);
    const at::Tensor last = known == before.end() ? at::Tensor() : known->second;
    auto put = [row = GradientError{.segment = segment, .parameter = pair.parameter, .elements = run.numel()},
                arrived](std::span<const double> found) mutable {
      fill(row, found);
      if (std::isfinite(row.sum_sq_error)) arrived(row);  // inf and NaN are overflow events
    };
    exact.is_cpu() ? put(found_on_cpu(run, exact, last)) : numbers.ask(asked_of(run, exact, last), put);
    all.insert_or_assign(pair.parameter, exact.to(at::kBFloat16));
  }
  return all;
}

}  // namespace ampprof::profiler
