// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "precision/kernel_names/classify.h"
#include "reports/records/tracks.h"

namespace ampprof::gui {

/// Class of a GPU activity, which determines its colour in the timeline. The value is an index into ClassTimes.
enum class ActivityClass : std::uint8_t {
  TensorCores,  ///< a kernel that ran on Tensor Cores
  Matmul,       ///< a matmul, convolution or attention kernel that did not run on Tensor Cores
  /// Any other kernel, also a matmul whose name does not show whether it ran on Tensor Cores. In track summaries, which
  /// have no names: every kernel.
  Kernel,
  Memcpy,
  Memset,
};
inline constexpr std::size_t kActivityClasses = 5;
static_assert(kActivityClasses <= std::tuple_size_v<ClassTimes>);

/// Facts that the name of a GPU activity shows.
struct ActivityName {
  std::string name;  ///< short form, as in tables
  kernel_names::KernelFacts facts;
};
using ActivityNames = std::unordered_map<std::int64_t, ActivityName>;  ///< key: GpuActivity::name

/// Classifies the names of a run's kernels, memcpys and memsets. Keys of `texts`: GpuActivity::name.
ActivityNames activityNamesOf(const std::unordered_map<std::int64_t, std::string>& texts);

/// Returns the class of an activity. A kernel whose name is missing in `names` is a Kernel.
ActivityClass classOf(const GpuActivity& activity, const ActivityNames& names);

/// Converts times indexed by GpuActivityKind, as in track summaries, to times indexed by ActivityClass.
ClassTimes byActivityClass(const ClassTimes& by_kind);

}  // namespace ampprof::gui
