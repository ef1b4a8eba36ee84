// SPDX-License-Identifier: Apache-2.0
#include "profiler/stages/input_roundings.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "precision/replay/reference/arguments.h"

namespace ampprof::profiler {
namespace {

/// Returns the pair of this output; null where nothing compared it.
const OutputPair* pair_of(const Call& call, const at::Tensor& output) {
  const auto found = std::ranges::find_if(call.pairs, [&](const auto& pair) { return pair.output.is_same(output); });
  return found == call.pairs.end() ? nullptr : &*found;
}

/// Whether the op may have rounded this output: of one on a GPU nobody knows yet. With --what-if the program rounds
/// none.
bool may_differ(const OutputPair& pair) { return pair.high.defined() && !pair.high.is_same(pair.output); }

bool is_among(const std::vector<at::Tensor>& tensors, const at::Tensor& one) {
  return std::ranges::any_of(tensors, [&](const at::Tensor& tensor) { return tensor.is_alias_of(one); });
}

/// A validation that no step with impacts follows is not run again.
bool is_followed(const Call& call, const StepAhead& ahead) {
  return is_forward(call.phase) || (call.phase == Phase::Inference && ahead.has_impact);
}

}  // namespace

bool is_forward(Phase phase) { return phase == Phase::Forward || phase == Phase::Recompute; }

bool may_make_inputs(Phase phase) { return is_forward(phase) || phase == Phase::Inference; }

InputRoundings::InputRoundings(at::ScalarType precision, ImpactSink& impacts, ParameterFacts& parameters,
                               RoundedInputs& inputs)
    : precision_(precision), impacts_(impacts), parameters_(parameters), inputs_(inputs) {}

InputRoundings::Kept InputRoundings::before(const Call& call) const {
  Kept kept;
  if (inputs_.empty()) return kept;
  bool takes_rounded = false;
  for_each_tensor(call.arguments(), [&](const at::Tensor& tensor) { takes_rounded |= inputs_.knows(tensor); });
  if (!takes_rounded) return kept;
  for (const at::Tensor& tensor : reference::tensors_in(reference::written_arguments(call.op, call.arguments()))) {
    if (tensor.defined() && inputs_.knows(tensor)) kept.written.push_back(tensor);
  }
  if (call.access.has_memory_budget) kept.on_originals = on_originals(call);
  return kept;
}

std::optional<reference::SavedCall> InputRoundings::on_originals(const Call& call) const {
  const StepAhead ahead = impacts_.step_ahead();
  if (!is_followed(call, ahead)) return std::nullopt;
  inputs_.purge(ahead.step);
  bool has_originals = false;
  reference::SavedCall saved = reference::save_call(call.op, call.stack, reference::CopyWritten::Always);
  for (std::size_t i = 0; i < saved.arguments.size(); ++i) {
    // What is written was copied, and lies elsewhere.
    const std::vector<at::Tensor> tensors = reference::tensors_in(call.arguments()[i]);
    auto tensor = tensors.begin();
    saved.arguments[i] = reference::change_tensors(saved.arguments[i], [&](const at::Tensor& received) {
      const at::Tensor original = original_of(*tensor++, ahead.step);
      has_originals = has_originals || original.defined();
      return original.defined() ? original : received;
    });
  }
  if (!has_originals) return std::nullopt;
  return saved;
}

at::Tensor InputRoundings::original_of(const at::Tensor& tensor, const RoundedInputs::Step& step) const {
  const at::Tensor original = tensor.defined() ? inputs_.original_of(tensor, step) : at::Tensor();
  if (!original.defined() || parameters_.name_of(tensor).empty()) return original;
  inputs_.forget(tensor);  // a weight that was rounded when it was made
  return {};
}

std::vector<at::Tensor> InputRoundings::results_on_originals(const Call& call, const Kept& kept) const {
  if (!kept.on_originals) return {};
  return reference::replay(call.op, *kept.on_originals, call.results(),
                           [&](const c10::Argument& argument, const c10::IValue& value) {
                             return reference::in_precision(argument, value, precision_);
                           })
      .outputs;
}

std::vector<OutputPair> InputRoundings::after(const Call& call, const Kept& kept) const {
  std::vector<OutputPair> pairs;
  std::vector<at::Tensor> followed;
  const std::vector<at::Tensor> outputs = reference::tensors_in(call.results());
  std::vector<at::Tensor> originals = results_on_originals(call, kept);
  originals.resize(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const at::Tensor& output = outputs[i];
    at::Tensor& original = originals[i];
    if (!output.defined() || (inputs_.knows(output) && !is_among(kept.written, output))) continue;  // a view
    const OutputPair* const pair = pair_of(call, output);
    if (original.defined() && (output.requires_grad() || call.thread.function.is_open)) {
      pairs.push_back({output, pair != nullptr && pair->high.defined() ? pair->high : output, original});
    }
    if (!original.defined() && pair != nullptr && may_differ(*pair)) original = pair->high;
    if (output.requires_grad() || !original.defined()) continue;
    const StepAhead ahead = impacts_.step_ahead();
    if (!is_followed(call, ahead)) continue;
    inputs_.put(output, original, ahead.step);
    followed.push_back(output);
  }
  for (const at::Tensor& tensor : kept.written) {
    if (!is_among(followed, tensor)) inputs_.forget(tensor);
  }
  return pairs;
}

}  // namespace ampprof::profiler
