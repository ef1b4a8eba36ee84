// SPDX-License-Identifier: Apache-2.0
#include "precision/drift/sample.h"

#include <cstddef>
#include <numeric>

namespace ampprof::drift {
namespace {

/// Finalizer of splitmix64: the hashes of consecutive parts of a tensor are independent of each other.
std::uint64_t hash(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

}  // namespace

std::vector<std::int64_t> sample_indices(std::int64_t numel) {
  std::vector<std::int64_t> indices(static_cast<std::size_t>(std::min(numel, kSampleSize)));
  if (numel <= kSampleSize) {
    std::iota(indices.begin(), indices.end(), 0);
    return indices;
  }
  // Lengths of parts differ by at most one. The product numel * part would overflow for large tensors.
  const std::int64_t length = numel / kSampleSize;
  const std::int64_t longer = numel % kSampleSize;
  std::int64_t begin = 0;
  for (std::int64_t part = 0; part < kSampleSize; ++part) {
    const std::int64_t own = length + (part < longer ? 1 : 0);
    const auto key = static_cast<std::uint64_t>(part + 1) * 0x9E3779B97F4A7C15U;
    indices[static_cast<std::size_t>(part)] =
        begin + static_cast<std::int64_t>(hash(key) % static_cast<std::uint64_t>(own));
    begin += own;
  }
  return indices;
}

std::vector<std::int64_t> memory_offsets(std::span<const std::int64_t> indices, std::span<const std::int64_t> sizes,
                                         std::span<const std::int64_t> strides) {
  std::vector<std::int64_t> offsets;
  offsets.reserve(indices.size());
  for (std::int64_t index : indices) {
    std::int64_t offset = 0;
    for (std::size_t dim = sizes.size(); dim-- > 0; index /= sizes[dim]) offset += index % sizes[dim] * strides[dim];
    offsets.push_back(offset);
  }
  return offsets;
}

}  // namespace ampprof::drift
