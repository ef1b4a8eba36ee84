// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ampprof {

/// A range that the program or a library marked with NVTX. For an NVTX mark, end_ns equals start_ns.
struct NvtxRange {
  std::int32_t thread = 0;  ///< thread that began the range, as OpCall::thread
  std::int32_t depth = 0;   ///< number of enclosing ranges on this thread
  std::int64_t name = 0;    ///< id of an interned text: "forward", "domain: forward"
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;

  bool operator==(const NvtxRange&) const = default;
};

}  // namespace ampprof
