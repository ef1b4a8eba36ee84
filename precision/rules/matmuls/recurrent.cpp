// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/matmuls/recurrent.h"

#include <algorithm>
#include <array>
#include <span>

namespace ampprof::rules {
namespace {

struct Recurrent {
  std::string_view op;
  std::int64_t gates;  ///< a weight has gates x hidden rows; 0 if only the weights show the number
  std::size_t states;  ///< state tensors between input and weights; 0 if the weights come first
  double passes = 1;   ///< 2 for a backward: gradients of inputs and of weights
};

constexpr std::array kRecurrent{
    Recurrent{"lstm", 4, 2},
    Recurrent{"gru", 3, 1},
    Recurrent{"rnn_tanh", 1, 1},
    Recurrent{"rnn_relu", 1, 1},
    Recurrent{"lstm_cell", 4, 2},
    Recurrent{"gru_cell", 3, 1},
    Recurrent{"rnn_tanh_cell", 1, 1},
    Recurrent{"rnn_relu_cell", 1, 1},
    Recurrent{"_cudnn_rnn", 0, 0},
    Recurrent{"mkldnn_rnn_layer", 0, 0},
    Recurrent{"_cudnn_rnn_backward", 0, 0, 2},
    Recurrent{"mkldnn_rnn_layer_backward", 0, 0, 2},
};

enum Size : std::size_t { kHidden, kInput, kBatch };

/// Sizes from the argument list: [steps, batch, input] or packed [steps of all sequences, input]. Weights come in
/// pairs, input-hidden [gates x hidden, width] and hidden-hidden [gates x hidden, hidden], one pair per layer and
/// direction.
struct Arguments {
  std::int64_t gates, hidden, input, batch;
  double steps;
  std::vector<std::int64_t> widths;  ///< input width of each pair of weights
};

bool is_matrix(const TensorInfo& tensor) { return tensor.shape.size() == 2 && std::ranges::min(tensor.shape) > 0; }

/// Returns the widths of the input-hidden weights. In an LSTM with projection, a weight [projected, hidden] follows
/// each pair.
std::vector<std::int64_t> widths_of(const Signature& signature, std::size_t first, std::int64_t rows) {
  std::vector<std::int64_t> widths;
  bool is_second = false;
  for (std::size_t i = first; i < signature.tensors.size(); ++i) {
    const auto& tensor = signature.tensors[i];
    if (!is_matrix(tensor) || tensor.shape[0] != rows) continue;
    if (!is_second) widths.push_back(tensor.shape[1]);
    is_second = !is_second;
  }
  return widths;
}

struct Places {
  std::size_t state, weights;
};

std::optional<Places> places_in(const Recurrent& recurrent, const Signature& signature) {
  const auto& tensors = signature.tensors;
  if (recurrent.states > 0) {
    // The second tensor of a packed sequence holds the batch sizes.
    const std::size_t state = tensors.size() > 1 && tensors[1].dtype == DType::Int64 ? 2 : 1;
    return Places{state, state + recurrent.states};
  }
  const auto is_state = [](const TensorInfo& tensor) { return tensor.shape.size() == 3; };
  const auto state =
      std::find_if(tensors.begin() + std::min<std::ptrdiff_t>(1, std::ssize(tensors)), tensors.end(), is_state);
  if (state == tensors.end()) return std::nullopt;
  return Places{static_cast<std::size_t>(state - tensors.begin()), 1};
}

bool are_positive(const std::vector<std::int64_t>& shape) { return shape.size() > 1 && std::ranges::min(shape) > 0; }

std::optional<Arguments> arguments_of(const Recurrent& recurrent, const Signature& signature) {
  const auto& tensors = signature.tensors;
  const auto places = places_in(recurrent, signature);
  if (!places || tensors.size() < places->weights + 2) return std::nullopt;
  const auto& input = tensors[0].shape;
  const auto& state = tensors[places->state].shape;
  const TensorInfo& weight = tensors[places->weights];
  const TensorInfo& recurrent_weight = tensors[places->weights + 1];
  if (!are_positive(input) || !are_positive(state) || !is_matrix(weight) || !is_matrix(recurrent_weight)) {
    return std::nullopt;
  }
  const std::int64_t rows = weight.shape[0];
  const std::int64_t gates = recurrent.gates > 0 ? recurrent.gates : rows / recurrent_weight.shape[1];
  if (gates < 1 || rows % gates != 0) return std::nullopt;
  const std::int64_t batch = state[state.size() - 2];
  double rows_of_input = 1;
  for (const std::int64_t size : std::span(input).first(input.size() - 1)) rows_of_input *= static_cast<double>(size);
  const double steps = rows_of_input / static_cast<double>(batch);
  return Arguments{gates, rows / gates, input.back(), batch, steps, widths_of(signature, places->weights, rows)};
}

/// Counts multiplications: every weight is used in every step of every sequence.
void count_multiplications(Matmul& matmul, const Arguments& arguments, double passes) {
  const double steps = passes * arguments.steps;
  const auto gates = static_cast<double>(arguments.gates);
  for (const std::int64_t width : arguments.widths) {
    const bool is_first = width == arguments.input;
    const double times_hidden = static_cast<double>(width) / static_cast<double>(arguments.hidden);
    const Size other = is_first ? kInput : kHidden;
    const double times = gates * (is_first ? 1 : times_hidden);
    matmul.multiplications.push_back({steps * times, {kBatch, kHidden, other}});
    matmul.multiplications.push_back({steps * gates, {kBatch, kHidden, kHidden}});
    matmul.elements.push_back({passes * times, {kHidden, other}});
    matmul.elements.push_back({passes * gates, {kHidden, kHidden}});
    matmul.elements.push_back({steps * (is_first ? 1 : times_hidden), {kBatch, other}});
    matmul.elements.push_back({steps, {kBatch, kHidden}});
  }
  // The hidden-hidden matmuls run step by step; the input-hidden matmul may be one for all steps.
  if (passes == 1) matmul.output = OutputMatrix{{1, {kBatch}}, {gates, {kHidden}}, 1};
}

}  // namespace

std::optional<Matmul> matmul_of_recurrent(std::string_view op, const Signature& signature) {
  const auto* recurrent = std::ranges::find(kRecurrent, op, &Recurrent::op);
  if (recurrent == kRecurrent.end()) return std::nullopt;
  const auto arguments = arguments_of(*recurrent, signature);
  if (!arguments) return std::nullopt;
  Matmul matmul;
  matmul.kind = MatmulKind::Recurrent;
  matmul.alignable = {{"hidden", arguments->hidden}, {"input", arguments->input}, {"batch", arguments->batch}};
  matmul.dims = matmul.alignable;
  count_multiplications(matmul, *arguments, recurrent->passes);
  return matmul;
}

}  // namespace ampprof::rules
