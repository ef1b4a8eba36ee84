// SPDX-License-Identifier: Apache-2.0
#include "profiler/recorder/recorder.h"

#include <pthread.h>
#include <signal.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <utility>

#include "reports/store/writer.h"

namespace ampprof::profiler {
namespace {

constexpr auto kWriteInterval = std::chrono::milliseconds(250);

bool is_empty(const Batch& batch) {
  return batch.signatures.empty() && batch.call_sites.empty() && batch.segments.empty() && batch.calls.empty() &&
         batch.losses.empty() && batch.scale_updates.empty() && batch.events.empty() && batch.missing.empty();
}

/// Keeps the memory: the program's threads would pay for every fresh page.
void clear(Batch& batch) {
  batch.signatures.clear();
  batch.call_sites.clear();
  batch.segments.clear();
  batch.calls.clear();
  batch.impacts.clear();
  batch.casts.clear();
  batch.updates.clear();
  batch.losses.clear();
  batch.scale_updates.clear();
  batch.events.clear();
  batch.missing.clear();
}

std::int64_t size_of_report(const std::filesystem::path& path) {
  std::error_code error;
  std::int64_t bytes = 0;
  for (const auto* suffix : {"", "-wal"}) {
    const auto size = std::filesystem::file_size(path.string() + suffix, error);
    if (!error) bytes += static_cast<std::int64_t>(size);
  }
  return bytes;
}

/// The writer's thread takes no signal: those are the program's.
class BlockSignals {
 public:
  BlockSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace

struct Recorder::Writer {
  std::filesystem::path path;
  std::int64_t run;
  ReportWriter report;
};

Recorder::Recorder(const std::filesystem::path& report, std::int64_t run, const RunAttach& attach)
    : writer_(new Writer{report, run, ReportWriter(report)}) {
  writer_->report.attach(run, attach);
  const BlockSignals block;
  thread_ = std::thread([this] { this->run(); });
}

Recorder::~Recorder() { stop(); }

PlainCall::PlainCall(const OpCall& call)
    : segment(call.segment),
      start_ns(call.start_ns),
      duration_ns(call.duration_ns),
      cast_bytes(call.cast_bytes),
      scale(call.scale.value_or(std::numeric_limits<double>::quiet_NaN())),
      call_site(static_cast<std::int32_t>(call.call_site)),
      signature(static_cast<std::int32_t>(call.signature)),
      thread(call.thread),
      dtype_in(call.dtype_in),
      dtype_out(call.dtype_out) {}

OpCall PlainCall::whole() const {
  OpCall call;
  call.segment = segment;
  call.call_site = call_site;
  call.signature = signature;
  call.start_ns = start_ns;
  call.duration_ns = duration_ns;
  call.thread = thread;
  call.dtype_in = dtype_in;
  call.dtype_out = dtype_out;
  call.cast_bytes = cast_bytes;
  if (!std::isnan(scale)) call.scale = scale;
  return call;
}

void Recorder::add_call(const OpCall& call) {
  const std::lock_guard lock(mutex_);
  if (broken_) return;
  if (call.local || call.ranges) {
    batch_.calls.push_back(call);
  } else {
    plain_calls_.emplace_back(call);
  }
}

void Recorder::set_before_write(std::function<void(Batch&)> before_write) {
  const std::lock_guard lock(mutex_);
  before_write_ = std::move(before_write);
}

void Recorder::attach_again(const RunAttach& attach) {
  const std::lock_guard lock(mutex_);
  attach_ = attach;
}

void Recorder::run() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, kWriteInterval, [this] { return stopping_; });
      if (stopping_) return;
    }
    write_batch();
  }
}

void Recorder::write_batch() {
  clear(written_);
  std::function<void(Batch&)> before_write;
  std::optional<RunAttach> attach;
  {
    const std::lock_guard lock(mutex_);
    if (broken_) return;
    std::swap(written_, batch_);
    std::swap(written_plain_calls_, plain_calls_);
    std::swap(attach, attach_);
    before_write = before_write_;
  }
  for (const PlainCall& call : written_plain_calls_) written_.calls.push_back(call.whole());
  written_plain_calls_.clear();
  if (before_write) before_write(written_);
  if (is_empty(written_) && !attach) return;
  try {
    if (attach) writer_->report.attach(writer_->run, *attach);
    writer_->report.append(writer_->run, written_);
    bytes_written_ = size_of_report(writer_->path);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ampprof: recording stops here, the program goes on: %s\n", error.what());
    const std::lock_guard lock(mutex_);
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
  write_batch();
}

void Recorder::close(const RunDetach& detach) {
  stop();
  if (broken_) return;
  try {
    writer_->report.detach(writer_->run, detach);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ampprof: the end of the run could not be recorded: %s\n", error.what());
  }
}

}  // namespace ampprof::profiler
