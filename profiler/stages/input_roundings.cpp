// SPDX-License-Identifier: Apache-2.0
#include "profiler/stages/input_roundings.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>

#include "precision/replay/reference/arguments.h"
#include "precision/replay/variant/decisions.h"
#include "precision/replay/variant/index_limits.h"
#include "profiler/recorder/missing_notes.h"

namespace ampprof::profiler {
namespace {

/// Returns the pair with this output; null if the output was not compared.
const OutputPair* pair_of(const Call& call, const at::Tensor& output) {
  const auto found = std::ranges::find_if(call.pairs, [&](const auto& pair) { return pair.output.is_same(output); });
  return found == call.pairs.end() ? nullptr : &*found;
}

/// Returns whether the op may have rounded this output. True for any output on a GPU, whose values are not known yet.
/// False with --what-if, where the program itself does not round.
bool may_differ(const OutputPair& pair) { return pair.high.defined() && !pair.high.is_same(pair.output); }

bool are_integers(const at::Tensor& tensor) {
  return tensor.defined() && c10::isIntegralType(tensor.scalar_type(), /*includeBool=*/true);
}

bool is_among(const std::vector<at::Tensor>& tensors, const at::Tensor& one) {
  return std::ranges::any_of(tensors, [&](const at::Tensor& tensor) { return tensor.is_alias_of(one); });
}

/// Returns whether roundings of this call are followed. False for inference before a step in which loss impact is not
/// measured.
bool is_followed(const Call& call, const StepAhead& ahead) {
  return is_forward(call.phase) || (call.phase == Phase::Inference && ahead.has_impact);
}

/// Returns `own`, the integers that the op computes from `own_arguments`, if they differ from the program's `output`;
/// else an undefined tensor.
at::Tensor differing_integers(const Call& call, c10::ArrayRef<c10::IValue> received,
                              c10::ArrayRef<c10::IValue> own_arguments, const at::Tensor& output,
                              const at::Tensor& own) {
  if (!variant::has_own_integers(call.op, received, output)) return {};
  const c10::IValue self = reference::argument_named(call.op.schema(), own_arguments, "self");
  return variant::compare_choices(call.op, received, self.isTensor() ? self.toTensor() : at::Tensor(), output, own).own;
}

/// Drops trailing originals without values. An original of an integer result has values only if these differ from the
/// program's result. So after the last original with values, the result is the program's.
void end_at_last_choice(Originals& originals) {
  while (!originals.empty() && !originals.back().values.defined()) originals.pop_back();
}

/// Stands for the call site of an original into which several were merged, in a tensor with more than kMostCallSites.
constexpr std::int64_t kPooled = -1;

/// Merges the originals with the smallest call sites into one, until kMostCallSites are left.
void pool_first(Originals& originals) {
  if (originals.size() <= InputRoundings::kMostCallSites) return;
  const auto pooled = static_cast<std::ptrdiff_t>(originals.size() - InputRoundings::kMostCallSites);
  originals.front().made_by = kPooled;
  originals.erase(std::next(originals.begin()), std::next(originals.begin(), pooled + 1));
}

/// Adds the difference that the rounding at each call site makes in `output`. `high`: the result of the call in high
/// precision on the inputs as received.
void add_differences(const Originals& originals, const at::Tensor& output, const at::Tensor& high,
                     std::vector<InputRoundings::Difference>& differences) {
  for (std::size_t i = 0; i < originals.size(); ++i) {
    const auto& [made_by, values, is_decided] = originals[i];
    const at::Tensor& next = i + 1 < originals.size() ? originals[i + 1].values : high;
    const std::int64_t known = made_by == kPooled ? 0 : made_by;
    differences.push_back({{.output = output, .low = next, .high = values}, known, is_decided});
  }
}

}  // namespace

bool is_forward(Phase phase) { return phase == Phase::Forward || phase == Phase::Recompute; }

bool may_make_inputs(Phase phase) { return is_forward(phase) || phase == Phase::Inference; }

InputRoundings::InputRoundings(at::ScalarType precision, ImpactSink& impacts, ParameterFacts& parameters,
                               RoundedInputs& inputs, MissingNotes& missing)
    : precision_(precision), impacts_(impacts), parameters_(parameters), inputs_(inputs), missing_(missing) {}

InputRoundings::Kept InputRoundings::before(const Call& call) const {
  Kept kept;
  if (inputs_.empty()) return kept;
  bool takes_rounded = false;
  for_each_tensor(call.arguments(), [&](const at::Tensor& tensor) { takes_rounded |= inputs_.knows(tensor); });
  if (!takes_rounded) return kept;
  for (const at::Tensor& tensor : reference::tensors_in(reference::written_arguments(call.op, call.arguments()))) {
    if (tensor.defined() && inputs_.knows(tensor)) kept.written.push_back(tensor);
  }
  if (call.access.has_memory_budget) add_variations(call, kept);
  return kept;
}

void InputRoundings::add_variations(const Call& call, Kept& kept) const {
  const StepAhead ahead = impacts_.step_ahead();
  if (!is_followed(call, ahead)) return;
  inputs_.purge(ahead.step);
  std::vector<Originals> of_tensors;
  std::set<std::int64_t> call_sites;
  for (const at::Tensor& tensor : reference::tensors_in(call.arguments())) {
    of_tensors.push_back(originals_of(tensor, ahead.step));
    for (const Original& original : of_tensors.back()) call_sites.insert(original.made_by);
  }
  if (call_sites.empty()) return;
  kept.received = reference::save_call(call.op, call.stack, reference::CopyWritten::Always);
  for (const std::int64_t call_site : call_sites) {
    Variation variation{.made_by = call_site};
    auto originals = of_tensors.begin();
    for (const c10::IValue& received : kept.received.arguments) {
      variation.arguments.push_back(reference::change_tensors(received, [&](const at::Tensor& tensor) {
        const Original* const original = without(*originals++, call_site);
        if (original == nullptr) return tensor;
        variation.takes_integers |= are_integers(original->values);
        variation.is_decided |= original->is_decided || variation.takes_integers;
        return original->values;
      }));
    }
    kept.variations.push_back(std::move(variation));
  }
}

Originals InputRoundings::originals_of(const at::Tensor& tensor, const RoundedInputs::Step& step) const {
  Originals originals = tensor.defined() ? inputs_.originals_of(tensor, step) : Originals();
  if (originals.empty() || parameters_.name_of(tensor).empty()) return originals;
  inputs_.forget(tensor);  // a parameter: its rounding at initialization is not an error
  return {};
}

/// Runs the call again on each variation of its arguments. Returns the originals of each result, in the order of
/// `kept.variations`.
std::vector<Originals> InputRoundings::originals_of_results(const Call& call, Kept& kept) const {
  const std::vector<at::Tensor> results = reference::tensors_in(call.results());
  std::vector<Originals> originals(results.size());
  const bool are_floating = std::ranges::all_of(results, reference::is_floating);
  const auto convert = [&](const c10::Argument& argument, const c10::IValue& value) {
    return reference::in_precision(argument, value, precision_);
  };
  const std::vector<c10::IValue> received = kept.received.arguments;
  for (Variation& variation : kept.variations) {
    kept.received.arguments = variation.arguments;
    if (variation.takes_integers && !variant::indices_fit(call.op, received, variation.arguments)) return {};
    const reference::Replay again =
        reference::replay(call.op, kept.received, call.results(), convert,
                          are_floating ? reference::Results::Floating : reference::Results::All);
    for (std::size_t i = 0; i < again.outputs.size(); ++i) {
      at::Tensor own = again.outputs[i];
      if (!own.defined() || own.is_complex() || own.sizes() != results[i].sizes()) continue;
      if (are_integers(own)) own = differing_integers(call, received, variation.arguments, results[i], own);
      originals[i].push_back({variation.made_by, own, variation.is_decided});
    }
  }
  for (std::size_t i = 0; i < originals.size(); ++i) {
    end_at_last_choice(originals[i]);
    for (Original& original : originals[i]) {
      if (!original.values.defined()) original.values = results[i];
    }
  }
  return originals;
}

/// Repeats a call that computes integers from tensors in reduced precision, in high precision on the same inputs.
/// Returns the new integers if they differ from the program's; else an undefined tensor.
at::Tensor InputRoundings::recomputed_integers(const Call& call, std::size_t i) const {
  const std::vector<c10::IValue>& received = call.saved.arguments;
  const bool may_decide = !received.empty() && reference::any_reduced(received) && variant::decides(call.op, received);
  if (!may_decide) return {};
  const auto convert = [&](const c10::Argument& argument, const c10::IValue& value) {
    return reference::in_precision(argument, value, precision_);
  };
  const auto outputs = reference::replay(call.op, call.saved, call.results(), convert, reference::Results::All).outputs;
  const at::Tensor output = reference::tensors_in(call.results())[i];
  if (i >= outputs.size() || !outputs[i].defined() || outputs[i].sizes() != output.sizes()) return {};
  return differing_integers(call, received, received, output, outputs[i]);
}

/// Adds the call's own rounding of result `i` to `originals`, the result's originals, which are sorted by call site. If
/// the call is in a loop, its call site may already have an original, before the last one.
void InputRoundings::add_own_rounding(const Call& call, std::size_t i, Originals& originals) const {
  const at::Tensor output = reference::tensors_in(call.results())[i];
  const std::int64_t call_site = call.place.error_site;
  const bool is_floating = reference::is_floating(output);
  at::Tensor high;
  if (const OutputPair* const pair = pair_of(call, output); pair != nullptr && may_differ(*pair)) high = pair->high;
  if (are_integers(output) && impacts_.step_ahead().has_impact) high = recomputed_integers(call, i);
  if (!high.defined()) return;
  auto place = std::ranges::lower_bound(originals, call_site, {}, &Original::made_by);
  if (place == originals.end()) {
    originals.push_back({call_site, high, !is_floating});
  } else if (is_floating) {
    if (place->made_by != call_site) place = originals.insert(place, {call_site, place->values, place->is_decided});
    const at::Tensor own = output.detach().to(high.scalar_type()) - high;
    for (++place; place != originals.end(); ++place) place->values = place->values + own;
  }
}

void InputRoundings::note_pooled() const {
  missing_.note("loss impact of calls that no gradient reaches", "many of them rounded values of the same tensor",
                "the effect of the first rounding is in the rows of the calls that take the tensor as input");
}

std::vector<InputRoundings::Difference> InputRoundings::after(const Call& call, Kept kept) const {
  std::vector<Difference> differences;
  std::vector<at::Tensor> followed;
  const std::vector<at::Tensor> outputs = reference::tensors_in(call.results());
  std::vector<Originals> of_outputs =
      kept.variations.empty() ? std::vector<Originals>{} : originals_of_results(call, kept);
  of_outputs.resize(outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const at::Tensor& output = outputs[i];
    Originals& originals = of_outputs[i];
    if (!output.defined() || (inputs_.knows(output) && !is_among(kept.written, output))) continue;  // a view
    if (reference::is_floating(output) && (output.requires_grad() || call.thread.function.is_open)) {
      const OutputPair* const pair = pair_of(call, output);
      add_differences(originals, output, pair != nullptr && pair->high.defined() ? pair->high : output, differences);
      if (!originals.empty() && originals.front().made_by == kPooled) note_pooled();
    }
    if (output.requires_grad()) continue;
    const StepAhead ahead = impacts_.step_ahead();
    if (!is_followed(call, ahead)) continue;
    add_own_rounding(call, i, originals);
    if (originals.empty()) continue;
    pool_first(originals);
    inputs_.put(output, originals, ahead.step);
    followed.push_back(output);
  }
  for (const at::Tensor& tensor : kept.written) {
    if (!is_among(followed, tensor)) inputs_.forget(tensor);
  }
  return differences;
}

}  // namespace ampprof::profiler
