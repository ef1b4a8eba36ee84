// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "precision/kernel_names/classify.h"
#include "reports/records/tracks.h"

namespace ampprof::gui {

/// Class by which a timeline colours a GPU activity: an index into ClassTimes.
enum class ActivityClass : std::uint8_t {
  TensorCores,  ///< a kernel that ran on Tensor Cores
  Matmul,       ///< a matmul, convolution or attention kernel that did not run on Tensor Cores
  Kernel,       ///< any other kernel, and a matmul whose name does not show what it ran on; in summaries every kernel
  Memcpy,
  Memset,
};
inline constexpr std::size_t kActivityClasses = 5;
static_assert(kActivityClasses <= std::tuple_size_v<ClassTimes>);

/// Facts in the name of a kernel.
struct ActivityName {
  std::string name;  ///< short form, as in tables
  kernel_names::KernelFacts facts;
};
using ActivityNames = std::unordered_map<std::int64_t, ActivityName>;  ///< key: GpuActivity::name

/// Classifies the names of a run's kernels, memcpys and memsets. Keys of `texts`: GpuActivity::name.
ActivityNames activityNamesOf(const std::unordered_map<std::int64_t, std::string>& texts);

/// Returns the class of an activity. A kernel whose name is missing in `names` is a Kernel.
ActivityClass classOf(const GpuActivity& activity, const ActivityNames& names);

/// Rearranges times by GpuActivityKind, as in track summaries, to times by ActivityClass.
ClassTimes byActivityClass(const ClassTimes& by_kind);

}  // namespace ampprof::gui
