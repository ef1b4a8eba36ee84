// SPDX-License-Identifier: Apache-2.0
#include "profiler/torch_hooks/cast_operands.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>

#include "precision/replay/reference/arguments.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "profiler/torch_hooks/guarded.h"

namespace ampprof::profiler {
namespace {

using torch::autograd::Edge;
using torch::autograd::Node;
using torch::autograd::variable_list;

struct Candidate {
  at::Tensor operand;
  Edge edge;  ///< the edge to which the gradient of the operand flows
};

std::vector<Candidate> candidates_among(c10::ArrayRef<c10::IValue> arguments) {
  std::vector<Candidate> candidates;
  const auto add = [&](const at::Tensor& tensor) {
    if (!tensor.defined() || !tensor.requires_grad() || !tensor.is_floating_point()) return;
    const bool is_known =
        std::ranges::any_of(candidates, [&](const Candidate& other) { return other.operand.is_same(tensor); });
    if (!is_known) candidates.push_back({tensor, torch::autograd::impl::gradient_edge(tensor)});
  };
  for (const c10::IValue& argument : arguments) reference::visit_tensors(argument, add);
  return candidates;
}

/// The candidate to which an edge leads, and the type of that operand inside the call.
struct Reached {
  const Candidate* candidate = nullptr;  ///< null if the edge leads to no candidate
  at::ScalarType type = at::kFloat;
};
using Reach = Reached (*)(const Edge& edge, const std::vector<Candidate>& candidates);

/// Returns the candidate that the node of the edge casts to a smaller type; null if the node is not such a cast.
Reached reach_by_cast(const Edge& edge, const std::vector<Candidate>& candidates) {
  const Node& node = *edge.function;
  if (node.num_outputs() != 1 || node.num_inputs() != 1) return {};
  const auto found = std::ranges::find(candidates, node.next_edge(0), &Candidate::edge);
  if (found == candidates.end() || node.name() != "ToCopyBackward0") return {};
  const auto type = node.input_metadata(0).dtype();
  if (type.itemsize() >= found->operand.dtype().itemsize()) return {};
  return {&*found, c10::typeMetaToScalarType(type)};
}

Reached reach_itself(const Edge& edge, const std::vector<Candidate>& candidates) {
  const auto found = std::ranges::find(candidates, edge, &Candidate::edge);
  if (found == candidates.end()) return {};
  return {&*found, found->operand.scalar_type()};
}

/// Walks the autograd nodes of one call, and collects the edges that lead to candidates.
class Walk {
 public:
  Walk(const Node& last, std::uint64_t first_node, std::vector<Candidate> candidates, Reach reach)
      : thread_(last.thread_id()), first_node_(first_node), candidates_(std::move(candidates)), reach_(reach) {}

  void visit(const NodePointer& root) {
    std::vector<NodePointer> open{root};
    std::unordered_set<const Node*> seen{root.get()};
    while (!open.empty()) {
      const NodePointer node = std::move(open.back());
      open.pop_back();
      for (std::size_t i = 0; i < node->num_outputs(); ++i) {
        const NodePointer& next = node->next_edge(i).function;
        if (next == nullptr || add_if_operand(node, i)) continue;
        if (is_of_call(*next) && seen.insert(next.get()).second) open.push_back(next);
      }
    }
  }

  std::vector<CastOperand> take() { return std::move(found_); }

 private:
  /// Returns whether the call made this node. Sequence numbers count per thread, so the threads must also be equal.
  bool is_of_call(const Node& node) const {
    return node.thread_id() == thread_ && node.sequence_nr() >= first_node_ && node.sequence_nr() != UINT64_MAX;
  }

  bool add_if_operand(const NodePointer& node, std::size_t output) {
    const auto [candidate, type] = reach_(node->next_edge(output), candidates_);
    if (candidate == nullptr) return false;
    const at::Tensor& operand = candidate->operand;
    const auto is_it = [&](const CastOperand& cast) { return cast.operand.is_same(operand); };
    auto known = std::ranges::find_if(found_, is_it);
    if (known == found_.end()) known = found_.insert(found_.end(), CastOperand{operand, type, {}});
    known->places.push_back({node, output});
    return true;
  }

  std::uint64_t thread_;
  std::uint64_t first_node_;
  std::vector<Candidate> candidates_;
  Reach reach_;
  std::vector<CastOperand> found_;
};

/// Sums the gradients of one operand over its edges. Needs no lock: the nodes of a call are on one device, so one
/// thread evaluates them.
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

  /// Does nothing, so that a compiled backward runs without the hook.
  void compiled_args(torch::dynamo::autograd::CompiledNodeArgs&) const override {}

 private:
  std::shared_ptr<GradientOfUse> use_;
  std::size_t output_;
};

std::vector<CastOperand> operands_behind(const at::Tensor& output, std::uint64_t first_node,
                                         c10::ArrayRef<c10::IValue> arguments, Reach reach) {
  const NodePointer& root = output.grad_fn();
  if (root == nullptr || root->sequence_nr() < first_node) return {};
  std::vector<Candidate> candidates = candidates_among(arguments);
  if (candidates.empty()) return {};
  Walk walk(*root, first_node, std::move(candidates), reach);
  walk.visit(root);
  return walk.take();
}

}  // namespace

std::vector<CastOperand> cast_operands(const at::Tensor& output, std::uint64_t first_node,
                                       c10::ArrayRef<c10::IValue> arguments) {
  return operands_behind(output, first_node, arguments, reach_by_cast);
}

std::vector<CastOperand> operands_of_call(const at::Tensor& output, std::uint64_t first_node,
                                          c10::ArrayRef<c10::IValue> arguments) {
  return operands_behind(output, first_node, arguments, reach_itself);
}

std::vector<CastOperand> operands_of_op(const at::Tensor& output, c10::ArrayRef<c10::IValue> arguments) {
  const NodePointer& root = output.grad_fn();
  return root == nullptr ? std::vector<CastOperand>{} : operands_of_call(output, root->sequence_nr(), arguments);
}

void when_gradient_comes(const CastOperand& operand, std::function<void(const at::Tensor&)> arrived) {
  const auto use = std::make_shared<GradientOfUse>(GradientOfUse{operand.places.size(), std::move(arrived)});
  for (const CastOperand::GraphEdge& place : operand.places) {
    place.node->add_post_hook(std::make_unique<OperandHook>(use, place.output));
  }
}

}  // namespace ampprof::profiler
