// SPDX-License-Identifier: Apache-2.0
#include "tests/precision/replay/reference/value_case.h"

namespace ampprof {
namespace reduction_values_test {

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
    MoreReductions, ReferenceOf,
    testing::Values(
        Case{"adaptive_avg_pool2d", "aten::adaptive_avg_pool2d", "",
             [] {
               return Values{half({2, 3, 8, 8}), ints({2, 2})};
             },
             [](const Values& d) {
               return Tensors{in(d[0]).unflatten(3, {2, 4}).mean(4).unflatten(2, {2, 4}).mean(3)};
             }},
        Case{"mean_of_dimensions", "aten::mean", "dim",
             [] {
               return Values{half({2, 3, 8, 8}), ints({2, 3}), true, none()};
             },
             [](const Values& d) {
               return Tensors{in(d[0]).sum(at::IntArrayRef{2, 3}, true) / 64};
             }},
        Case{"amax", "aten::amax", "",
             [] {
               return Values{half({9, 70}), ints({1}), false};
             },
             [](const Values& d) { return Tensors{std::get<0>(in(d[0]).sort(1)).select(1, 69)}; }},
        Case{"logsumexp", "aten::logsumexp", "",
             [] {
               return Values{half({9, 70}), ints({1}), false};
             },
             [](const Values& d) { return Tensors{in(d[0]).exp().sum(1).log()}; }},
        Case{"cumsum", "aten::cumsum", "",
             [] {
               return Values{half({9, 70}), 1, none()};
             },
             [](const Values& d) {
               return Tensors{in(d[0]).matmul(at::ones({70, 70}, at::kDouble).triu())};
             }},
        Case{"vector_norm", "aten::linalg_vector_norm", "",
             [] {
               return Values{half({9, 70}), 2, ints({1}), false, none()};
             },
             [](const Values& d) { return Tensors{in(d[0]).square().sum(1).sqrt()}; }},
        Case{"variance", "aten::var", "correction",
             [] {
               return Values{half({9, 70}), ints({1}), 1, false};
             },
             [](const Values& d) { return Tensors{(in(d[0]) - in(d[0]).mean(1, true)).square().sum(1) / 69}; }},
        Case{"group_norm", "aten::group_norm", "",
             [] {
               return Values{half({2, 6, 5}), 3, half({6}), half({6}), 1e-5, true};
             },
             [](const Values& d) {
               return Tensors{((in(d[0]).view({2, 3, 10}) - in(d[0]).view({2, 3, 10}).mean(2, true)) /
                               (in(d[0]).view({2, 3, 10}).var(2, false, true) + 1e-5).sqrt())
                                      .view({2, 6, 5}) *
                                  in(d[2]).view({6, 1}) +
                              in(d[3]).view({6, 1})};
             }},
        Case{"batch_norm_in_evaluation", "aten::batch_norm", "",
             [] {
               return Values{half({9, 4}), single({4}), single({4}), single({4}), at::rand({4}) + 1,
                             false,        0.1,         1e-5,        false};
             },
             [](const Values& d) {
               return Tensors{(in(d[0]) - in(d[3])) / (in(d[4]) + 1e-5).sqrt() * in(d[1]) + in(d[2])};
             }},
        Case{"binary_cross_entropy", "aten::binary_cross_entropy_with_logits", "",
             [] {
               return Values{half({99}), labels(99, 2).to(at::kHalf), none(), none(), 1};
             },
             [](const Values& d) { return Tensors{((1 + in(d[0]).exp()).log() - in(d[0]) * in(d[1])).mean()}; }}),
    by_name);

}  // namespace reduction_values_test
}  // namespace ampprof
