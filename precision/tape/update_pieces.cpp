// SPDX-License-Identifier: Apache-2.0
#include "precision/tape/update_pieces.h"

#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>

#include "precision/tape/update_ops.h"

namespace ampprof::tape {
namespace {

constexpr std::int64_t kElements = std::int64_t{1} << 15;  ///< a thread: ten tensors of them fit the second-level cache

bool is_pointwise(const c10::OperatorHandle& op) {
  const auto twin = twin_without_writing(op);
  return (twin ? *twin : op).hasTag(at::Tag::pointwise);
}

/// Whether a call does the same to each of `elements` elements, on tensors of one shape and on constant numbers.
class SameToEach {
 public:
  SameToEach(const Tape& tape, std::int64_t elements)
      : tape_(tape), elements_(elements), by_slot_(elements_by_slot(tape)) {}

  bool holds_for(const TapedCall& call) {
    shape_.clear();
    return is_pointwise(call.op) &&
           std::ranges::all_of(call.sources, [&](const Source& source) { return fits(source); }) &&
           std::ranges::all_of(call.results, [&](const Result& result) {
             return result.slot < 0 || (result.elements == elements_ && fits(result.place));
           });
  }

 private:
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
  const std::int64_t elements_;
  const std::vector<std::int64_t> by_slot_;
  std::vector<std::int64_t> shape_;  ///< of the call's tensors
};

}  // namespace

bool does_same_to_each(const Tape& tape, int slot) {
  SameToEach same(tape, elements_by_slot(tape)[static_cast<std::size_t>(slot)]);
  const std::vector<bool> is_needed = needed_calls(tape, {slot});
  for (std::size_t i = 0; i < is_needed.size(); ++i) {
    if (is_needed[i] && !same.holds_for(tape.calls()[i])) return false;
  }
  return true;
}

std::vector<Piece> pieces_of(const Tape& tape, int slot) {
  const std::int64_t elements = elements_by_slot(tape)[static_cast<std::size_t>(slot)];
  const std::int64_t at_a_time = kElements * at::get_num_threads();
  if (elements < 2 * at_a_time || !does_same_to_each(tape, slot)) return {};
  std::vector<Piece> pieces;
  for (std::int64_t first = 0; first < elements; first += at_a_time) {
    pieces.push_back({elements, first, std::min(at_a_time, elements - first)});
  }
  return pieces;
}

}  // namespace ampprof::tape
