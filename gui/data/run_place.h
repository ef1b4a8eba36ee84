// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

namespace ampprof::gui {

/// A run, and optionally a step of it, to navigate to.
struct RunPlace {
  std::int64_t run = 0;
  std::optional<std::int64_t> step = {};  ///< empty: no particular step

  bool operator==(const RunPlace&) const = default;
};

}  // namespace ampprof::gui
