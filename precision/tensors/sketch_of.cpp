// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/sketch_of.h"

#include <ATen/ATen.h>

#include "precision/sketch/sketch.h"
#include "precision/tensors/as_contiguous_pair.h"
#include "precision/tensors/dtype_of.h"
#include "precision/tensors/in_pieces.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"

namespace ampprof::tensors {
namespace {

static_assert(kPiece % sketch::kBlock == 0);

}  // namespace

at::Tensor in_order(const at::Tensor& tensor) { return tensor.resolve_conj().resolve_neg().contiguous(); }

bool has_sums(const at::Tensor& output) { return is_measurable(output) && dtype_of(output) != DType::Unknown; }

Sketch sketch_of(const at::Tensor& output, std::uint64_t start) {
  const ObserverDisabledGuard guard;
  const at::Tensor values = in_order(output);
  const error::Elements all = elements(values);
  const auto parts = in_pieces<Sketch>(all.size, [&](Sketch& part, std::size_t first, std::size_t size) {
    sketch::add(all.part(first, size), start + first, part);
  });
  Sketch sketch;
  for (const Sketch& part : parts) sketch::merge(sketch, part);
  return sketch;
}

std::vector<std::uint64_t> places_of(const std::vector<at::Tensor>& outputs) {
  std::vector<std::uint64_t> places;
  std::uint64_t next = 0;
  for (const at::Tensor& output : outputs) {
    places.push_back(next);
    const std::uint64_t size = output.defined() ? static_cast<std::uint64_t>(output.numel()) : 0;
    next += (size + sketch::kBlock - 1) / sketch::kBlock * sketch::kBlock;
  }
  return places;
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
