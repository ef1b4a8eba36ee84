// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder/recorder.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <tuple>
#include <utility>

#include "profiler/recorder/batch_lists.h"
#include "profiler/recorder/call_queue.h"
#include "profiler/recorder/step_ring.h"
#include "reports/records/left_out.h"
#include "reports/store/writer.h"

namespace ampprof::profiler {
namespace {

/// The lists of a batch that differ between runs.
constexpr auto kOfCourse = std::tuple(&Batch::calls, &Batch::impacts, &Batch::gradient_impacts, &Batch::recipe_matmuls,
                                      &Batch::decisions, &Batch::losses);

void swap_lists_of_course(Batch& a, Batch& b) {
  std::apply([&](auto... lists) { (std::swap(a.*lists, b.*lists), ...); }, kOfCourse);
}

/// Clears the lists of details, which are not written to a full report. The other lists grow with steps, not with
/// calls.
void leave_out_details(Batch& batch) {
  const auto drop = [](auto&... lists) { (lists.clear(), ...); };
  drop(batch.impacts, batch.gradient_impacts, batch.gradient_errors, batch.recipe_matmuls, batch.stale_casts,
       batch.updates, batch.checksums, batch.collectives, batch.collective_sketches, batch.decisions, batch.ranges,
       batch.range_names);
}

bool is_empty(Batch& batch) {
  bool empty = true;
  each_list(batch, [&](const auto& list) { empty = empty && list.empty(); });
  return empty;
}

/// Clears all lists and keeps their memory, since page faults in new memory would cost the program's threads time.
void clear(Batch& batch) {
  each_list(batch, [](auto& list) { list.clear(); });
}

/// Returns an estimate, in bytes, of how much the batch adds to the report.
std::int64_t size_of(const Batch& batch) {
  constexpr std::size_t kCall = 16, kCallWithValues = 300, kRow = 80;
  const std::size_t rows = batch.impacts.size() + batch.stale_casts.size() + batch.updates.size() +
                           batch.checksums.size() + batch.collectives.size() + batch.ranges.size() +
                           batch.casts.size() + batch.activities.size() + batch.segments.size() +
                           batch.gradient_impacts.size() + batch.gradient_errors.size() + batch.decisions.size() +
                           2 * batch.recipe_matmuls.size();
  return static_cast<std::int64_t>(batch.plain_calls.size() * kCall + batch.calls.size() * kCallWithValues +
                                   rows * kRow);
}

/// Blocks signals on this thread while it writes the report, so that other threads of the program receive them.
/// Discards SIGXFSZ (file size limit exceeded), which this thread's own writing causes.
class BlockSignals {
 public:
  BlockSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockSignals() {
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGXFSZ);
    constexpr timespec kNow{};
    (void)sigtimedwait(&ours, nullptr, &kNow);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  BlockSignals(const BlockSignals&) = delete;
  BlockSignals& operator=(const BlockSignals&) = delete;

