// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <functional>
#include <ostream>

#include "precision/error/measure.h"
#include "tests/precision/reference/call_op.h"

namespace ampprof {
namespace {

using at::Tensor;
using Tensors = std::vector<Tensor>;

Tensor half(at::IntArrayRef sizes, double scale = 1.0) { return (at::randn(sizes) * scale).to(at::kHalf); }
Tensor positive(at::IntArrayRef sizes) { return (at::rand(sizes) + 0.5).to(at::kHalf); }
Tensor single(at::IntArrayRef sizes) { return at::randn(sizes); }
Tensor labels(std::int64_t size, std::int64_t classes) { return at::randint(classes, {size}); }
c10::IValue ints(std::vector<std::int64_t> values) { return c10::List<std::int64_t>(std::move(values)); }
c10::IValue none() { return {}; }
c10::IValue type(at::ScalarType type) { return static_cast<std::int64_t>(type); }
c10::IValue list(Tensors tensors) { return c10::List<Tensor>(std::move(tensors)); }
c10::IValue mask3() { return c10::List<bool>({true, true, true}); }

/// An op on reduced precision, and the same computed another way: by the test, in FP64, from FP64 copies.
struct Case {
  const char* name;
  const char* op;
  const char* overload;
  std::function<Values()> arguments;
  std::function<Tensors(const Values& d)> exact;
};

void PrintTo(const Case& row, std::ostream* out) { *out << row.op << '.' << row.overload; }

Tensor in(const c10::IValue& value) { return value.toTensor(); }

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

/// The statistics by their definition, from ATen's own operations.
void expect_statistics(const Measured& measured, const Tensor& output, const Tensor& exact) {
  ASSERT_TRUE(measured.local.has_value());
  const Tensor y = output.to(at::kDouble).flatten();
  const Tensor r = exact.flatten();
  const Tensor error = (y - r).abs();
  const bool is_half = output.scalar_type() == at::kHalf;
  const auto exponent = (std::get<1>(at::frexp(r)).to(at::kDouble) - 1).clamp_min(is_half ? -14 : -126);
  const auto floored = at::where(r == 0, at::full_like(r, is_half ? -14 : -126), exponent);
  const Tensor ulps = error / at::exp2(floored - (is_half ? 10 : 23));
  expect_close(measured.local->count, static_cast<double>(y.numel()), "count");
  expect_close(measured.local->max_abs, error.max().item<double>(), "max_abs");
  expect_close(measured.local->relative_l2(), (error.norm() / r.norm()).item<double>(), "relative_l2");
  expect_close(measured.local->max_ulp, ulps.max().item<double>(), "max_ulp");
  expect_close(measured.local->sum_ulp, ulps.sum().item<double>(), "sum_ulp");
  expect_close(measured.local->sum_product, (y * r).sum().item<double>(), "sum_product");
  expect_close(measured.ranges.amax, y.abs().max().item<double>(), "amax");
  expect_close(measured.ranges.reference_amax, r.abs().max().item<double>(), "reference_amax");
  EXPECT_EQ(measured.local->flushed, ((r != 0) & (y == 0)).sum().item<std::int64_t>());
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

std::string by_name(const testing::TestParamInfo<Case>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Products, ReferenceOf,
    testing::Values(
        Case{"mm", "aten::mm", "",
             [] {
               return Values{half({7, 33}), half({33, 5})};
             },
             [](const Values& d) { return Tensors{in(d[0]).matmul(in(d[1]))}; }},
        Case{"addmm", "aten::addmm", "",
             [] {
               return Values{half({5}), half({7, 33}), half({33, 5}), 0.5, 2.0};
             },
             [](const Values& d) { return Tensors{0.5 * in(d[0]) + 2 * in(d[1]).matmul(in(d[2]))}; }},
        Case{"bmm", "aten::bmm", "",
             [] {
               return Values{half({3, 7, 9}), half({3, 9, 5})};
             },
             [](const Values& d) {
               return Tensors{at::einsum("bij,bjk->bik", {in(d[0]), in(d[1])})};
             }},
        Case{"baddbmm", "aten::baddbmm", "",
             [] {
               return Values{half({3, 7, 5}), half({3, 7, 9}), half({3, 9, 5}), 1.0, 1.0};
             },
             [](const Values& d) { return Tensors{in(d[0]) + in(d[1]).matmul(in(d[2]))}; }},
        Case{"matmul_of_transposed", "aten::matmul", "",
             [] {
               return Values{half({2, 9, 7}).mT(), half({9, 5})};
             },
             [](const Values& d) {
               return Tensors{at::einsum("bij,jk->bik", {in(d[0]), in(d[1])})};
             }},
        Case{"linear", "aten::linear", "",
             [] {
               return Values{half({6, 4, 33}), half({9, 33}), half({9})};
             },
             [](const Values& d) { return Tensors{in(d[0]).matmul(in(d[1]).t()) + in(d[2])}; }},
        Case{"mm_out", "aten::mm", "out",
             [] {
               return Values{half({4, 9}), half({9, 5}), at::empty({4, 5}, at::kHalf)};
             },
             [](const Values& d) { return Tensors{in(d[0]).matmul(in(d[1]))}; }},
        Case{"conv2d", "aten::conv2d", "",
             [] {
               return Values{half({2, 3, 8, 9}), half({4, 3, 3, 3}), half({4}), ints({1, 2}),
                             ints({1, 1}),       ints({1, 1}),       1};
             },
             [](const Values& d) {
               return Tensors{at::convolution(in(d[0]), in(d[1]), in(d[2]), {1, 2}, {1, 1}, {1, 1}, false, {0, 0}, 1)};
             }},
        Case{"conv_transpose2d", "aten::conv_transpose2d", "input",
             [] {
               return Values{half({2, 4, 5, 5}), half({4, 3, 4, 4}), none(), ints({2, 2}),
                             ints({1, 1}),       ints({0, 0}),       1,      ints({1, 1})};
             },
             [](const Values& d) {
               return Tensors{at::convolution(in(d[0]), in(d[1]), {}, {2, 2}, {1, 1}, {1, 1}, true, {0, 0}, 1)};
             }},
        Case{"lstm", "aten::lstm", "input",
             [] {
               return Values{half({5, 2, 3}),
                             list({half({1, 2, 4}), half({1, 2, 4})}),
                             list({half({16, 3}), half({16, 4}), half({16}), half({16})}),
                             true,
                             1,
                             0.0,
                             false,
                             false,
                             false};
             },
             [](const Values& d) {
               const auto [y, h, c] =
                   at::lstm(in(d[0]), d[1].toTensorVector(), d[2].toTensorVector(), true, 1, 0.0, false, false, false);
               return Tensors{y, h, c};
             }}),
    by_name);

INSTANTIATE_TEST_SUITE_P(
    Pointwise, ReferenceOf,
    testing::Values(Case{"add", "aten::add", "Tensor",
                         [] {
                           return Values{half({9, 7}), half({7}), 3};
                         },
                         [](const Values& d) { return Tensors{in(d[0]) + 3 * in(d[1])}; }},
                    Case{"product_of_half_and_float", "aten::mul", "Tensor",
                         [] {
                           return Values{half({9, 7}), single({9, 7})};
                         },
                         [](const Values& d) { return Tensors{in(d[0]) * in(d[1])}; }},
                    Case{"div", "aten::div", "Tensor",
                         [] {
                           return Values{half({9, 7}), positive({9, 7})};
                         },
                         [](const Values& d) { return Tensors{in(d[0]) / in(d[1])}; }},
                    Case{"exp", "aten::exp", "", [] { return Values{half({99}, 2)}; },
                         [](const Values& d) { return Tensors{in(d[0]).exp()}; }},
                    Case{"log", "aten::log", "", [] { return Values{positive({99})}; },
                         [](const Values& d) { return Tensors{in(d[0]).log()}; }},
                    Case{"sigmoid", "aten::sigmoid", "", [] { return Values{half({99}, 4)}; },
                         [](const Values& d) { return Tensors{1 / (1 + (-in(d[0])).exp())}; }},
                    Case{"tanh", "aten::tanh", "", [] { return Values{half({99})}; },
                         [](const Values& d) { return Tensors{in(d[0]).tanh()}; }},
                    Case{"gelu", "aten::gelu", "",
                         [] {
                           return Values{half({99}), "none"};
                         },
                         [](const Values& d) { return Tensors{in(d[0]) * 0.5 * (1 + (in(d[0]) * M_SQRT1_2).erf())}; }},
                    Case{"pow", "aten::pow", "Tensor_Scalar",
                         [] {
                           return Values{positive({99}), 3.0};
                         },
                         [](const Values& d) { return Tensors{in(d[0]) * in(d[0]) * in(d[0])}; }},
                    Case{"rsqrt", "aten::rsqrt", "", [] { return Values{positive({99})}; },
                         [](const Values& d) { return Tensors{1 / in(d[0]).sqrt()}; }},
                    Case{"in_place_add", "aten::add_", "Tensor",
                         [] {
                           return Values{half({9, 7}), half({9, 7}), 0.25};
                         },
                         [](const Values& d) { return Tensors{in(d[0]) + 0.25 * in(d[1])}; }},
                    Case{"in_place_square", "aten::mul_", "Tensor",
                         [] {
                           const Tensor x = half({9, 7});
                           return Values{x, x};
                         },
                         [](const Values& d) { return Tensors{in(d[0]) * in(d[0])}; }},
                    Case{"in_place_on_a_view", "aten::mul_", "Scalar",
                         [] {
                           return Values{half({9, 7}).select(1, 3), 1.7};
                         },
                         [](const Values& d) { return Tensors{in(d[0]) * 1.7}; }},
                    Case{"addcmul_in_place", "aten::addcmul_", "",
                         [] {
                           return Values{half({9}), half({9}), half({9}), -0.1};
                         },
                         [](const Values& d) { return Tensors{in(d[0]) - 0.1 * in(d[1]) * in(d[2])}; }},
                    Case{"copy_master_to_half", "aten::copy_", "",
                         [] {
                           return Values{half({99}), single({99}), false};
                         },
                         [](const Values& d) { return Tensors{in(d[1])}; }},
                    Case{"cast_to_half", "aten::to", "dtype",
                         [] {
                           return Values{single({99}), type(at::kHalf), false, false, none()};
                         },
                         [](const Values& d) { return Tensors{in(d[0])}; }},
                    Case{"flush_in_a_cast", "aten::to", "dtype",
                         [] {
                           return Values{single({99}) * 1e-8, type(at::kHalf), false, false, none()};
                         },
                         [](const Values& d) { return Tensors{in(d[0])}; }},
                    Case{"cat", "aten::cat", "",
                         [] {
                           return Values{list({half({2, 3}), single({4, 3})}), 0};
                         },
                         [](const Values& d) { return Tensors{at::cat(d[0].toTensorVector(), 0)}; }}),
    by_name);

INSTANTIATE_TEST_SUITE_P(
    Reductions, ReferenceOf,
    testing::Values(Case{"sum", "aten::sum", "dim_IntList",
                         [] {
                           return Values{half({9, 700}), ints({1}), false, none()};
                         },
                         [](const Values& d) { return Tensors{in(d[0]).sum(1)}; }},
                    Case{"sum_of_float_to_half", "aten::sum", "dim_IntList",
                         [] {
                           return Values{single({9, 70}), ints({1}), false, type(at::kHalf)};
                         },
                         [](const Values& d) { return Tensors{in(d[0]).sum(1)}; }},
                    Case{"sum_of_half_to_float", "aten::sum", "",
                         [] {
                           return Values{half({900}), type(at::kFloat)};
                         },
                         [](const Values& d) { return Tensors{in(d[0]).sum()}; }},
                    Case{"mean", "aten::mean", "",
                         [] {
                           return Values{half({900}), none()};
                         },
                         [](const Values& d) { return Tensors{in(d[0]).mean()}; }},
                    Case{"softmax", "aten::softmax", "int",
                         [] {
                           return Values{half({9, 40}, 4), 1, none()};
                         },
                         [](const Values& d) {
                           const Tensor e = in(d[0]).exp();
                           return Tensors{e / e.sum(1, true)};
                         }},
                    Case{"softmax_to_half", "aten::softmax", "int",
                         [] {
                           return Values{single({9, 40}), 1, type(at::kHalf)};
                         },
                         [](const Values& d) { return Tensors{at::softmax(in(d[0]), 1)}; }},
                    Case{"log_softmax", "aten::log_softmax", "int",
                         [] {
                           return Values{half({9, 40}), 1, none()};
                         },
                         [](const Values& d) { return Tensors{in(d[0]) - in(d[0]).logsumexp(1, true)}; }},
                    Case{"layer_norm", "aten::layer_norm", "",
                         [] {
                           return Values{half({9, 40}), ints({40}), half({40}), half({40}), 1e-5, true};
                         },
                         [](const Values& d) {
                           const Tensor x = in(d[0]);
                           const Tensor normal = (x - x.mean(1, true)) / (x.var(1, false, true) + 1e-5).sqrt();
                           return Tensors{normal * in(d[2]) + in(d[3])};
                         }},
                    Case{"batch_norm_in_training", "aten::batch_norm", "",
                         [] {
                           return Values{half({9, 4}), single({4}), single({4}), at::zeros({4}), at::ones({4}),
                                         true,         0.1,         1e-5,        false};
                         },
                         [](const Values& d) {
                           const Tensor x = in(d[0]);
                           const Tensor normal = (x - x.mean(0, true)) / (x.var(0, false, true) + 1e-5).sqrt();
                           return Tensors{normal * in(d[1]) + in(d[2])};
                         }},
                    Case{"mse_loss", "aten::mse_loss", "",
                         [] {
                           return Values{half({9, 7}), half({9, 7}), 1};
                         },
                         [](const Values& d) { return Tensors{(in(d[0]) - in(d[1])).square().mean()}; }},
                    Case{"cross_entropy", "aten::cross_entropy_loss", "",
                         [] {
                           return Values{half({9, 7}), labels(9, 7), none(), 1, -100, 0.0};
                         },
                         [](const Values& d) {
                           const Tensor log_p = in(d[0]) - in(d[0]).logsumexp(1, true);
                           return Tensors{-log_p.gather(1, in(d[1]).unsqueeze(1)).mean()};
                         }},
                    Case{"avg_pool2d", "aten::avg_pool2d", "",
                         [] {
                           return Values{half({2, 3, 8, 8}), ints({2, 2}), ints({}), ints({0, 0}), false, true, none()};
                         },
                         [](const Values& d) {
                           return Tensors{at::adaptive_avg_pool2d(in(d[0]), {4, 4})};
                         }},
                    Case{"max_pool2d", "aten::max_pool2d", "",
                         [] {
                           return Values{half({2, 3, 8, 8}), ints({2, 2}), ints({}), ints({0, 0}), ints({1, 1}), false};
                         },
                         [](const Values& d) {
                           return Tensors{in(d[0]).unflatten(3, {4, 2}).amax(4).unflatten(2, {4, 2}).amax(3)};
                         }},
                    Case{"embedding", "aten::embedding", "",
                         [] {
                           return Values{half({10, 6}), labels(12, 10), -1, false, false};
                         },
                         [](const Values& d) { return Tensors{in(d[0]).index_select(0, in(d[1]))}; }}),
    by_name);

INSTANTIATE_TEST_SUITE_P(
    Backward, ReferenceOf,
    testing::Values(
        Case{"convolution_backward", "aten::convolution_backward", "",
             [] {
               return Values{half({2, 4, 6, 6}),
                             half({2, 3, 8, 8}),
                             half({4, 3, 3, 3}),
                             ints({4}),
                             ints({1, 1}),
                             ints({0, 0}),
                             ints({1, 1}),
                             false,
                             ints({0, 0}),
                             1,
                             mask3()};
             },
             [](const Values& d) {
               const Tensor input = in(d[1]).requires_grad_();
               const Tensor weight = in(d[2]).requires_grad_();
               const Tensor bias = at::zeros({4}, at::kDouble).requires_grad_();
               at::conv2d(input, weight, bias).backward(in(d[0]));
               return Tensors{input.grad(), weight.grad(), bias.grad()};
             }},
        Case{"threshold_backward", "aten::threshold_backward", "",
             [] {
               return Values{half({99}), half({99}), 0};
             },
             [](const Values& d) { return Tensors{in(d[0]) * (in(d[1]) > 0)}; }},
        Case{"sigmoid_backward", "aten::sigmoid_backward", "",
             [] {
               return Values{half({99}), at::rand({99}).to(at::kHalf)};
             },
             [](const Values& d) { return Tensors{in(d[0]) * in(d[1]) * (1 - in(d[1]))}; }},
        Case{"softmax_backward", "aten::_softmax_backward_data", "",
             [] {
               return Values{half({9, 40}), at::softmax(single({9, 40}), 1).to(at::kHalf), 1, type(at::kHalf)};
             },
             [](const Values& d) { return Tensors{in(d[1]) * (in(d[0]) - (in(d[0]) * in(d[1])).sum(1, true))}; }},
        Case{"batch_norm_backward", "aten::native_batch_norm_backward", "",
             [] {
               const Tensor x = half({9, 4});
               const Tensor mean = x.to(at::kFloat).mean(0);
               const Tensor inverse = 1 / (x.to(at::kFloat).var(0, false) + 1e-5).sqrt();
               return Values{half({9, 4}), x,       single({4}), at::zeros({4}), at::ones({4}),
                             mean,         inverse, true,        1e-5,           mask3()};
             },
             [](const Values& d) {
               const Tensor g = in(d[0]);
               const Tensor normal = (in(d[1]) - in(d[5])) * in(d[6]);
               const Tensor dx = in(d[2]) * in(d[6]) * (g - g.mean(0) - normal * (g * normal).mean(0));
               return Tensors{dx, (g * normal).sum(0), g.sum(0)};
             }},
        Case{"layer_norm_backward", "aten::native_layer_norm_backward", "",
             [] {
               const Tensor x = half({9, 40});
               const Tensor mean = x.to(at::kFloat).mean(1, true).to(at::kHalf);
               const Tensor inverse = (1 / x.to(at::kFloat).std(1, false, true)).to(at::kHalf);
               return Values{half({9, 40}), x, ints({40}), mean, inverse, half({40}), half({40}), mask3()};
             },
             [](const Values& d) {
               const Tensor normal = (in(d[1]) - in(d[3])) * in(d[4]);
               const Tensor g = in(d[0]) * in(d[5]);
               const Tensor dx = in(d[4]) * (g - g.mean(1, true) - normal * (g * normal).mean(1, true));
               return Tensors{dx, (in(d[0]) * normal).sum(0), in(d[0]).sum(0)};
             }}),
    by_name);

}  // namespace
}  // namespace ampprof
