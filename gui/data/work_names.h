// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "precision/kernel_names/classify.h"
#include "reports/records/lanes.h"

namespace ampprof::gui {

/// What a timeline colours something that a GPU did by: a place in ClassTimes.
enum class WorkClass : std::uint8_t {
  TensorCores,  ///< a kernel that ran on them
  Matmul,       ///< a matmul that did not
  Kernel,       ///< any other kernel: its name tells nothing, or it needs none; in summaries each kernel
  Copy,
  Fill,
};
inline constexpr std::size_t kWorkClasses = 5;
static_assert(kWorkClasses <= std::tuple_size_v<ClassTimes>);

/// What the name of a kernel tells.
struct WorkName {
  std::string name;  ///< short: as tables show it
  kernel_names::KernelFacts facts;
};
using WorkNames = std::unordered_map<std::int64_t, WorkName>;  ///< by DeviceWork::name

/// Of a run's names of kernels, copies and fills.
WorkNames workNamesOf(const std::unordered_map<std::int64_t, std::string>& texts);

/// As far as names are known.
WorkClass classOf(const DeviceWork& work, const WorkNames& names);

/// Times by DeviceWorkKind, as summaries hold them, by WorkClass.
ClassTimes byWorkClass(const ClassTimes& by_kind);

}  // namespace ampprof::gui
