// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ampprof::queries {
struct RunRow;
}

/// Derives from the runs of a report which data is missing. Gaps that a recorder noticed itself are in the table
/// `missing`.
namespace ampprof::analysis {

struct Shortfall {
  enum class Kind {
    NotEnded,        ///< still running, or killed together with its recorder
    ProgramFailed,   ///< the program ended with `exit_code`, not 0
    RecorderFailed,  ///< the program ended well, its recorder did not
    StepsLeftOut,    ///< `count` of `of` steps were not recorded, as the user asked
    NoCasts,         ///< a run at O1 whose ops all kept the program's types
    ShapesLeftOut,   ///< the shapes of `count` op calls were not recorded
  };

  std::int64_t run = 0;
  std::string level;
  Kind kind = Kind::NotEnded;
  std::int64_t count = 1;
  std::int64_t of = 0;
  int exit_code = 0;
};

/// Returns the shortfalls in the order of runs, then of Kind.
std::vector<Shortfall> shortfalls_of(const std::vector<queries::RunRow>& runs);

/// Tells whether a run at O1 left every op in the type that the program gave it.
bool inserted_no_cast(const queries::RunRow& run);

}  // namespace ampprof::analysis