 private:
  sigset_t before_;
};

bool has_values(const OpCall& call) { return call.local || call.ranges; }

std::atomic<std::uint64_t> g_next_number{1};

}  // namespace

struct Recorder::Writer {
  store::ReportWriter report;
};

Recorder::Recorder(const std::filesystem::path& report, std::int64_t run, const RunAttach& attach,
                   std::chrono::milliseconds interval, std::int64_t max_bytes, std::size_t runs, std::int64_t ring)
    : number_(g_next_number++),
      path_(report),
      run_(run),
      first_attach_(attach),
      further_(runs - 1),
      written_further_(runs - 1),
      held_(runs),
      rings_(ring > 0 ? runs : 0, StepRing(ring)),
      interval_(interval),
      max_bytes_(max_bytes) {}

void Recorder::open() {
  const BlockSignals block;
  writer_.reset(new Writer{store::ReportWriter(path_)});
  each_run([&](std::int64_t run) { writer_->report.attach(run, first_attach_); });
  look_at_size();
  thread_ = std::thread([this] { this->run(); });
}

Recorder::~Recorder() { stop(); }

// Returns this thread's queue. A queue is freed when its thread has ended and the queue is empty. A thread that records
// calls after its thread_local objects are destroyed, as exit handlers do, gets a lasting queue.
CallQueue& Recorder::queue_of_this_thread() {
  thread_local std::pair<std::uint64_t, CallQueue*> known{};  // recorder's number, since its address may be reused
  thread_local bool has_ended = false;
  struct Kept {
    std::shared_ptr<CallQueue> queue;
    ~Kept() {
      known = {};
      has_ended = true;
    }
  };
  if (known.first == number_) return *known.second;
  const auto fresh = std::make_shared<CallQueue>();
  known = {number_, fresh.get()};
  if (!has_ended) {
    thread_local Kept kept;
    kept.queue = fresh;
  }
  const std::lock_guard lock(mutex_);
  queues_.push_back(fresh);
  if (has_ended) lasting_queues_.push_back(fresh);
  return *fresh;
}

void Recorder::add_plain(const OpCall& call) {
  if (!queue_of_this_thread().push(PlainCall(call))) dropped_calls_.fetch_add(1, std::memory_order_relaxed);
}

void Recorder::add_call(const OpCall& call, const std::vector<OpCall>& further) {
  if (broken_.load(std::memory_order_relaxed)) return;
  if (!has_values(call) && std::ranges::none_of(further, has_values)) return add_plain(call);
  {
    const std::lock_guard lock(mutex_);
    if (batch_.calls.size() < kMostCallsWithValues / runs()) {
      batch_.calls.push_back(call);
      for (std::size_t i = 0; i < further_.size(); ++i) {
        further_[i].calls.push_back(i < further.size() ? further[i] : call);
      }
      return;
    }
  }
  dropped_values_.fetch_add(1, std::memory_order_relaxed);
  add_plain(call);
}

void Recorder::place(const std::vector<HeldCalls>& calls) {
  const std::lock_guard lock(mutex_);
  if (!broken_) placed_.insert(placed_.end(), calls.begin(), calls.end());
}

void Recorder::set_before_write(std::function<void()> before_write) {
  const std::lock_guard lock(mutex_);
  before_write_ = std::move(before_write);
}

void Recorder::attach_again(const RunAttach& attach) {
  const std::lock_guard lock(mutex_);
  attach_ = attach;
}

void Recorder::write_soon() {
  {
    const std::lock_guard lock(mutex_);
    if (last_write_ && std::chrono::steady_clock::now() - *last_write_ < interval_ / 5) return;
    is_wanted_soon_ = true;
  }
  wake_.notify_all();
}

void Recorder::run() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, interval_, [this] { return stopping_ || is_wanted_soon_; });
      if (stopping_) return;
      is_wanted_soon_ = false;
      last_write_ = std::chrono::steady_clock::now();
    }
    write_batch();
  }
}

void Recorder::report_drops() {
  const auto report = [&](std::atomic<std::int64_t>& dropped, const char* what) {
    const std::int64_t count = dropped.exchange(0, std::memory_order_relaxed);
    if (count == 0) return;
    add([&](Batch& batch) {
      batch.missing.push_back({.what = what,
                               .count = count,
                               .cause = "the program made them faster than ampprof could write them",
                               .remedy = "write the report to a faster disk, or record fewer steps with --every"});
    });
  };
  report(dropped_values_, "values of op calls");
  report(dropped_calls_, "op calls");
}

void Recorder::take_queues() {
  std::vector<std::shared_ptr<CallQueue>> queues;
  {
    const std::lock_guard lock(mutex_);
    queues = queues_;
  }
  for (const auto& queue : queues) {
    const bool is_left = queue.use_count() == 2;  // held only by `queue` and queues_, so its thread has ended
    queue->take([&](const PlainCall& call) { plain_calls_.push_back(call); });
    if (!is_left) continue;
    const std::lock_guard lock(mutex_);
    std::erase(queues_, queue);
  }
}

/// Moves the records to write to `written_`. Takes the calls from the queues first: so the batch, which is taken later,
/// has the call sites of all these calls. Takes the batch after before_write has added the current segment, so that
/// segments are in order. Returns the new data of the run, if any.
std::optional<RunAttach> Recorder::take_batch() {
  clear(written_);
  for (Batch& further : written_further_) clear(further);
  plain_calls_.clear();
  take_queues();
  std::function<void()> before_write;
  {
    const std::lock_guard lock(mutex_);
    before_write = before_write_;
  }
  if (before_write) before_write();
  report_drops();
  std::optional<RunAttach> attach;
  bool is_last = false;
  {
    const std::lock_guard lock(mutex_);
    std::swap(written_, batch_);
    std::swap(written_further_, further_);
    std::swap(written_.plain_calls, plain_calls_);
    const auto placed = std::exchange(placed_, {});
    for (std::size_t i = 0; i < held_.size(); ++i) held_[i].take(placed, i == 0 ? written_ : written_further_[i - 1]);
    attach = std::exchange(attach_, std::nullopt);
    is_last = stopping_;
  }
  take_into_rings(is_last);
  return attach;
}

