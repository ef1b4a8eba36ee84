// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace ampprof::profiler {

/// Numbers the losses of a program by the line that calls backward, and by the index among the roots of the backward
/// pass. So the micro-batches of a loop are values of one loss, and a GAN's three backward passes are of three losses.
/// Not thread-safe.
class LossIds {
 public:
  /// Returns the number of a loss, from 0 in the order of first calls. `place`: SourcePlaces::Id of the line. `root`:
  /// index among the roots.
  std::int32_t id_of(std::int32_t place, std::size_t root) {
    return ids_.try_emplace({place, root}, static_cast<std::int32_t>(ids_.size())).first->second;
  }

 private:
  std::map<std::pair<std::int32_t, std::size_t>, std::int32_t> ids_;
};

}  // namespace ampprof::profiler
