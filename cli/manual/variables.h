// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ampprof::cli {

/// Names the programs that read a variable of the environment.
enum class ReadBy { Ampprof, Programs, Builds };

/// Describes an environment variable. Variables that set options are not listed here: they are derived from the
/// options.
struct Variable {
  std::string_view name;
  ReadBy read_by;
  std::string_view about;     ///< a sentence that begins with a verb
  std::string_view if_unset;  ///< the default; "" if there is none
};

/// Variables for users. `ampprof run` sets some of the ReadBy::Programs for --levels, --type, --policy, --recipe and
/// --remedy.
inline constexpr Variable kVariables[]{
    {"NO_COLOR", ReadBy::Ampprof, "Prints tables without colours.", ""},
    {"COLUMNS", ReadBy::Ampprof, "Sets the width of tables.", "the width of the terminal"},
    {"TMPDIR", ReadBy::Ampprof, "Names the folder for the copy of a report that cannot be read in place.", "`/tmp`"},
    {"AMP_OPT_LEVEL", ReadBy::Programs, "Forces the opt level: `O0` to `O3`.", "the program's"},
    {"AMP_TYPE", ReadBy::Programs, "Forces the reduced type: `fp16` or `bf16`.", "the program's"},
    {"AMP_POLICY", ReadBy::Programs, "Names a policy file, which overrides what the program registers.", ""},
    {"AMP_RECIPE", ReadBy::Programs, "Runs matmuls in an FP8 or FP4 recipe: a name or a file.", ""},
    {"AMP_INIT_SCALE", ReadBy::Programs, "Sets the initial loss scale.", "the program's"},
    {"AMP_PARALLEL_TIMEOUT", ReadBy::Programs, "Sets how many seconds a rank waits for the other ranks.",
     "the program's"},
    {"LIBTORCH", ReadBy::Builds, "Names the folder of a LibTorch to build against.", "PyPI's LibTorch"},
    {"AMPPROF_DEPS", ReadBy::Builds, "Names the folder of downloaded dependencies.", "`~/.cache/ampprof`"},
};

}  // namespace ampprof::cli