void Recorder::take_into_rings(bool is_last) {
  if (rings_.empty()) return;
  const bool has_happened = is_kept_wanted_.exchange(false, std::memory_order_relaxed) || has_nonfinite_event(written_);
  for (Batch& further : written_further_) further.segments = written_.segments;  // all runs have the same steps
  for (std::size_t i = 0; i < rings_.size(); ++i) {
    Batch& batch = i == 0 ? written_ : written_further_[i - 1];
    rings_[i].take(batch, has_happened);
    if (is_last) rings_[i].drop_kept(batch);
  }
}

// If the report is larger than three quarters of the limit, drops the oldest details to make room for the newest. If
// that frees too little, the report stays full from now on, because append() is not allowed after append_totals() to a
// run.
void Recorder::look_at_size() {
  const std::int64_t most = max_bytes_ / 4 * 3 - size_of(written_) * static_cast<std::int64_t>(runs());
  std::vector<std::int64_t> all;
  each_run([&](std::int64_t run) { all.push_back(run); });
  if (writer_->report.make_room(all, most) >= most + max_bytes_ / 8) is_full_ = true;
}

/// Adds notes to `missing` on the records of the batch that leave_out_details() and totals leave out.
void Recorder::note_left_out() {
  const auto leave_out = [&](const char* what, std::size_t count, const char* remedy) {
    if (count == 0) return;
    written_.missing.push_back(
        {.what = what, .count = static_cast<std::int64_t>(count), .cause = left_out::kCause, .remedy = remedy});
  };
  leave_out(left_out::kCalls, written_.calls.size() + written_.plain_calls.size(), left_out::kRemedyOfCalls);
  leave_out(left_out::kImpacts, written_.impacts.size(), left_out::kRemedy);
  leave_out(left_out::kGradientImpacts, written_.gradient_impacts.size(), left_out::kRemedy);
  leave_out(left_out::kGradientErrors, written_.gradient_errors.size(), left_out::kRemedy);
  leave_out(left_out::kRecipeMatmuls, written_.recipe_matmuls.size(), left_out::kRemedy);
  leave_out(left_out::kStaleCasts, written_.stale_casts.size(), left_out::kRemedy);
  leave_out(left_out::kDecisions, written_.decisions.size(), left_out::kRemedy);
  leave_out(left_out::kUpdates, written_.updates.size(), left_out::kRemedy);
  leave_out(left_out::kChecksums, written_.checksums.size(), left_out::kRemedy);
  leave_out(left_out::kCollectives, written_.collectives.size(), left_out::kRemedy);
  leave_out(left_out::kCollectiveSketches, written_.collective_sketches.size(), left_out::kRemedy);
  leave_out(left_out::kRanges, written_.ranges.size(), left_out::kRemedy);
}

void Recorder::append(std::int64_t run, const Batch& batch) {
  is_full() ? writer_->report.append_totals(run, batch) : writer_->report.append(run, batch);
}

void Recorder::write_batch() {
  if (broken_) return;
  const std::optional<RunAttach> attach = take_batch();
  const bool is_any =
      !is_empty(written_) || std::ranges::any_of(written_further_, [](Batch& one) { return !is_empty(one); });
  if (!is_any && !attach) return;
  try {
    if (attach) each_run([&](std::int64_t run) { writer_->report.attach(run, *attach); });
    if (!is_full()) look_at_size();
    if (is_full()) {
      note_left_out();
      leave_out_details(written_);
    }
    append(run_, written_);
    for (std::size_t i = 0; i < written_further_.size(); ++i) {
      swap_lists_of_course(written_, written_further_[i]);
      if (is_full()) leave_out_details(written_);
      append(run_ + 1 + static_cast<std::int64_t>(i), written_);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ampprof: recording stopped, the program continues: %s\n", error.what());
    failure_ = error.what();
    broken_ = true;
  }
}

void Recorder::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
  const BlockSignals block;
  write_batch();
}

void Recorder::close(const RunDetach& detach) {
  stop();
  if (!writer_ || broken_) return;
  const BlockSignals block;
  try {
    each_run([&](std::int64_t run) { writer_->report.detach(run, detach); });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ampprof: the end of the run could not be recorded: %s\n", error.what());
  }
  writer_.reset();  // so that another process that has the report open can fold it into one file
}

void Recorder::release() {
  const std::lock_guard lock(mutex_);
  batch_ = {};
  written_ = {};
  further_.assign(further_.size(), {});
  written_further_.assign(written_further_.size(), {});
  plain_calls_ = {};
  held_ = {};
  rings_ = {};
  queues_ = {};
  lasting_queues_ = {};
}

}  // namespace ampprof::profiler
