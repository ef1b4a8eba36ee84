// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/call_sketch.h"

#include "precision/sketch/sketch.h"
#include "precision/tensors/sketch_of.h"

namespace ampprof::tensors {
namespace {

/// Returns the sketch of an integer output, which has only a checksum. Includes `start`, since the checksum of every
/// such output begins at index 0.
Sketch sketch_of_bits(std::uint64_t checksum, std::uint64_t start) {
  return {.checksum = static_cast<std::int64_t>(sketch::combined(start, checksum))};
}

}  // namespace

void CallSketch::add_input(const Checksum& checksum) {
  if (later_inputs_.empty() && checksum.is_here()) {
    inputs_ = sketch::combined(inputs_, checksum.value());
  } else {
    later_inputs_.push_back(checksum);
  }
}

Checksum CallSketch::add_output(const at::Tensor& output, std::uint64_t start, DeferredReductions* later,
                                PendingSketch made) {
  const bool sums = has_sums(output);
  if (later != nullptr) {
    if (!made) made = sums ? later->add_sketch(output, start) : later->add_checksum(output);
    here_.elements += output.numel();
    later_outputs_.push_back({made, sums, start});
    return Checksum(std::move(made));
  }
  if (sums) {
    const Sketch sketch = sketch_of(output, start);
    sketch::merge(here_, sketch);
    return Checksum(static_cast<std::uint64_t>(sketch.checksum));
  }
  const std::uint64_t checksum = checksum_of(output);
  here_.elements += output.numel();
  sketch::merge(here_, sketch_of_bits(checksum, start));
  return Checksum(checksum);
}

Sketch CallSketch::value() const {
  Sketch whole = here_;
  std::uint64_t inputs = inputs_;
  for (const Checksum& input : later_inputs_) inputs = sketch::combined(inputs, input.value());
  whole.inputs = static_cast<std::int64_t>(inputs);
  for (const Part& part : later_outputs_) {
    const auto checksum = static_cast<std::uint64_t>(part.sketch->checksum);
    sketch::merge(whole, part.has_sums ? *part.sketch : sketch_of_bits(checksum, part.start));
  }
  return whole;
}

}  // namespace ampprof::tensors
