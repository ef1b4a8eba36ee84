// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

namespace ampprof::gui {

/// A run, and a step of it that someone wants to see.
struct RunPlace {
  std::int64_t run = 0;
  std::optional<std::int64_t> step = {};  ///< empty for none in particular

  bool operator==(const RunPlace&) const = default;
};

}  // namespace ampprof::gui
