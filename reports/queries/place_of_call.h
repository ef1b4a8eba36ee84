// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace ampprof::queries {

/// The place of a row in the step. `PhaseOfPlace` is an optional Phase if the place may be unknown. Then the call site
/// is 0 and the texts are "".
template <class PhaseOfPlace>
struct PlaceOfCall {
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
