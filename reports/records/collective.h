// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/records/dtype.h"
#include "reports/records/sketch.h"

namespace ampprof {

/// Namespaces of ops that send data between ranks: c10d, and its functional forms.
inline constexpr std::string_view kCollectiveNamespaces[]{
    "c10d::", "_c10d_functional::", "_c10d_functional_autograd::"};

/// Tells whether an op is in one of these namespaces.
bool is_collective(std::string_view op);

/// Tells whether a collective sends from one rank to another, so that the other ranks of its group do not wait for it.
bool is_point_to_point(std::string_view op);

/// Returns nccl-tests' factor between algbw and busbw: the bytes on a link of a ring of `ranks` per byte of data. Empty
/// for an op that moves nothing, such as a barrier. See doc/PERFORMANCE.md of NVIDIA/nccl-tests.
std::optional<double> bus_factor(std::string_view op, std::int64_t ranks);

/// One call of a collective.
struct CollectiveCall {
  std::int64_t segment = 0;
  std::int64_t call_site = 0;
  std::string group{};          ///< name of the process group; "" if it has none
  std::int64_t group_size = 0;  ///< ranks in the group; 0 if unknown
  std::string reduction{};      ///< "sum", "avg", "max" …; "" for an op that reduces nothing
  DType dtype = DType::Unknown;
  std::int64_t bytes = 0;     ///< bytes of all inputs or of all outputs, whichever is more: the size in nccl-tests
  std::int64_t start_ns = 0;  ///< time of the op's call
  std::optional<std::int64_t> end_ns{};  ///< time of completion; empty on a GPU, and if unknown

  bool operator==(const CollectiveCall&) const = default;
};

/// A sketch of one rank's input to an all-reduce, or of its result. Sketches are linear: the sum of the ranks' input
/// sketches is the sketch of the sum.
struct CollectiveSketch {
  bool is_result = false;
  Sketch sketch{};  ///< without checksums

  bool operator==(const CollectiveSketch&) const = default;
};

}  // namespace ampprof
