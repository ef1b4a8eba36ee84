// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "precision/formats/types/elements.h"
#include "reports/records/sketch.h"

/// Sums that a tensor leaves behind, so that those of two runs can be compared without either being kept. Their signs
/// and places follow from the place of each element alone, so they are the same in every run, on every processor.
namespace ampprof::sketch {

/// Elements of one block share a hash; what is added in parts begins at a multiple of it.
inline constexpr std::size_t kBlock = kSketchSums;

/// Adds floating values to the sums of a sketch, and their bits to its checksum. `start`: the place of the first among
/// all elements of the call's outputs, a multiple of kBlock. What parts leave adds up to what the whole leaves.
void add(const error::Elements& values, std::uint64_t start, Sketch& sketch);

/// Adds what `other` found of further elements.
void merge(Sketch& sketch, const Sketch& other);

/// Returns the checksum of `count` elements of 1, 2, 4 or 8 bytes each; parts add up, by the place of their first.
std::uint64_t checksum_of(const void* data, std::size_t count, std::size_t bytes_each, std::uint64_t start);

/// Mixes the checksum of one more thing into that of all before: another order is another sum.
std::uint64_t combined(std::uint64_t before, std::uint64_t next);

}  // namespace ampprof::sketch
