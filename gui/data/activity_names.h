// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "precision/kernel_names/classify.h"
#include "reports/records/tracks.h"

namespace ampprof::gui {

/// Class by which a timeline colours a GPU activity: a place in ClassTimes.
enum class ActivityClass : std::uint8_t {
  TensorCores,  ///< a kernel that ran on them
  Matmul,       ///< a matmul that did not
  Kernel,       ///< any other kernel: its name tells nothing, or it needs none; in summaries each kernel
  Memcpy,
  Memset,
};
inline constexpr std::size_t kActivityClasses = 5;
static_assert(kActivityClasses <= std::tuple_size_v<ClassTimes>);

/// Facts that the name of a kernel tells.
struct ActivityName {
  std::string name;  ///< short: as tables show it
  kernel_names::KernelFacts facts;
};
using ActivityNames = std::unordered_map<std::int64_t, ActivityName>;  ///< by GpuActivity::name

/// Reads a run's names of kernels, memcpys and memsets.
ActivityNames activityNamesOf(const std::unordered_map<std::int64_t, std::string>& texts);

/// Returns the class as far as names are known.
ActivityClass classOf(const GpuActivity& activity, const ActivityNames& names);

/// Times by GpuActivityKind, as summaries hold them, by ActivityClass.
ClassTimes byActivityClass(const ClassTimes& by_kind);

}  // namespace ampprof::gui
