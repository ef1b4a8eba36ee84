// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ampprof::drift {

/// Number of elements followed per tensor. The standard error of a share p is sqrt(p (1 - p) / 1024), 1.6 % at most.
inline constexpr std::int64_t kSampleSize = 1024;

/// Returns which elements of a tensor of `numel` elements are followed, as ascending indices in logical order: all of
/// them, or one in each of kSampleSize parts of equal length, chosen by a hash. Depends only on `numel`, so that
/// samples of operands of one shape line up.
std::vector<std::int64_t> sample_indices(std::int64_t numel);

/// Turns logical indices into memory offsets of a tensor with these sizes and strides, both in elements.
std::vector<std::int64_t> memory_offsets(std::span<const std::int64_t> indices, std::span<const std::int64_t> sizes,
                                         std::span<const std::int64_t> strides);

}  // namespace ampprof::drift
