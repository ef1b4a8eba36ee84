// SPDX-License-Identifier: Apache-2.0
#include "profiler/gradient_impact/gradient_replay.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <exception>
#include <set>
#include <utility>

#include "precision/replay/reference/failure.h"
#include "precision/replay/reference/reference.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"
#include "precision/torch_hooks/tensor_memory.h"
#include "profiler/gradient_impact/rounded_backward.h"
#include "profiler/torch_hooks/backward_pass.h"
#include "profiler/torch_hooks/guarded.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

/// Runs `work` on a tape. If `work` throws, marks the tape as unusable.
template <typename Work>
void on_tape(tape::Tape& tape, Work&& work) {
  try {
    work();
  } catch (const std::exception& error) {
    tape.give_up(reference::reason_of(error));
  }
}

}  // namespace

/// Tapes the ops that gradients flow through, and hooks the nodes that they make. After a backward pass it also tapes
/// the ops between gradients and weights.
class GradientReplay::TapeRecorder final : public LeafObserver {
 public:
  explicit TapeRecorder(GradientReplay& step) : step_(step) {}

  std::unique_ptr<LeafCall> before(const c10::OperatorHandle& op, const torch::jit::Stack& stack) override {
    std::optional<tape::TapedCall> prepared = prepare(op, stack);
    if (!prepared) return nullptr;
    return when_leaf_ends([this, call = *std::move(prepared)](c10::ArrayRef<c10::IValue> results) mutable {
      add(std::move(call), results);
    });
  }

  void failed(const c10::OperatorHandle& /*op*/, const std::string& why, c10::ArrayRef<c10::IValue>) override {
    const std::lock_guard lock(step_.mutex_);
    step_.forward_.give_up(why);
    if (step_.update_) step_.update_->give_up(why);
  }

 private:
  std::optional<tape::TapedCall> prepare(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
    const std::lock_guard lock(step_.mutex_);
    std::optional<tape::TapedCall> prepared;
    if (step_.update_) on_tape(*step_.update_, [&] { prepared = step_.update_->prepare(op, stack); });
    if (prepared || !is_taped_forward()) return prepared;
    if (step_.options_.through_functions) meet_outputs_of_functions(op, stack);
    const std::size_t known = step_.forward_.inputs().size();
    on_tape(step_.forward_, [&] { prepared = step_.forward_.prepare(op, stack); });
    if (prepared) prepared->first_node = next_sequence_number();
    for (std::size_t i = known; i < step_.forward_.inputs().size(); ++i) {
      step_.errors_.add_leaf(step_.forward_.inputs()[i].tensor.unsafeGetTensorImpl(), i);
    }
    return prepared;
  }

  void add(tape::TapedCall prepared, c10::ArrayRef<c10::IValue> returned) {
    const std::lock_guard lock(step_.mutex_);
    if (prepared.tape != &step_.forward_) {
      if (step_.update_) on_tape(*step_.update_, [&] { step_.update_->add(std::move(prepared), returned); });
      return;
    }
    on_tape(step_.forward_, [&] {
      const std::size_t call = step_.forward_.add(std::move(prepared), returned);
      watch_nodes(call, reference::tensors_in(returned));
    });
  }

  bool is_taped_forward() const {
    return c10::GradMode::is_enabled() || (step_.options_.through_functions && !step_.update_);
  }

  /// Finds arguments that a custom autograd function computed with grad mode off, and to which it attached its node
  /// when its forward ended.
  void meet_outputs_of_functions(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
    for (const c10::IValue& argument : torch::jit::last(stack, op.schema().arguments().size())) {
      reference::visit_tensors(argument, [&](const at::Tensor& tensor) {
        const GraphPlace where = tensor.defined() ? place_in_graph(tensor) : GraphPlace();
        if (where.node == nullptr || step_.errors_.made_at(where)) return;
        const auto maker = tape::maker_of(step_.forward_, tensor);
        if (!maker) return;
        step_.errors_.made(tensor, *maker);
        watch(where.node);
      });
    }
  }

  void watch_nodes(std::size_t call, const std::vector<at::Tensor>& results) {
    std::set<const void*> nodes;
    for (std::size_t k = 0; k < results.size(); ++k) {
      if (!results[k].defined()) continue;
      step_.errors_.made(results[k], {call, k});
      for (const void* node : nodes_behind(results[k], step_.forward_.calls()[call].first_node)) nodes.insert(node);
    }
    for (const void* node : nodes) watch(node);
  }

  void watch(const void* node) {
    step_.errors_.watches(node);
    when_node_ends(node, [weak = step_.weak_from_this()](const void* ended, const auto& outputs) {
      guarded(FaultPlace::MeetGradient, [&] {
        if (const auto step = weak.lock()) step->errors_.node_ended(ended, outputs);
      });
    });
  }

  GradientReplay& step_;
};

GradientReplay::GradientState GradientReplay::GradientState::of(const at::Tensor& leaf) {
  const at::Tensor& gradient = leaf.grad();
  if (!gradient.defined()) return {};
  return {gradient.unsafeGetTensorImpl(), torch_hooks::version_of(gradient)};
}

GradientReplay::GradientReplay(std::int64_t segment, const TapeOptions& options, KnownParameters parameters,
                               NamedGradients before)
    : segment_(segment),
      options_(options),
      parameters_(std::move(parameters)),
      before_(std::move(before)),
      forward_(options.precision, tape::Identity::Tensor, parameters_.master_of),
      tape_recorder_(std::make_unique<TapeRecorder>(*this)),
      errors_(options.error_bytes),
      numbers_(std::make_shared<DeferredScalars>(options.results)) {
  for (std::size_t i = 0; i < options.runs; ++i) rounded_backward_.push_back(std::make_unique<RoundedBackward>());
}

