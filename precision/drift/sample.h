// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ampprof::drift {

/// The elements of a tensor that are followed. A standard error of a share p of them is sqrt(p (1 - p) / 1024): 1.6 %
/// at most.
inline constexpr std::int64_t kSampleSize = 1024;

/// Returns which elements of a tensor of `numel` elements are followed, as indices in logical order, ascending: all, or
/// one in each of kSampleSize parts of equal length, chosen by a hash. Depends on `numel` alone, so that the samples of
/// operands of one shape line up.
std::vector<std::int64_t> sample_indices(std::int64_t numel);

/// Turns logical indices into offsets in memory, both in elements, of a tensor of these sizes and strides.
std::vector<std::int64_t> memory_offsets(std::span<const std::int64_t> indices, std::span<const std::int64_t> sizes,
                                         std::span<const std::int64_t> strides);

}  // namespace ampprof::drift
