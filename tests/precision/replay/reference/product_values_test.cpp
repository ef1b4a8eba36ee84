// SPDX-License-Identifier: Apache-2.0
#include "tests/precision/replay/reference/value_case.h"

namespace ampprof {
namespace product_values_test {

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
             }}),
    by_name);

INSTANTIATE_TEST_SUITE_P(
    MoreProducts, ReferenceOf,
    testing::Values(
        Case{"dot", "aten::dot", "",
             [] {
               return Values{half({300}), half({300})};
             },
             [](const Values& d) { return Tensors{(in(d[0]) * in(d[1])).sum()}; }},
        Case{"mv", "aten::mv", "",
             [] {
               return Values{half({9, 33}), half({33})};
             },
             [](const Values& d) { return Tensors{(in(d[0]) * in(d[1])).sum(1)}; }},
        Case{"einsum", "aten::einsum", "",
             [] {
               return Values{"bij,bkj->bik", list({half({2, 3, 9}), half({2, 4, 9})}), none()};
             },
             [](const Values& d) { return Tensors{d[1].toTensorVector()[0].matmul(d[1].toTensorVector()[1].mT())}; }},
        Case{"outer", "aten::outer", "",
             [] {
               return Values{half({9}), half({7})};
             },
             [](const Values& d) { return Tensors{in(d[0]).unsqueeze(1) * in(d[1])}; }},
        Case{
            "conv1d", "aten::conv1d", "",
            [] {
              return Values{half({2, 3, 20}), half({4, 3, 5}), half({4}), ints({1}), ints({0}), ints({1}), 1};
            },
            [](const Values& d) {
              return Tensors{at::einsum("bcjk,ock->boj", {in(d[0]).unfold(2, 5, 1), in(d[1])}) + in(d[2]).view({4, 1})};
            }},
        Case{"depthwise_conv2d", "aten::conv2d", "",
             [] {
               return Values{half({2, 4, 6, 6}), half({4, 1, 3, 3}), none(), ints({1, 1}),
                             ints({0, 0}),       ints({1, 1}),       4};
             },
             [](const Values& d) {
               return Tensors{(in(d[0]).unfold(2, 3, 1).unfold(3, 3, 1) * in(d[1]).view({1, 4, 1, 1, 3, 3}))
                                  .sum(at::IntArrayRef{4, 5})};
             }},
        Case{"channels_last_conv2d", "aten::conv2d", "",
             [] {
               return Values{half({2, 8, 6, 6}).contiguous(at::MemoryFormat::ChannelsLast),
                             half({4, 8, 1, 1}),
                             none(),
                             ints({1, 1}),
                             ints({0, 0}),
                             ints({1, 1}),
                             1};
             },
             [](const Values& d) {
               return Tensors{at::einsum("bchw,oc->bohw", {in(d[0]), in(d[1]).flatten(1)})};
             }},
        Case{"scaled_dot_product_attention", "aten::scaled_dot_product_attention", "",
             [] {
               return Values{
                   half({1, 2, 9, 8}), half({1, 2, 9, 8}), half({1, 2, 9, 8}), none(), 0.0, false, none(), false};
             },
             [](const Values& d) {
               return Tensors{at::softmax(in(d[0]).matmul(in(d[1]).mT()) / std::sqrt(8.0), -1).matmul(in(d[2]))};
             }}),
    by_name);

}  // namespace product_values_test
}  // namespace ampprof