GradientReplay::~GradientReplay() = default;

LeafObserver* GradientReplay::tape_recorder() {
  const std::lock_guard lock(mutex_);
  const bool is_of_use = c10::GradMode::is_enabled() || update_ || options_.through_functions;
  return is_of_use && !in_backward_ ? tape_recorder_.get() : nullptr;
}

void GradientReplay::backward_begun(const std::vector<BackwardRoot>& roots, double scale) {
  const std::lock_guard lock(mutex_);
  in_backward_ = true;
  if (update_ && !update_->calls().empty()) forward_.give_up("gradients were changed between two backward passes");
  if (!roots_.empty() && scale != scale_) forward_.give_up("losses of one step have different loss scales");
  scale_ = scale;
  update_.reset();
  for (std::size_t i = gradients_before_.size(); i < forward_.inputs().size(); ++i) {
    gradients_before_.push_back(GradientState::of(forward_.inputs()[i].tensor));
  }
  for (const BackwardRoot& root : roots) {
    const auto place = errors_.made_at({.node = root.node, .output = root.output});
    if (!place) return forward_.give_up("a loss was not computed by an op of this step");
    roots_.push_back({forward_.calls()[place->call].results[place->output].slot, 1.0 / scale});
  }
}

void GradientReplay::backward_call(const void* node, ErrorSource source, const at::Tensor& output,
                                   const at::Tensor& error, c10::ArrayRef<c10::IValue> arguments) {
  errors_.add(node, source, output, error, arguments);
}

void GradientReplay::backward_matmul(const void* node, ErrorSource source, GradientProduct product) {
  errors_.will_be_run_again(source);
  const auto place = errors_.made_at({.node = node});
  if (!place) return errors_.add_at({}, source, {});
  rounded_backward_[source.run]->add(place->call, source, std::move(product));
}

void GradientReplay::backward_collective() {
  const std::lock_guard lock(mutex_);
  is_of_many_ranks_ = true;
}

void GradientReplay::backward_ended() {
  const std::lock_guard lock(mutex_);
  in_backward_ = false;
  CotangentErrors::pass_ended();
  compare_with_exact();
  if (roots_.empty() || !forward_.why_not().empty() || !errors_.any()) return;
  update_.emplace(options_.precision, tape::Identity::Memory);
  with_gradient_.clear();
  for (std::size_t i = 0; i < forward_.inputs().size(); ++i) {
    const at::Tensor& leaf = forward_.inputs()[i].tensor;
    const at::Tensor gradient = leaf.grad();
    // A gradient may be left over from another model's step: a step of the generator does not update the discriminator.
    if (!gradient.defined() || GradientState::of(leaf) == gradients_before_[i]) continue;
    if (!tensors::has_plain_memory(gradient)) return forward_.give_up("a gradient has no memory of its own");
    on_tape(*update_, [&] { update_->add_input(gradient); });
    with_gradient_.push_back(i);
  }
  save_exact_gradients();
}

/// Saves the shadow's gradients before the update unscales and clips them.
void GradientReplay::save_exact_gradients() {
  shadow_gradients_.clear();
  if (!parameters_.in_exact || options_.is_what_if) return;
  const tensors::ObserverDisabledGuard guard;
  std::vector<at::Tensor> found(forward_.inputs().size());
  for (const std::size_t i : with_gradient_) {
    const at::Tensor exact = parameters_.in_exact(forward_.inputs()[i].tensor.grad());
    if (!exact.defined() || reference::is_below(exact.scalar_type(), options_.precision)) return;
    found[i] = exact.div(scale_);
  }
  shadow_gradients_ = std::move(found);
}

bool GradientReplay::is_written(std::size_t input) const { return update_->source_of(weight_of(input)).has_value(); }

bool GradientReplay::is_updated() const {
  const std::lock_guard lock(mutex_);
  if (!update_ || update_->calls().empty()) return false;
  return std::ranges::all_of(with_gradient_, [&](std::size_t i) { return is_written(i); });
}

at::Tensor GradientReplay::weight_of(std::size_t input) const {
  const at::Tensor& parameter = forward_.inputs()[input].tensor;
  const at::Tensor master = parameters_.master_of ? parameters_.master_of(parameter) : at::Tensor();
  return master.defined() ? master : parameter;
}

std::string GradientReplay::why_not() const {
  if (!errors_.any()) return "";  // nothing was rounded
  return forward_.why_not_now();
}

bool GradientReplay::was_skipped() const {
  return !update_ || std::ranges::none_of(with_gradient_, [&](std::size_t i) { return is_written(i); });
}

/// Compares gradients with those of the exact shadow if the tape cannot run.
void GradientReplay::compare_with_exact() {
  if (forward_.why_not().empty() || !parameters_.pairs_with_exact || options_.is_what_if) return;
  const auto rows = std::make_shared<std::vector<GradientError>>();
  exact_of_step_ = compare_gradients(parameters_.pairs_with_exact(), scale_, segment_, before_, *numbers_,
                                     [rows](const GradientError& row) { rows->push_back(row); });
  comparison_with_shadow_ = rows;
}

}  // namespace ampprof::profiler
