// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "precision/error/dtype_of.h"
#include "precision/error/measure.h"
#include "tests/precision/reference/call_op.h"

/// The table test of reference execution: an op on reduced precision, and the same computed another way. A file of
/// cases includes this once and instantiates ReferenceOf.
namespace ampprof {

using at::Tensor;
using Tensors = std::vector<Tensor>;

inline Tensor half(at::IntArrayRef sizes, double scale = 1.0) { return (at::randn(sizes) * scale).to(at::kHalf); }
inline Tensor positive(at::IntArrayRef sizes) { return (at::rand(sizes) + 0.5).to(at::kHalf); }
inline Tensor single(at::IntArrayRef sizes) { return at::randn(sizes); }
inline Tensor labels(std::int64_t size, std::int64_t classes) { return at::randint(classes, {size}); }
inline c10::IValue ints(std::vector<std::int64_t> values) { return c10::List<std::int64_t>(std::move(values)); }
inline c10::IValue none() { return {}; }
inline c10::IValue type(at::ScalarType type) { return static_cast<std::int64_t>(type); }
inline c10::IValue list(Tensors tensors) { return c10::List<Tensor>(std::move(tensors)); }
inline c10::IValue mask3() { return c10::List<bool>({true, true, true}); }

/// An op on reduced precision, and the same computed another way: by the test, in FP64, from FP64 copies.
struct Case {
  const char* name;
  const char* op;
  const char* overload;
  std::function<Values()> arguments;
  std::function<Tensors(const Values& d)> exact;
};

inline void PrintTo(const Case& row, std::ostream* out) { *out << row.op << '.' << row.overload; }

inline Tensor in(const c10::IValue& value) { return value.toTensor(); }

inline Values in_double(const Values& arguments) {
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

inline void expect_close(double actual, double expected, const char* what) {
  EXPECT_NEAR(actual, expected, 1e-6 * std::abs(expected)) << what;
}

/// The statistics by their definition, from ATen's own operations.
inline void expect_statistics(const Measured& measured, const Tensor& output, const Tensor& exact) {
  ASSERT_TRUE(measured.local.has_value());
  const Tensor y = output.to(at::kDouble).flatten();
  const Tensor r = exact.flatten();
  const Tensor error = (y - r).abs();
  const auto [mantissa_bits, min_exponent] = spacing_of(dtype_of(output));
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

class ReferenceOf : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override { at::manual_seed(7); }
};

TEST_P(ReferenceOf, GivesTheStatisticsOfAnFp64Computation) {
  const Case& row = GetParam();
  const Values arguments = row.arguments();
  const Values doubled = in_double(arguments);
  const auto observed = call_observed(op_named(row.op, row.overload), arguments);
  ASSERT_EQ(observed.reference.outcome, Outcome::Ran) << observed.reference.reason;
  const Tensors outputs = tensors_in(observed.returned);
  const Tensors exact = row.exact(doubled);
  ASSERT_EQ(observed.reference.outputs.size(), outputs.size());
  for (std::size_t i = 0; i < exact.size(); ++i) {
    SCOPED_TRACE("output " + std::to_string(i));
    ASSERT_TRUE(observed.reference.outputs[i].defined());
    EXPECT_EQ(observed.reference.outputs[i].scalar_type(), at::kDouble);
    expect_statistics(measure(outputs[i], observed.reference.outputs[i]), outputs[i], exact[i]);
  }
}

inline std::string by_name(const testing::TestParamInfo<Case>& info) { return info.param.name; }

}  // namespace ampprof
