// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/tape/update_pieces.h"

#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "precision/replay/reference/arguments.h"
#include "precision/replay/tape/update_ops.h"

namespace ampprof::tape {
namespace {

constexpr std::int64_t kElements = std::int64_t{1} << 15;  ///< per thread: ten such tensors fit into the L2 cache

bool is_pointwise(const c10::OperatorHandle& op) {
  const auto twin = twin_without_writing(op);
  return (twin ? *twin : op).hasTag(at::Tag::pointwise);
}

/// Tests whether a call treats each element alike: all tensors have one shape, or are constants of one element.
/// `elements` is the required number of elements per tensor; if empty, any number is allowed.
class SameToEach {
 public:
  SameToEach(const Tape& tape, std::optional<std::int64_t> elements)
      : tape_(tape), wanted_(elements), by_slot_(elements_by_slot(tape)) {}

  bool holds_for(const TapedCall& call) {
    shape_.clear();
    elements_ = wanted_.value_or(elements_of(call));
    return is_pointwise(call.op) &&
           std::ranges::all_of(call.sources, [&](const Source& source) { return fits(source); }) &&
           std::ranges::all_of(call.results, [&](const Result& result) {
             return result.slot < 0 || (result.elements == elements_ && fits(result.place));
           });
  }

 private:
  /// Returns the number of elements of the first tensor that is not a constant.
  std::int64_t elements_of(const TapedCall& call) const {
    const auto is_found = [](const Source& source) { return source.slot >= 0; };
    const auto first = std::ranges::find_if(call.sources, is_found);
    return first == call.sources.end() ? 0 : by_slot_[static_cast<std::size_t>(first->slot)];
  }

  bool fits(const Source& source) {
    if (source.constant >= 0) {
      const at::Tensor& tensor = tape_.constants()[static_cast<std::size_t>(source.constant)].tensor;
      const bool is_whole = tensor.numel() == elements_ && tensor.is_contiguous();
      return tensor.numel() == 1 || (is_whole && has_shape(tensor.sizes().vec()));
    }
    if (source.slot < 0) return true;
    const bool is_whole = by_slot_[static_cast<std::size_t>(source.slot)] == elements_ && fills(elements_, source);
    return is_whole && has_shape(source.sizes);
  }

  bool has_shape(const std::vector<std::int64_t>& sizes) {
    if (shape_.empty()) shape_ = sizes;
    return sizes == shape_;
  }

  const Tape& tape_;
  const std::optional<std::int64_t> wanted_;
  const std::vector<std::int64_t> by_slot_;
  std::int64_t elements_ = 0;        ///< elements of the call's tensors
  std::vector<std::int64_t> shape_;  ///< shape of the call's tensors
};

/// Tells whether a call treats each tensor of a list alike, like foreach and fused optimizers, and uses no number that
/// the tape computed.
bool does_same_to_lists(const TapedCall& call) {
  const std::string_view name = call.op.operator_name().name;
  const bool is_reduction = name == "aten::_foreach_norm" || name == "aten::_foreach_max";
  if (is_reduction || !(name.starts_with("aten::_foreach_") || name.starts_with("aten::_fused_"))) return false;
  bool is_by_constants = true;
  std::size_t next = 0;
  for (const c10::IValue& argument : call.arguments) {
    reference::visit_tensors(argument, [&](const at::Tensor&) {
      const bool is_found = call.sources[next++].slot >= 0;
      is_by_constants = is_by_constants && (argument.isTensorList() || !is_found);
    });
  }
  return is_by_constants;
}

template <typename Holds>
bool holds_for_needed(const Tape& tape, int slot, Holds holds) {
  const std::vector<bool> is_needed = needed_calls(tape, {slot});
  for (std::size_t i = 0; i < is_needed.size(); ++i) {
    if (is_needed[i] && !holds(tape.calls()[i])) return false;
  }
  return true;
}

}  // namespace

bool does_same_to_each(const Tape& tape, int slot) {
  SameToEach same(tape, std::nullopt);
  return holds_for_needed(tape, slot,
                          [&](const TapedCall& call) { return does_same_to_lists(call) || same.holds_for(call); });
}

std::vector<Piece> pieces_of(const Tape& tape, int slot) {
  const std::int64_t elements = elements_by_slot(tape)[static_cast<std::size_t>(slot)];
  const std::int64_t at_a_time = kElements * at::get_num_threads();
  if (elements < 2 * at_a_time) return {};
  SameToEach same(tape, elements);
  if (!holds_for_needed(tape, slot, [&](const TapedCall& call) { return same.holds_for(call); })) return {};
  std::vector<Piece> pieces;
  for (std::int64_t first = 0; first < elements; first += at_a_time) {
    pieces.push_back({elements, first, std::min(at_a_time, elements - first)});
  }
  return pieces;
}

}  // namespace ampprof::tape
