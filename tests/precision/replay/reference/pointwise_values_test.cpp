// SPDX-License-Identifier: Apache-2.0
#include "tests/precision/replay/reference/value_case.h"

namespace ampprof {
namespace pointwise_values_test {

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
    MorePointwise, ReferenceOf,
    testing::Values(
        Case{"relu", "aten::relu", "", [] { return Values{half({99})}; },
             [](const Values& d) { return Tensors{in(d[0]) * (in(d[0]) > 0)}; }},
        Case{"leaky_relu", "aten::leaky_relu", "",
             [] {
               return Values{half({99}), 0.1};
             },
             [](const Values& d) { return Tensors{at::where(in(d[0]) > 0, in(d[0]), 0.1 * in(d[0]))}; }},
        Case{"silu", "aten::silu", "", [] { return Values{half({99})}; },
             [](const Values& d) { return Tensors{in(d[0]) / (1 + (-in(d[0])).exp())}; }},
        Case{"hardtanh", "aten::hardtanh", "",
             [] {
               return Values{half({99}), -0.7, 0.7};
             },
             [](const Values& d) { return Tensors{in(d[0]).clamp(-0.7, 0.7)}; }},
        Case{"clamp", "aten::clamp", "",
             [] {
               return Values{half({99}), -0.3, none()};
             },
             [](const Values& d) { return Tensors{at::where(in(d[0]) < -0.3, -0.3, in(d[0]))}; }},
        Case{"neg", "aten::neg", "", [] { return Values{half({99})}; },
             [](const Values& d) { return Tensors{0 - in(d[0])}; }},
        Case{"abs", "aten::abs", "", [] { return Values{half({99})}; },
             [](const Values& d) { return Tensors{in(d[0]) * in(d[0]).sign()}; }},
        Case{"sqrt", "aten::sqrt", "", [] { return Values{positive({99})}; },
             [](const Values& d) { return Tensors{in(d[0]).pow(0.5)}; }},
        Case{"erf", "aten::erf", "", [] { return Values{half({99})}; },
             [](const Values& d) { return Tensors{1 - in(d[0]).erfc()}; }},
        Case{"sub", "aten::sub", "Tensor",
             [] {
               return Values{half({9, 7}), half({9, 1}), 2};
             },
             [](const Values& d) { return Tensors{in(d[0]) + -2 * in(d[1])}; }},
        Case{"add_of_a_number", "aten::add", "Scalar",
             [] {
               return Values{half({99}), 0.1, 1};
             },
             [](const Values& d) { return Tensors{0.1 + in(d[0])}; }},
        Case{"mul_by_a_number", "aten::mul", "Scalar",
             [] {
               return Values{half({99}), 0.1};
             },
             [](const Values& d) { return Tensors{in(d[0]) / 10}; }},
        Case{"div_by_a_number", "aten::div", "Scalar",
             [] {
               return Values{half({99}), 3};
             },
             [](const Values& d) { return Tensors{in(d[0]) * (1.0 / 3)}; }},
        Case{"masked_fill", "aten::masked_fill", "Scalar",
             [] {
               return Values{half({99}), labels(99, 2).to(at::kBool), -2.0};
             },
             [](const Values& d) { return Tensors{at::where(in(d[1]), -2.0, in(d[0]))}; }},
        Case{"where", "aten::where", "self",
             [] {
               return Values{labels(99, 2).to(at::kBool), half({99}), half({99})};
             },
             [](const Values& d) { return Tensors{in(d[0]) * in(d[1]) + ~in(d[0]) * in(d[2])}; }},
        Case{"lerp", "aten::lerp", "Scalar",
             [] {
               return Values{half({99}), half({99}), 0.3};
             },
             [](const Values& d) { return Tensors{0.7 * in(d[0]) + 0.3 * in(d[1])}; }},
        Case{"triu", "aten::triu", "",
             [] {
               return Values{half({9, 9}), 1};
             },
             [](const Values& d) {
               return Tensors{in(d[0]) * at::ones({9, 9}, at::kDouble).triu(1)};
             }},
        Case{"pad", "aten::constant_pad_nd", "",
             [] {
               return Values{half({3, 4}), ints({1, 2}), 0.5};
             },
             [](const Values& d) {
               return Tensors{
                   at::cat({at::full({3, 1}, 0.5, at::kDouble), in(d[0]), at::full({3, 2}, 0.5, at::kDouble)}, 1)};
             }},
        Case{"index_select", "aten::index_select", "",
             [] {
               return Values{half({9, 5}), 0, labels(4, 9)};
             },
             [](const Values& d) { return Tensors{in(d[0]).index({in(d[2])})}; }},
        Case{"gather", "aten::gather", "",
             [] {
               return Values{half({9, 5}), 1, labels(9, 5).unsqueeze(1), false};
             },
             [](const Values& d) { return Tensors{at::take_along_dim(in(d[0]), in(d[2]), 1)}; }},
        Case{"take", "aten::take", "",
             [] {
               return Values{half({9, 5}), labels(4, 45)};
             },
             [](const Values& d) { return Tensors{in(d[0]).flatten().index({in(d[1])})}; }},
        Case{"stack", "aten::stack", "",
             [] {
               return Values{list({half({5}), half({5})}), 1};
             },
             [](const Values& d) {
               return Tensors{
                   at::cat({d[0].toTensorVector()[0].unsqueeze(1), d[0].toTensorVector()[1].unsqueeze(1)}, 1)};
             }},
        Case{"clone", "aten::clone", "",
             [] {
               return Values{half({9, 5}), none()};
             },
             [](const Values& d) { return Tensors{in(d[0])}; }},
        Case{"contiguous_of_a_transposed", "aten::contiguous", "",
             [] {
               return Values{half({9, 5}).t(), 0};
             },
             [](const Values& d) { return Tensors{in(d[0])}; }},
        Case{"reshape_with_a_copy", "aten::reshape", "",
             [] {
               return Values{half({9, 5}).t(), ints({45})};
             },
             [](const Values& d) { return Tensors{in(d[0]).flatten()}; }},
        Case{"upsample", "aten::upsample_nearest2d", "",
             [] {
               return Values{half({2, 3, 4, 4}), ints({8, 8}), none(), none()};
             },
             [](const Values& d) { return Tensors{in(d[0]).repeat_interleave(2, 2).repeat_interleave(2, 3)}; }},
        Case{"full", "aten::full", "", [] { return Values{ints({9}), 0.1, type(at::kHalf), none(), none(), none()}; },
             [](const Values& /*d*/) { return Tensors{at::full({9}, 0.1, at::kDouble)}; }},
        Case{"zeros_like", "aten::zeros_like", "",
             [] { return Values{half({9}), none(), none(), none(), none(), none()}; },
             [](const Values& /*d*/) { return Tensors{at::zeros({9}, at::kDouble)}; }}),
    by_name);

}  // namespace pointwise_values_test
}  // namespace ampprof
