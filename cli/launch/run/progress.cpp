// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/run/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "reports/queries/open.h"
#include "reports/queries/segments.h"
#include "reports/store/sqlite.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"

namespace ampprof::cli {
namespace {

constexpr int kBarWidth = 24;

std::string bar(std::int64_t step, std::int64_t total) {
  const auto done = static_cast<std::size_t>(kBarWidth * std::min(step, total) / std::max<std::int64_t>(total, 1));
  return '[' + std::string(done, '#') + std::string(kBarWidth - done, '-') + ']';
}

}  // namespace

std::string progress_line(const Advance& advance, int width) {
  if (advance.step == 0) return text::elide_middle(advance.label + "  starting", width);
  const double steps_done = static_cast<double>(advance.step - advance.since);
  const double rate = advance.seconds > 0 ? steps_done / advance.seconds : 0;
  std::string line = advance.label;
  if (advance.total) {
    line += fmt::format("  {} {}/{} steps", bar(advance.step, *advance.total), advance.step, *advance.total);
  } else {
    line += fmt::format("  step {}", advance.step);
  }
  if (rate > 0) {
    line += fmt::format("  {} steps/s", text::number(rate));
    if (advance.total && *advance.total >= advance.step) {
      line += fmt::format("  {} left", text::clock(static_cast<double>(*advance.total - advance.step) / rate));
    }
  }
  return text::elide_middle(line, width);
}

std::string running_line(const std::string& label, double seconds, int width) {
  return text::elide_middle(fmt::format("{}  running for {}", label, text::clock(seconds)), width);
}

Progress::Progress(std::string label, std::optional<std::int64_t> total) : terminal_(text::terminal_of(STDERR_FILENO)) {
  advance_.label = std::move(label);
  advance_.total = total;
}

Progress::~Progress() {
  if (terminal_.is_terminal) fmt::print(stderr, "\r\033[K");
}

// If the recorder does not share the index of SQLite's log (-shm), a reader would have to copy the report or wait. The
// line then shows only the time.
std::string Progress::line(const std::filesystem::path& report, std::int64_t run) {
  const auto now = std::chrono::steady_clock::now();
  if (queries::needs_copy(report)) {
    report_.reset();
    return running_line(advance_.label, std::chrono::duration<double>(now - started_).count(), terminal_.width - 1);
  }
  if (!report_ || path_ != report) {
    static_cast<store::Database&>(report_.emplace(path_ = report)).wait_for_locks(0);
  }
  advance_.step = queries::last_step(*report_, run).value_or(0);
  if (advance_.step > 0 && !first_seen_) {
    first_seen_ = now;
    advance_.since = advance_.step;
  }
  if (first_seen_) advance_.seconds = std::chrono::duration<double>(now - *first_seen_).count();
  return progress_line(advance_, terminal_.width - 1);
}

void Progress::update(const std::filesystem::path& report, std::int64_t run) {
  if (!terminal_.is_terminal) return;
  try {
    fmt::print(stderr, "\r{}\033[K", line(report, run));
    std::fflush(stderr);
  } catch (const std::exception&) {
    report_.reset();  // the report is locked or removed: a progress line must not fail the run
  }
}

}  // namespace ampprof::cli
