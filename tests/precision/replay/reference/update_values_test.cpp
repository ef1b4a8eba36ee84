// SPDX-License-Identifier: Apache-2.0
// Tests ops that write their arguments: in place, out=, lists of parameters.
#include "tests/precision/replay/reference/value_case.h"

namespace ampprof {
namespace update_values_test {

INSTANTIATE_TEST_SUITE_P(
    Updates, ReferenceOf,
    testing::Values(
        Case{"foreach_add", "aten::_foreach_add_", "List",
             [] {
               return Values{list({half({9}), half({7})}), list({half({9}), half({7})}), 0.5};
             },
             [](const Values& d) {
               return Tensors{d[0].toTensorVector()[0] + 0.5 * d[1].toTensorVector()[0],
                              d[0].toTensorVector()[1] + 0.5 * d[1].toTensorVector()[1]};
             }},
        Case{"foreach_mul_by_a_number", "aten::_foreach_mul_", "Scalar",
             [] {
               return Values{list({half({9}), half({7})}), 0.9};
             },
             [](const Values& d) {
               return Tensors{0.9 * d[0].toTensorVector()[0], 0.9 * d[0].toTensorVector()[1]};
             }},
        Case{"foreach_addcdiv", "aten::_foreach_addcdiv_", "Scalar",
             [] {
               return Values{list({half({9})}), list({half({9})}), list({positive({9})}), -0.1};
             },
             [](const Values& d) {
               return Tensors{d[0].toTensorVector()[0] - 0.1 * d[1].toTensorVector()[0] / d[2].toTensorVector()[0]};
             }},
        Case{"foreach_lerp", "aten::_foreach_lerp_", "Scalar",
             [] {
               return Values{list({half({9})}), list({half({9})}), 0.1};
             },
             [](const Values& d) { return Tensors{0.9 * d[0].toTensorVector()[0] + 0.1 * d[1].toTensorVector()[0]}; }},
        Case{"foreach_that_returns", "aten::_foreach_add", "List",
             [] {
               return Values{list({half({9}), half({7})}), list({half({9}), half({7})}), 1};
             },
             [](const Values& d) {
               return Tensors{d[0].toTensorVector()[0] + d[1].toTensorVector()[0],
                              d[0].toTensorVector()[1] + d[1].toTensorVector()[1]};
             }},
        Case{"unscale", "aten::_amp_foreach_non_finite_check_and_unscale_", "",
             [] {
               return Values{list({half({9}), half({7})}), at::zeros({1}), at::full({1}, 0.1)};
             },
             [](const Values& d) {
               return Tensors{d[0].toTensorVector()[0] * at::full({}, 0.1F).to(at::kDouble),
                              d[0].toTensorVector()[1] * at::full({}, 0.1F).to(at::kDouble)};
             }},
        Case{"fused_adam", "aten::_fused_adam_", "",
             [] {
               return Values{list({half({33})}),
                             list({half({33})}),
                             list({half({33})}),
                             list({positive({33})}),
                             list({}),
                             list({at::full({}, 3.0F)}),
                             0.01,
                             0.9,
                             0.99,
                             0.1,
                             1e-3,
                             false,
                             false,
                             none(),
                             none()};
             },
             [](const Values& d) {
               const Tensor grad = d[1].toTensorVector()[0] + 0.1 * d[0].toTensorVector()[0];
               const Tensor mean = 0.9 * d[2].toTensorVector()[0] + 0.1 * grad;
               const Tensor square = 0.99 * d[3].toTensorVector()[0] + 0.01 * grad * grad;
               const Tensor root = (square / (1 - std::pow(0.99, 3))).sqrt() + 1e-3;
               const Tensor weight = d[0].toTensorVector()[0] - 0.01 / (1 - std::pow(0.9, 3)) * mean / root;
               return Tensors{weight, d[1].toTensorVector()[0], mean, square};
             }},
        Case{"fused_adam_that_unscales", "aten::_fused_adam_", "",
             [] {
               return Values{list({half({33})}),
                             list({half({33})}),
                             list({half({33})}),
                             list({positive({33})}),
                             list({}),
                             list({at::full({}, 3.0F)}),
                             0.01,
                             0.9,
                             0.99,
                             0.0,
                             1e-3,
                             false,
                             false,
                             at::full({}, 8.0F),
                             at::zeros({})};
             },
             [](const Values& d) {
               const Tensor grad = d[1].toTensorVector()[0] / 8;
               const Tensor mean = 0.9 * d[2].toTensorVector()[0] + 0.1 * grad;
               const Tensor square = 0.99 * d[3].toTensorVector()[0] + 0.01 * grad * grad;
               const Tensor root = (square / (1 - std::pow(0.99, 3))).sqrt() + 1e-3;
               return Tensors{d[0].toTensorVector()[0] - 0.01 / (1 - std::pow(0.9, 3)) * mean / root, grad, mean,
                              square};
             }},
        Case{"fused_sgd", "aten::_fused_sgd_", "",
             [] {
               return Values{list({half({33})}),
                             list({half({33})}),
                             list({half({33})}),
                             0.1,
                             0.9,
                             0.01,
                             0.0,
                             false,
                             false,
                             false,
                             none(),
                             none()};
             },
             [](const Values& d) {
               const Tensor grad = d[1].toTensorVector()[0] + 0.1 * d[0].toTensorVector()[0];
               const Tensor momentum = 0.9 * d[2].toTensorVector()[0] + grad;
               // The momentum is not compared: on the CPU, LibTorch 2.11 leaves parts of it unset in reduced types.
               return Tensors{d[0].toTensorVector()[0] - 0.01 * momentum, d[1].toTensorVector()[0]};
             }},
        Case{"addcdiv_in_place", "aten::addcdiv_", "",
             [] {
               return Values{half({9}), half({9}), positive({9}), -0.1};
             },
             [](const Values& d) { return Tensors{in(d[0]) - 0.1 * in(d[1]) / in(d[2])}; }},
        Case{"sub_in_place", "aten::sub_", "Tensor",
             [] {
               return Values{half({9}), half({9}), 0.3};
             },
             [](const Values& d) { return Tensors{in(d[0]) - 0.3 * in(d[1])}; }},
        Case{"add_of_a_number_in_place", "aten::add_", "Scalar",
             [] {
               return Values{half({9}), 0.3, 1};
             },
             [](const Values& d) { return Tensors{in(d[0]) + 0.3}; }},
        Case{"sqrt_in_place", "aten::sqrt_", "", [] { return Values{positive({9})}; },
             [](const Values& d) { return Tensors{in(d[0]).pow(0.5)}; }},
        Case{"fill_in_place", "aten::fill_", "Scalar",
             [] {
               return Values{half({9}), 0.1};
             },
             [](const Values& /*d*/) { return Tensors{at::full({9}, 0.1, at::kDouble)}; }},
        Case{"add_out", "aten::add", "out",
             [] {
               return Values{half({9}), half({9}), 2, at::empty({9}, at::kHalf)};
             },
             [](const Values& d) { return Tensors{in(d[0]) + 2 * in(d[1])}; }},
        Case{"sum_out", "aten::sum", "IntList_out",
             [] {
               return Values{half({9, 70}), ints({1}), false, none(), at::empty({9}, at::kHalf)};
             },
             [](const Values& d) { return Tensors{in(d[0]).sum(1)}; }},
        Case{"cat_out", "aten::cat", "out",
             [] {
               return Values{list({half({3}), half({4})}), 0, at::empty({7}, at::kHalf)};
             },
             [](const Values& d) { return Tensors{at::cat(d[0].toTensorVector())}; }},
        Case{"add_to_itself_shifted", "aten::add_", "Tensor",
             [] {
               return Values{at::ones({10}, at::kHalf).slice(0, 1), half({9}), 1};
             },
             [](const Values& d) { return Tensors{in(d[0]) + in(d[1])}; }}),
    by_name);

}  // namespace update_values_test
}  // namespace ampprof
