// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/records/dtype.h"
#include "reports/records/sketch.h"

namespace ampprof {

/// Namespaces of ops that send data between ranks: those of c10d, and of its functional forms.
inline constexpr std::string_view kCollectiveNamespaces[]{
    "c10d::", "_c10d_functional::", "_c10d_functional_autograd::"};

/// Tells whether an op is in one of these.
bool is_collective(std::string_view op);

/// Tells whether such an op sends from one rank to another, so that no other rank of its group waits for it.
bool is_point_to_point(std::string_view op);

/// Returns what a link of a ring of `ranks` carries of each byte, the factor between nccl-tests' algbw and busbw; empty
/// for an op that moves nothing, such as a barrier. See doc/PERFORMANCE.md of NVIDIA/nccl-tests.
std::optional<double> bus_factor(std::string_view op, std::int64_t ranks);

/// One call of a collective.
struct CollectiveCall {
  std::int64_t segment = 0;
  std::int64_t call_site = 0;
  std::string group{};          ///< name of the process group; "" where it has none
  std::int64_t group_size = 0;  ///< ranks in it; 0 where unknown
  std::string reduction{};      ///< "sum", "avg", "max" …; "" of one that reduces nothing
  DType dtype = DType::Unknown;
  std::int64_t bytes = 0;  ///< of all that it takes or of all that it gives, whichever is more: the size in nccl-tests
  std::int64_t start_ns = 0;             ///< the op was called
  std::optional<std::int64_t> end_ns{};  ///< all of it was done; empty where nobody told, and on a GPU

  bool operator==(const CollectiveCall&) const = default;
};

/// A sketch of what one rank put into an all-reduce, or got. Sketches are linear: those that all ranks put in add up to
/// that of their sum.
struct CollectiveSketch {
  bool is_result = false;
  Sketch sketch{};  ///< without checksums

  bool operator==(const CollectiveSketch&) const = default;
};

}  // namespace ampprof
