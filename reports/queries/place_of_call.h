// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace ampprof::queries {

/// The run, call site and position in the step of a row. `PhaseOfPlace` is std::optional<Phase> if the call site may be
/// unknown. An unknown call site has no phase, id 0 and empty texts.
template <class PhaseOfPlace>
struct CallSiteColumns {
  std::int64_t run = 0;
  std::string level;
  std::int64_t call_site_id = 0;
  std::int32_t position = 0;  ///< index of the segment in its step
  std::string call_site;
  PhaseOfPlace phase = {};
  std::string module;
  std::string op;
  std::string source;  ///< file:line, "" if unknown
};

}  // namespace ampprof::queries
