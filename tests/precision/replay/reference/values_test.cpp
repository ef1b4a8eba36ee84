// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "precision/tensors/dtype_of.h"
#include "precision/tensors/measure.h"
#include "tests/precision/replay/reference/value_case.h"

namespace ampprof {
namespace values_test {

Values in_double(const Values& arguments) {
  Values doubled;
  for (const auto& value : arguments) {
    if (value.isTensor() && value.toTensor().defined() && value.toTensor().is_floating_point()) {
      doubled.emplace_back(value.toTensor().to(at::kDouble, false, true));
    } else if (value.isTensor() && value.toTensor().defined()) {
      doubled.emplace_back(value.toTensor().clone());
    } else if (value.isTensorList()) {
      c10::List<Tensor> tensors;
      for (const Tensor& tensor : value.toTensorVector()) tensors.push_back(tensor.to(at::kDouble, false, true));
      doubled.emplace_back(tensors);
    } else {
      doubled.push_back(value);
    }
  }
  return doubled;
}

void expect_close(double actual, double expected, const char* what) {
  EXPECT_NEAR(actual, expected, 1e-6 * std::abs(expected)) << what;
}

/// Computes the expected statistics by their definition, with ATen's own operations.
void expect_statistics(const error::OutputStatistics& measured, const Tensor& output, const Tensor& exact) {
  ASSERT_TRUE(measured.local.has_value());
  const Tensor y = output.to(at::kDouble).flatten();
  const Tensor r = exact.flatten();
  const Tensor error = (y - r).abs();
  const auto [mantissa_bits, min_exponent] = error::spacing_of(tensors::dtype_of(output));
  const Tensor frexp_exponent = std::get<1>(at::frexp(r));
  const Tensor exponent = (frexp_exponent.to(at::kDouble) - 1).clamp_min(min_exponent);
  const Tensor ulps = error / at::exp2(at::where(r == 0, at::full_like(r, min_exponent), exponent) - mantissa_bits);
  expect_close(measured.local->count, static_cast<double>(y.numel()), "count");
  expect_close(measured.local->max_abs, error.max().item<double>(), "max_abs");
  expect_close(measured.local->relative_l2(),
               r.norm().item<double>() == 0 ? 0 : (error.norm() / r.norm()).item<double>(), "relative_l2");
  expect_close(measured.local->max_ulp, ulps.max().item<double>(), "max_ulp");
  expect_close(measured.local->sum_ulp, ulps.sum().item<double>(), "sum_ulp");
  expect_close(measured.local->sum_product, (y * r).sum().item<double>(), "sum_product");
  expect_close(measured.ranges.amax, y.abs().max().item<double>(), "amax");
  expect_close(measured.ranges.reference_amax, r.abs().max().item<double>(), "reference_amax");
  EXPECT_EQ(measured.local->flushed, ((r != 0) & (y == 0)).sum().item<std::int64_t>());
  const Tensor bins = at::bincount((frexp_exponent.clamp(-65, 33) + 65).masked_select(r != 0).to(at::kLong), {}, 99);
  for (std::int64_t bin = 0; bin < bins.numel(); ++bin) {
    EXPECT_EQ(measured.exponents.counts[static_cast<std::size_t>(bin)], bins[bin].item<std::int64_t>()) << bin;
  }
  EXPECT_EQ(measured.ranges.subnormal, ((r != 0) & (r.abs() < 0x1p-14)).sum().item<std::int64_t>());
}

TEST_P(ReferenceOf, GivesTheStatisticsOfAnFp64Computation) {
  const Case& row = GetParam();
  const Values arguments = row.arguments();
  const Values doubled = in_double(arguments);
  const auto observed = call_observed(op_named(row.op, row.overload), arguments);
  ASSERT_EQ(observed.reference.outcome, reference::ReplayOutcome::Ran) << observed.reference.reason;
  const Tensors outputs = reference::tensors_in(observed.returned);
  const Tensors exact = row.exact(doubled);
  ASSERT_EQ(observed.reference.outputs.size(), outputs.size());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    SCOPED_TRACE("output " + std::to_string(i));
    ASSERT_TRUE(observed.reference.outputs[i].defined());
    EXPECT_EQ(observed.reference.outputs[i].scalar_type(), at::kDouble);
    expect_statistics(tensors::measure(outputs[i], observed.reference.outputs[i]), outputs[i], exact[i]);
  }
}

}  // namespace values_test
}  // namespace ampprof
