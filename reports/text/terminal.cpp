// SPDX-License-Identifier: Apache-2.0
#include "reports/text/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace ampprof::text {
namespace {

constexpr int kNarrowest = 40;

int width_of(int descriptor) {
  if (const char* columns = std::getenv("COLUMNS"); columns != nullptr && std::atoi(columns) > 0) {
    return std::atoi(columns);
  }
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return Terminal{}.width;
}

}  // namespace

Terminal terminal_of(int descriptor) {
  const bool is_terminal = isatty(descriptor) == 1;
  const char* no_color = std::getenv("NO_COLOR");
  const bool forbidden = no_color != nullptr && *no_color != '\0';
  return {std::max(width_of(descriptor), kNarrowest), is_terminal, is_terminal && !forbidden};
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
