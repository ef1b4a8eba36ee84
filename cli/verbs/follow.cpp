// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/follow.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <map>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "reports/queries/runs.h"
#include "reports/text/elide.h"
#include "reports/text/numbers.h"
#include "views/runs/run_choice.h"

namespace ampprof::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kInterval{1000};
constexpr std::chrono::milliseconds kNap{50};
constexpr int kShareDivisor = 20;  // reading pages takes at most 1 / kShareDivisor of the time

volatile std::sig_atomic_t g_interrupted = 0;

/// Makes SIGINT and SIGTERM end follow() instead of the process, so that the terminal is restored.
class [[nodiscard]] Interruptible {
 public:
  Interruptible() : before_{std::signal(SIGINT, note), std::signal(SIGTERM, note)} { g_interrupted = 0; }
  ~Interruptible() {
    std::signal(SIGINT, before_[0]);
    std::signal(SIGTERM, before_[1]);
  }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  static void note(int) { g_interrupted = 1; }

  void (*before_[2])(int);
};

void sleep_for(Clock::duration time) {
  for (const auto until = Clock::now() + time; g_interrupted == 0 && Clock::now() < until;) {
    std::this_thread::sleep_for(kNap);
  }
}

/// Switches a terminal to its alternate screen; the destructor restores the old content.
class [[nodiscard]] Screen {
 public:
  Screen() { write("\033[?1049h"); }
  ~Screen() { write("\033[?1049l"); }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  void draw(const std::string& page, int height) const {
    std::string text = "\033[H";
    std::string_view rest = page;
    for (int line = 1; line < height && !rest.empty(); ++line) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      text.append(rest.substr(0, end)).append("\033[K\r\n");
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    write(text + text::kEndOfTone + "\033[J");
  }

 private:
  static void write(const std::string& text) {
    fmt::print("{}", text);
    std::fflush(stdout);
  }
};

/// Computes steps per second of each run since the last page.
class StepRates {
 public:
  std::optional<double> of(const queries::RunRow& run) {
    const Seen now{run.steps, Clock::now()};
    const Seen before = std::exchange(seen_.try_emplace(run.run, now).first->second, now);
    const double seconds = std::chrono::duration<double>(now.at - before.at).count();
    if (seconds <= 0.0) return std::nullopt;
    return static_cast<double>(now.steps - before.steps) / seconds;
  }

 private:
  struct Seen {
    std::int64_t steps;
    Clock::time_point at;
  };
  std::map<std::int64_t, Seen> seen_;
};

std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return fmt::format("{:02}:{:02}:{:02}", local.tm_hour, local.tm_min, local.tm_sec);
}

std::string status_of(const queries::RunRow& run, const std::string& name, std::optional<double> rate) {
  std::string text = fmt::format("{}: {}", name, text::counted(run.steps, "step"));
  if (run.has_ended()) return text + ", ended";
  if (rate) text += fmt::format(", {} a second", text::number(*rate));
  if (run.final_loss) text += fmt::format(", loss {}", text::number(*run.final_loss));
  if (run.loss_scale_final) text += fmt::format(", loss scale {}", text::plain(*run.loss_scale_final));
  if (run.ms_per_step && run.overhead_ms_per_step && *run.ms_per_step > 0.0) {
    text += fmt::format(", ampprof {}", text::percent(*run.overhead_ms_per_step / *run.ms_per_step));
  }
  return text;
}

struct Page {
  std::string status;
  std::string body;
  bool is_last = false;
};

Page read_page(const std::filesystem::path& path, const MakePage& make_page, const text::Terminal& terminal,
               StepRates& rates) {
  const queries::Report report(path);
  const std::vector<queries::RunRow> runs = queries::runs(report);
  Page page{.status = {},
            .body = make_page(report, terminal),
            .is_last = std::ranges::all_of(runs, &queries::RunRow::has_ended)};
  for (const queries::RunRow& run : runs) {
    page.status += fmt::format("{}  {}\n", time_of_day(), status_of(run, views::label_of(run, runs), rates.of(run)));
  }
  return page;
}

class Follower {
 public:
  Follower(const std::filesystem::path& report, const MakePage& make_page) : report_(report), make_page_(make_page) {}

  void follow() {
    while (g_interrupted == 0 && !page_.is_last) {
      const auto begun = Clock::now();
      const text::Terminal terminal = text::terminal_of(STDOUT_FILENO);
      if (look(terminal)) show(terminal);
      if (!page_.is_last) sleep_for(std::max<Clock::duration>(kInterval, (Clock::now() - begun) * kShareDivisor));
    }
    if (!screen_) return;
    screen_.reset();
    fmt::print("{}", page_.body);
  }

 private:
  /// Reads the report into `page_`. Returns false if it does not exist yet.
  bool look(const text::Terminal& terminal) {
    if (!std::filesystem::exists(report_)) {
      if (!says_that_it_waits_) fmt::print(stderr, "ampprof: waiting for {}, which does not exist yet\n", name());
      says_that_it_waits_ = true;
      return false;
    }
    page_ = read_page(report_, make_page_, terminal, rates_);
    return true;
  }

  void show(const text::Terminal& terminal) {
    if (terminal.is_terminal) {
      if (!screen_) screen_.emplace();
      screen_->draw(page_.status + '\n' + page_.body, terminal.height);
    } else if (page_.body != printed_) {
      fmt::print("{}{}\n{}", printed_.empty() ? "" : "\n", page_.status, page_.body);
      std::fflush(stdout);
      printed_ = page_.body;
    }
  }

  std::string name() const { return text::printable(report_.string()); }

  const std::filesystem::path& report_;
  const MakePage& make_page_;
  StepRates rates_;
  Page page_;
  std::string printed_;
  bool says_that_it_waits_ = false;
  std::optional<Screen> screen_;
};

}  // namespace

void follow(const std::filesystem::path& report, const MakePage& make_page) {
  const Interruptible until_somebody_interrupts;
  Follower(report, make_page).follow();
}

}  // namespace ampprof::cli
