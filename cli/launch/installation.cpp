// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/installation.h"

namespace ampprof::cli {

Installation Installation::own() { return of(std::filesystem::read_symlink("/proc/self/exe")); }

Installation Installation::of(const std::filesystem::path& executable) {
  const auto bin = executable.parent_path();
  const auto root = bin.parent_path();
  return {bin, root / "lib", root / "share" / "ampprof"};
}

}  // namespace ampprof::cli
