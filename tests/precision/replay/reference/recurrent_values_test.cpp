// SPDX-License-Identifier: Apache-2.0
#include "tests/precision/replay/reference/value_case.h"

namespace ampprof {
namespace recurrent_values_test {

/// Computes the products and biases that all kinds of cells share. `weights`: input weight, state weight, input bias,
/// state bias.
Tensor gates(const Tensor& x, const Tensor& h, const Tensors& weights) {
  return x.matmul(weights[0].t()) + weights[2] + h.matmul(weights[1].t()) + weights[3];
}

Tensor gru_step(const Tensor& x, const Tensor& h, const Tensors& weights) {
  const Tensors of_x = (x.matmul(weights[0].t()) + weights[2]).chunk(3, 1);
  const Tensors of_h = (h.matmul(weights[1].t()) + weights[3]).chunk(3, 1);
  const Tensor reset = (of_x[0] + of_h[0]).sigmoid();
  const Tensor update = (of_x[1] + of_h[1]).sigmoid();
  return (1 - update) * (of_x[2] + reset * of_h[2]).tanh() + update * h;
}

Tensors lstm_step(const Tensor& x, const Tensor& h, const Tensor& c, const Tensors& weights) {
  const Tensors gate = gates(x, h, weights).chunk(4, 1);
  const Tensor cell = gate[1].sigmoid() * c + gate[0].sigmoid() * gate[2].tanh();
  return {gate[3].sigmoid() * cell.tanh(), cell};
}

/// Returns the outputs of all time steps and the last state.
Tensors over_time(const Values& d, Tensor (*step)(const Tensor& x, const Tensor& h, const Tensors& weights)) {
  Tensor h = in(d[1])[0];
  Tensors outputs;
  for (const Tensor& x : in(d[0]).unbind()) {
    h = step(x, h, d[2].toTensorVector());
    outputs.push_back(h);
  }
  return {at::stack(outputs), h.unsqueeze(0)};
}

INSTANTIATE_TEST_SUITE_P(
    Recurrent, ReferenceOf,
    testing::Values(
        Case{"gru", "aten::gru", "input",
             [] {
               return Values{half({5, 2, 3}),
                             half({1, 2, 4}),
                             list({half({12, 3}), half({12, 4}), half({12}), half({12})}),
                             true,
                             1,
                             0.0,
                             false,
                             false,
                             false};
             },
             [](const Values& d) { return over_time(d, gru_step); }},
        Case{"rnn_tanh", "aten::rnn_tanh", "input",
             [] {
               return Values{half({5, 2, 3}),
                             half({1, 2, 4}),
                             list({half({4, 3}), half({4, 4}), half({4}), half({4})}),
                             true,
                             1,
                             0.0,
                             false,
                             false,
                             false};
             },
             [](const Values& d) {
               return over_time(
                   d, [](const Tensor& x, const Tensor& h, const Tensors& w) { return gates(x, h, w).tanh(); });
             }},
        Case{"rnn_relu", "aten::rnn_relu", "input",
             [] {
               return Values{half({5, 2, 3}),
                             half({1, 2, 4}),
                             list({half({4, 3}), half({4, 4}), half({4}), half({4})}),
                             true,
                             1,
                             0.0,
                             false,
                             false,
                             false};
             },
             [](const Values& d) {
               return over_time(
                   d, [](const Tensor& x, const Tensor& h, const Tensors& w) { return gates(x, h, w).clamp_min(0); });
             }},
        Case{"lstm_cell", "aten::lstm_cell", "",
             [] {
               return Values{half({2, 3}), list({half({2, 4}), half({2, 4})}), half({16, 3}), half({16, 4}), half({16}),
                             half({16})};
             },
             [](const Values& d) {
               return lstm_step(in(d[0]), d[1].toTensorVector()[0], d[1].toTensorVector()[1],
                                {in(d[2]), in(d[3]), in(d[4]), in(d[5])});
             }},
        Case{"gru_cell", "aten::gru_cell", "",
             [] {
               return Values{half({2, 3}), half({2, 4}), half({12, 3}), half({12, 4}), half({12}), half({12})};
             },
             [](const Values& d) {
               return Tensors{gru_step(in(d[0]), in(d[1]), {in(d[2]), in(d[3]), in(d[4]), in(d[5])})};
             }},
        Case{"rnn_tanh_cell", "aten::rnn_tanh_cell", "",
             [] {
               return Values{half({2, 3}), half({2, 4}), half({4, 3}), half({4, 4}), half({4}), half({4})};
             },
             [](const Values& d) {
               return Tensors{gates(in(d[0]), in(d[1]), {in(d[2]), in(d[3]), in(d[4]), in(d[5])}).tanh()};
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
               Tensor h = d[1].toTensorVector()[0][0];
               Tensor c = d[1].toTensorVector()[1][0];
               Tensors outputs;
               for (const Tensor& x : in(d[0]).unbind()) {
                 const Tensors next = lstm_step(x, h, c, d[2].toTensorVector());
                 h = next[0];
                 c = next[1];
                 outputs.push_back(h);
               }
               return Tensors{at::stack(outputs), h.unsqueeze(0), c.unsqueeze(0)};
             }}),
    by_name);

}  // namespace recurrent_values_test
}  // namespace ampprof
