// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ampprof::text {

/// Size and colours of the output on a file descriptor.
struct Terminal {
  int width = 80;
  int height = 24;
  bool is_terminal = false;
  bool colours = false;  ///< the output is a terminal, and NO_COLOR is not set
};

/// Returns the layout for a file descriptor. Width: COLUMNS if set, else the terminal's own, else 80, but at least 40.
/// Height: the terminal's own, else 24.
Terminal terminal_of(int descriptor);

/// Meaning of a piece of text; the colour follows from it.
enum class Tone { Plain, Strong, Faint, Good, Bad, Attention };

/// Returns the escape sequence that begins a tone; kEndOfTone ends any.
const char* begin_of(Tone tone);
inline constexpr const char* kEndOfTone = "\033[0m";

}  // namespace ampprof::text
