// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "precision/formats/types/elements.h"
#include "reports/records/sketch.h"

/// Sums that stand for a tensor, so that two runs can be compared without keeping tensors. Signs and places depend only
/// on the place of each element, so they are the same in every run and on every processor.
namespace ampprof::sketch {

/// Elements of one block share a hash. A part that is added separately must begin at a multiple of it.
inline constexpr std::size_t kBlock = kSketchSums;

/// Adds floating values to the sums of a sketch, and their bits to its checksum. `start` is the place of the first
/// among all elements of the call's outputs, a multiple of kBlock. Adding parts gives the same as adding the whole.
void add(const error::Elements& values, std::uint64_t start, Sketch& sketch);

/// Adds the sums of further elements.
void merge(Sketch& sketch, const Sketch& other);

/// Returns the checksum of `count` elements of 1, 2, 4 or 8 bytes each. Checksums of parts add up to that of the whole,
/// given the place of each first element.
std::uint64_t checksum_of(const void* data, std::size_t count, std::size_t bytes_each, std::uint64_t start);

/// Combines the checksums of a sequence: another order gives another result.
std::uint64_t combined(std::uint64_t before, std::uint64_t next);

}  // namespace ampprof::sketch
