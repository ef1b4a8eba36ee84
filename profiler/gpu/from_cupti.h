// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "profiler/gpu/activity.h"

/// The border to CUPTI's record types; only from_cupti.cpp knows them.
namespace ampprof::profiler {

/// Returns the version of the CUPTI whose records this build reads: 130001 for 13.0.1.
std::uint32_t cupti_version_built_for();

/// Returns the first field of a record, its CUpti_ActivityKind; 0, which is none, for fewer than four bytes.
std::uint32_t kind_of_record(std::span<const std::byte> record);

/// Returns the bytes that a record of this kind has; 0 where this build does not read the kind.
std::size_t size_of_record(std::uint32_t kind);

/// Reads one record of any length and alignment. `name` becomes a kernel's name: the pointer in the record is not
/// followed, since only the process that recorded it could.
Activity activity_of(std::span<const std::byte> record, std::string_view name);

/// Returns the name in a record that CUPTI has just handed over; empty where it has none.
std::string_view live_name_of(std::span<const std::byte> record);

}  // namespace ampprof::profiler
