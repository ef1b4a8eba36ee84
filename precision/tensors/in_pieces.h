// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/Parallel.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ampprof::tensors {

/// Number of elements per piece. Pieces of a fixed size are merged in order, so that the result does not depend on the
/// number of threads.
inline constexpr std::size_t kPiece = std::size_t{1} << 18;

/// Calls `work(part, start, size)` for each piece of `size` elements, in parallel, and returns the parts in order.
template <typename Part, typename Work>
std::vector<Part> in_pieces(std::size_t size, Work work) {
  std::vector<Part> parts((size + kPiece - 1) / kPiece);
  at::parallel_for(0, static_cast<std::int64_t>(parts.size()), 1, [&](std::int64_t first, std::int64_t last) {
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
      work(parts[i], i * kPiece, std::min(kPiece, size - i * kPiece));
    }
  });
  return parts;
}

}  // namespace ampprof::tensors
