// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ampprof::queries {
struct RunRow;
}

/// Tells from the runs of a report what it does not hold. What a recorder noticed it wrote down itself:
/// the table `missing`.
namespace ampprof::analysis {

struct Shortfall {
  enum class Kind {
    NotEnded,        ///< it still runs, or was killed with what recorded it
    ProgramFailed,   ///< with `exit_code`
    RecorderFailed,  ///< the program ended well, but not what recorded it
    StepsLeftOut,    ///< `count` of `of` steps were not recorded, as asked
    NoCasts,         ///< a run at O1 whose ops all kept the type that the program gave them
    ShapesLeftOut,   ///< of `count` op calls
  };

  std::int64_t run = 0;
  std::string level;
  Kind kind = Kind::NotEnded;
  std::int64_t count = 1;
  std::int64_t of = 0;
  int exit_code = 0;
};

/// Returns run after run, each in the order of Kind.
std::vector<Shortfall> shortfalls_of(const std::vector<queries::RunRow>& runs);

/// Tells whether a run at O1 left every op in the type that the program gave it.
bool inserted_no_cast(const queries::RunRow& run);

}  // namespace ampprof::analysis
