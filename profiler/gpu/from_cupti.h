// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "profiler/gpu/activity.h"

/// Converts CUPTI's records. Only from_cupti.cpp knows CUPTI's record types.
namespace ampprof::profiler {

/// Returns the version of the CUPTI whose records this build reads: 130001 for 13.0.1.
std::uint32_t cupti_version_built_for();

/// Returns the first field of a record, its CUpti_ActivityKind; 0, which is not a kind, for fewer than four bytes.
std::uint32_t kind_of_record(std::span<const std::byte> record);

/// Returns the size in bytes of a record of this kind; 0 if this build does not read the kind.
std::size_t size_of_record(std::uint32_t kind);

/// Reads one record of any length and alignment. `name` becomes a kernel's name. The pointer in the record is not
/// followed, since it is valid only in the process that recorded it.
Activity activity_of(std::span<const std::byte> record, std::string_view name);

/// Returns the name in a record that CUPTI has just handed over; empty if there is none.
std::string_view live_name_of(std::span<const std::byte> record);

}  // namespace ampprof::profiler
