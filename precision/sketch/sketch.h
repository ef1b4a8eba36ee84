// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "precision/formats/types/elements.h"
#include "reports/records/sketch.h"

/// Random projections of a tensor, with which two runs are compared without storing tensors. Signs and bins depend only
/// on the index of each element, so they are the same in every run and on every processor.
namespace ampprof::sketch {

/// Elements of one block share a hash. A part that is added separately must begin at a multiple of kBlock.
inline constexpr std::size_t kBlock = kSketchSums;

/// Adds floating values to the sums of a sketch, and their bits to its checksum. `start` is the index of the first
/// value among all elements of the call's outputs, a multiple of kBlock. Adding parts gives the same as adding the
/// whole.
void add(const error::Elements& values, std::uint64_t start, Sketch& sketch);

/// Adds the sketch of other elements.
void merge(Sketch& sketch, const Sketch& other);

/// Returns the checksum of `count` elements of 1, 2, 4 or 8 bytes each. Checksums of parts add up to that of the whole
/// if `start` is the index of each part's first element.
std::uint64_t checksum_of(const void* data, std::size_t count, std::size_t bytes_each, std::uint64_t start);

/// Combines the checksums of a sequence. The result depends on the order of the sequence.
std::uint64_t combined(std::uint64_t before, std::uint64_t next);

}  // namespace ampprof::sketch
