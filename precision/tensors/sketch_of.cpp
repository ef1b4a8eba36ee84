// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/sketch_of.h"

#include <ATen/ATen.h>

#include "precision/sketch/sketch.h"
#include "precision/tensors/dtype_of.h"
#include "precision/tensors/in_pieces.h"
#include "precision/tensors/line_up.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"

namespace ampprof::tensors {
namespace {

static_assert(kPiece % sketch::kBlock == 0);

at::Tensor in_order(const at::Tensor& tensor) { return tensor.resolve_conj().resolve_neg().contiguous(); }

void add_output(const at::Tensor& output, std::uint64_t start, Sketch& sketch) {
  if (!is_measurable(output)) {
    sketch.elements += output.numel();
    sketch.checksum += static_cast<std::int64_t>(sketch::combined(start, checksum_of(output)));
    return;
  }
  const at::Tensor values = in_order(output);
  const error::Elements all = elements(values);
  const auto parts = in_pieces<Sketch>(all.size, [&](Sketch& part, std::size_t first, std::size_t size) {
    sketch::add(all.part(first, size), start + first, part);
  });
  for (const Sketch& part : parts) sketch::merge(sketch, part);
}

std::uint64_t rounded_up(std::uint64_t place) { return (place + sketch::kBlock - 1) / sketch::kBlock * sketch::kBlock; }

}  // namespace

std::optional<Sketch> sketch_of(const std::vector<at::Tensor>& outputs) {
  const ObserverDisabledGuard guard;
  Sketch sketch;
  std::uint64_t start = 0;
  for (const at::Tensor& output : outputs) {
    if (!output.defined()) continue;
    if (!has_plain_memory(output) || !output.is_cpu()) return std::nullopt;
    const std::int64_t before = sketch.elements;
    add_output(output, start, sketch);
    start = rounded_up(start + static_cast<std::uint64_t>(sketch.elements - before));
  }
  return sketch;
}

std::uint64_t checksum_of(const at::Tensor& tensor) {
  if (!has_plain_memory(tensor) || !tensor.is_cpu()) return 0;
  const ObserverDisabledGuard guard;
  const at::Tensor values = in_order(tensor);
  const auto bytes_each = static_cast<std::size_t>(values.itemsize());
  const auto* const data = static_cast<const std::byte*>(values.const_data_ptr());
  const auto parts = in_pieces<std::uint64_t>(
      static_cast<std::size_t>(values.numel()), [&](std::uint64_t& part, std::size_t first, std::size_t size) {
        part = sketch::checksum_of(data + first * bytes_each, size, bytes_each, first);
      });
  std::uint64_t sum = 0;
  for (const std::uint64_t part : parts) sum += part;
  return sum;
}

}  // namespace ampprof::tensors
