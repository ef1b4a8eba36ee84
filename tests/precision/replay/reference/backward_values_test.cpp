// SPDX-License-Identifier: Apache-2.0
#include "tests/precision/replay/reference/value_case.h"

namespace ampprof {
namespace backward_values_test {

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

INSTANTIATE_TEST_SUITE_P(
    MoreBackward, ReferenceOf,
    testing::Values(
        Case{"log_softmax_backward", "aten::_log_softmax_backward_data", "",
             [] {
               return Values{half({9, 40}), at::log_softmax(single({9, 40}), 1).to(at::kHalf), 1, type(at::kHalf)};
             },
             [](const Values& d) { return Tensors{in(d[0]) - in(d[1]).exp() * in(d[0]).sum(1, true)}; }},
        Case{"nll_loss_backward", "aten::nll_loss_backward", "",
             [] {
               return Values{half({}), half({9, 7}), labels(9, 7), none(), 1, -100, at::full({}, 9, at::kHalf)};
             },
             [](const Values& d) {
               const Tensor chosen = at::zeros({9, 7}, at::kDouble).scatter_(1, in(d[2]).unsqueeze(1), -1.0 / 9);
               return Tensors{in(d[0]) * chosen};
             }},
        Case{"max_pool2d_backward", "aten::max_pool2d_with_indices_backward", "",
             [] {
               const Tensor x = half({2, 3, 8, 8});
               const Tensor indices = std::get<1>(at::max_pool2d_with_indices(x, {2, 2}));
               return Values{half({2, 3, 4, 4}), x,     ints({2, 2}), ints({2, 2}), ints({0, 0}),
                             ints({1, 1}),       false, indices};
             },
             [](const Values& d) {
               return Tensors{at::zeros({2, 3, 64}, at::kDouble)
                                  .scatter_(2, in(d[7]).flatten(2), in(d[0]).flatten(2))
                                  .view({2, 3, 8, 8})};
             }},
        Case{"adaptive_avg_pool2d_backward", "aten::_adaptive_avg_pool2d_backward", "",
             [] {
               return Values{half({2, 3, 2, 2}), half({2, 3, 8, 8})};
             },
             [](const Values& d) { return Tensors{in(d[0]).repeat_interleave(4, 2).repeat_interleave(4, 3) / 16}; }},
        Case{"avg_pool2d_backward", "aten::avg_pool2d_backward", "",
             [] {
               return Values{half({2, 3, 4, 4}),
                             half({2, 3, 8, 8}),
                             ints({2, 2}),
                             ints({2, 2}),
                             ints({0, 0}),
                             false,
                             true,
                             none()};
             },
             [](const Values& d) { return Tensors{in(d[0]).repeat_interleave(2, 2).repeat_interleave(2, 3) / 4}; }},
        Case{"embedding_backward", "aten::embedding_backward", "",
             [] {
               return Values{half({30, 6}), labels(30, 10), 10, -1, false, false};
             },
             [](const Values& d) {
               return Tensors{at::zeros({10, 6}, at::kDouble).index_add(0, in(d[1]), in(d[0]))};
             }},
        Case{"gelu_backward", "aten::gelu_backward", "",
             [] {
               return Values{half({99}), half({99}), "none"};
             },
             [](const Values& d) {
               return Tensors{in(d[0]) * (0.5 * (1 + (in(d[1]) * M_SQRT1_2).erf()) +
                                          in(d[1]) * (-0.5 * in(d[1]).square()).exp() / std::sqrt(2 * M_PI))};
             }},
        Case{"tanh_backward", "aten::tanh_backward", "",
             [] {
               return Values{half({99}), half({99}).tanh()};
             },
             [](const Values& d) { return Tensors{in(d[0]) * (1 - in(d[1]) * in(d[1]))}; }},
        Case{"silu_backward", "aten::silu_backward", "",
             [] {
               return Values{half({99}), half({99})};
             },
             [](const Values& d) {
               return Tensors{in(d[0]) * in(d[1]).sigmoid() * (1 + in(d[1]) * (1 - in(d[1]).sigmoid()))};
             }},
        Case{"leaky_relu_backward", "aten::leaky_relu_backward", "",
             [] {
               return Values{half({99}), half({99}), 0.1, false};
             },
             [](const Values& d) { return Tensors{at::where(in(d[1]) > 0, in(d[0]), 0.1 * in(d[0]))}; }},
        Case{"mse_loss_backward", "aten::mse_loss_backward", "",
             [] {
               return Values{half({}), half({9, 7}), half({9, 7}), 1};
             },
             [](const Values& d) { return Tensors{in(d[0]) * 2 * (in(d[1]) - in(d[2])) / 63}; }},
        Case{"dropout_backward", "aten::native_dropout_backward", "",
             [] {
               return Values{half({99}), labels(99, 2).to(at::kBool), 2.0};
             },
             [](const Values& d) { return Tensors{in(d[0]) * in(d[1]) * 2}; }},
        Case{"select_backward", "aten::select_backward", "",
             [] {
               return Values{half({9}), ints({9, 5}), 1, 3};
             },
             [](const Values& d) {
               return Tensors{
                   at::cat({at::zeros({9, 3}, at::kDouble), in(d[0]).unsqueeze(1), at::zeros({9, 1}, at::kDouble)}, 1)};
             }},
        Case{"slice_backward", "aten::slice_backward", "",
             [] {
               return Values{half({9, 2}), ints({9, 5}), 1, 1, 3, 1};
             },
             [](const Values& d) {
               return Tensors{at::cat({at::zeros({9, 1}, at::kDouble), in(d[0]), at::zeros({9, 2}, at::kDouble)}, 1)};
             }},
        Case{"conv_transpose2d_backward", "aten::convolution_backward", "",
             [] {
               return Values{half({2, 3, 10, 10}),
                             half({2, 4, 5, 5}),
                             half({4, 3, 2, 2}),
                             ints({3}),
                             ints({2, 2}),
                             ints({0, 0}),
                             ints({1, 1}),
                             true,
                             ints({0, 0}),
                             1,
                             mask3()};
             },
             [](const Values& d) {
               const Tensor input = in(d[1]).requires_grad_();
               const Tensor weight = in(d[2]).requires_grad_();
               const Tensor blocks = at::einsum("bchw,cokl->bohkwl", {input, weight}).reshape({2, 3, 10, 10});
               blocks.backward(in(d[0]));
               return Tensors{input.grad(), weight.grad(), in(d[0]).sum(at::IntArrayRef{0, 2, 3})};
             }}),
    by_name);

}  // namespace backward_values_test
}  // namespace ampprof
