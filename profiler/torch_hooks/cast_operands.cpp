// SPDX-License-Identifier: Apache-2.0
#include "profiler/torch_hooks/cast_operands.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/calls/call.h"
#include "profiler/faults/guarded.h"

namespace ampprof::profiler {
namespace {

using torch::autograd::Edge;
using torch::autograd::Node;
using torch::autograd::variable_list;

struct Candidate {
  at::Tensor operand;
  Edge edge;  ///< that its gradients flow into
};

std::vector<Candidate> candidates_among(c10::ArrayRef<c10::IValue> arguments) {
  std::vector<Candidate> candidates;
  for_each_tensor(arguments, [&](const at::Tensor& tensor) {
    const bool is_known =
        std::ranges::any_of(candidates, [&](const Candidate& other) { return other.operand.is_same(tensor); });
    if (is_known || !tensor.requires_grad() || !tensor.is_floating_point()) return;
    candidates.push_back({tensor, torch::autograd::impl::gradient_edge(tensor)});
  });
  return candidates;
}

/// Returns the candidate that this node casts to a smaller type; null where it is no such cast.
const Candidate* cast_by(const Node& node, const std::vector<Candidate>& candidates) {
  if (node.num_outputs() != 1 || node.num_inputs() != 1) return nullptr;
  const auto found = std::ranges::find(candidates, node.next_edge(0), &Candidate::edge);
  if (found == candidates.end() || node.name() != "ToCopyBackward0") return nullptr;
  const bool is_smaller = node.input_metadata(0).dtype().itemsize() < found->operand.dtype().itemsize();
  return is_smaller ? &*found : nullptr;
}

/// Walks the nodes of one call.
class Walk {
 public:
  Walk(const Node& last, std::uint64_t first_node, std::vector<Candidate> candidates)
      : thread_(last.thread_id()), first_node_(first_node), candidates_(std::move(candidates)) {}

  void visit(const std::shared_ptr<Node>& root) {
    std::vector<std::shared_ptr<Node>> open{root};
    std::unordered_set<const Node*> seen{root.get()};
    while (!open.empty()) {
      const std::shared_ptr<Node> node = std::move(open.back());
      open.pop_back();
      for (std::size_t i = 0; i < node->num_outputs(); ++i) {
        const std::shared_ptr<Node>& next = node->next_edge(i).function;
        if (next == nullptr || add_if_cast(node, i, *next)) continue;
        if (is_of_call(*next) && seen.insert(next.get()).second) open.push_back(next);
      }
    }
  }

  std::vector<CastOperand> take() { return std::move(found_); }

 private:
  /// Numbers are of a thread.
  bool is_of_call(const Node& node) const {
    return node.thread_id() == thread_ && node.sequence_nr() >= first_node_ && node.sequence_nr() != UINT64_MAX;
  }

  bool add_if_cast(const std::shared_ptr<Node>& node, std::size_t output, const Node& next) {
    const Candidate* candidate = cast_by(next, candidates_);
    if (candidate == nullptr) return false;
    const auto is_it = [&](const CastOperand& cast) { return cast.operand.is_same(candidate->operand); };
    auto known = std::ranges::find_if(found_, is_it);
    if (known == found_.end()) {
      const at::ScalarType type = c10::typeMetaToScalarType(next.input_metadata(0).dtype());
      known = found_.insert(found_.end(), CastOperand{candidate->operand, type, {}});
    }
    known->places.push_back({node, output});
    return true;
  }

  std::uint64_t thread_;
  std::uint64_t first_node_;
  std::vector<Candidate> candidates_;
  std::vector<CastOperand> found_;
};

/// Adds up what comes for one operand. The nodes of a call are of one device, so one thread evaluates them.
struct GradientOfUse {
  std::size_t places;
  std::function<void(const at::Tensor&)> done;
  std::size_t arrived = 0;
  at::Tensor sum = {};

  void add(const at::Tensor& gradient) {
    const tensors::ObserverDisabledGuard guard;
    if (gradient.defined()) sum = sum.defined() ? at::add(sum, gradient) : gradient;
    if (++arrived < places) return;
    arrived = 0;
    if (const at::Tensor whole = std::exchange(sum, {}); whole.defined()) done(whole);
  }
};

class OperandHook : public torch::autograd::FunctionPostHook {
 public:
  OperandHook(std::shared_ptr<GradientOfUse> use, std::size_t output) : use_(std::move(use)), output_(output) {}

  variable_list operator()(const variable_list& outputs, const variable_list&) override {
    guarded(FaultPlace::MeetGradient, [&] {
      if (output_ < outputs.size()) use_->add(outputs[output_]);
    });
    return outputs;
  }

  /// A compiled backward runs without it.
  void compiled_args(torch::dynamo::autograd::CompiledNodeArgs&) const override {}

 private:
  std::shared_ptr<GradientOfUse> use_;
  std::size_t output_;
};

}  // namespace

std::vector<CastOperand> cast_operands(const at::Tensor& output, std::uint64_t first_node,
                                       c10::ArrayRef<c10::IValue> arguments) {
  const std::shared_ptr<Node>& root = output.grad_fn();
  if (root == nullptr || root->sequence_nr() < first_node) return {};
  std::vector<Candidate> candidates = candidates_among(arguments);
  if (candidates.empty()) return {};
  Walk walk(*root, first_node, std::move(candidates));
  walk.visit(root);
  return walk.take();
}

void when_gradient_comes(const CastOperand& operand, std::function<void(const at::Tensor&)> arrived) {
  const auto use = std::make_shared<GradientOfUse>(GradientOfUse{operand.places.size(), std::move(arrived)});
  for (const CastOperand::Place& place : operand.places) {
    place.node->add_post_hook(std::make_unique<OperandHook>(use, place.output));
  }
}

}  // namespace ampprof::profiler
