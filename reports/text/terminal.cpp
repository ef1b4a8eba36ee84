// SPDX-License-Identifier: Apache-2.0
#include "reports/text/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace ampprof::text {
namespace {

constexpr int kNarrowest = 40;

Terminal with_size_of(int descriptor) {
  Terminal terminal;
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0) {
    if (size.ws_col > 0) terminal.width = size.ws_col;
    if (size.ws_row > 0) terminal.height = size.ws_row;
  }
  const char* columns = std::getenv("COLUMNS");
  if (columns != nullptr && std::atoi(columns) > 0) terminal.width = std::atoi(columns);
  terminal.width = std::max(terminal.width, kNarrowest);
  return terminal;
}

}  // namespace

Terminal terminal_of(int descriptor) {
  Terminal terminal = with_size_of(descriptor);
  terminal.is_terminal = isatty(descriptor) == 1;
  const char* no_color = std::getenv("NO_COLOR");
  const bool forbidden = no_color != nullptr && *no_color != '\0';
  terminal.colours = terminal.is_terminal && !forbidden;
  return terminal;
}

const char* begin_of(Tone tone) {
  switch (tone) {
    case Tone::Plain:
      return "";
    case Tone::Strong:
      return "\033[1m";
    case Tone::Faint:
      return "\033[2m";
    case Tone::Good:
      return "\033[32m";
    case Tone::Bad:
      return "\033[31m";
    case Tone::Attention:
      return "\033[33m";
  }
  return "";
}

}  // namespace ampprof::text
