// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/measure.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstdint>

#include "precision/error/kernels.h"
#include "precision/tensors/as_contiguous_pair.h"
#include "precision/tensors/deferred_reductions.h"
#include "precision/tensors/dtype_of.h"
#include "precision/tensors/in_pieces.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"

namespace ampprof::tensors {
namespace {

error::OutputStatistics measure_part(const error::Elements& output, const std::optional<error::Elements>& reference,
                                     error::Spacing spacing, std::size_t start, std::size_t size) {
  const error::Elements part = output.part(start, size);
  return reference ? error::cpu::measure(part, reference->part(start, size), spacing)
                   : error::cpu::measure_ranges(part);
}

error::OutputStatistics measure_in_pieces(const error::Elements& output,
                                          const std::optional<error::Elements>& reference, error::Spacing spacing) {
  if (output.size <= kPiece) return measure_part(output, reference, spacing, 0, output.size);
  auto pieces = in_pieces<error::OutputStatistics>(
      output.size, [&](error::OutputStatistics& piece, std::size_t start, std::size_t size) {
        piece = measure_part(output, reference, spacing, start, size);
      });
  for (std::size_t i = 1; i < pieces.size(); ++i) pieces[0].merge(pieces[i]);
  return pieces[0];
}

}  // namespace

error::OutputStatistics measure(const at::Tensor& output, const at::Tensor& reference,
                                std::optional<error::Spacing> spacing) {
  if (DeferredReductions::serves(output)) {
    DeferredReductions results;
    return results.take(results.add(output, reference, spacing));
  }
  const ObserverDisabledGuard guard;
  const bool is_elsewhere = has_plain_memory(output) && !output.is_cpu();
  const ContiguousPair pair = as_contiguous_pair(is_elsewhere ? output.cpu() : output, reference);
  if (!pair.output.defined()) return {};
  const auto other = pair.reference.defined() ? std::optional(elements(pair.reference)) : std::nullopt;
  return measure_in_pieces(elements(pair.output), other, spacing.value_or(error::spacing_of(dtype_of(output))));
}

bool is_finite(const at::Tensor& output) {
  const ObserverDisabledGuard guard;
  const bool is_elsewhere = has_plain_memory(output) && !output.is_cpu();
  const ContiguousPair pair = as_contiguous_pair(is_elsewhere ? output.cpu() : output, at::Tensor());
  if (!pair.output.defined()) return true;
  const error::Elements values = elements(pair.output);
  const auto parts = in_pieces<std::uint8_t>(values.size, [&](std::uint8_t& part, std::size_t start, std::size_t size) {
    part = error::cpu::are_finite(values.part(start, size));
  });
  return std::ranges::find(parts, 0) == parts.end();
}

}  // namespace ampprof::tensors
