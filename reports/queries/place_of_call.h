// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace ampprof::queries {

/// The place in a step that a row is about. `PhaseOfPlace` is an optional Phase where the place may be unknown: then
/// the call site is 0 and the texts are "".
template <class PhaseOfPlace>
struct PlaceOfCall {
  std::int64_t run = 0;
  std::string level;
  std::int64_t call_site_id = 0;
  std::int32_t position = 0;  ///< the segment's place in its step
  std::string call_site;
  PhaseOfPlace phase = {};
  std::string module;
  std::string op;
  std::string source;  ///< file:line, "" where unknown
};

}  // namespace ampprof::queries
