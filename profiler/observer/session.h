// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "precision/error/device_results.h"
#include "profiler/calls/late_call.h"
#include "profiler/calls/memo.h"
#include "profiler/calls/op_info.h"
#include "profiler/calls/signatures.h"
#include "profiler/calls/stage.h"
#include "profiler/calls/thread_state.h"
#include "profiler/gpu/recording.h"
#include "profiler/impact/impact_ledger.h"
#include "profiler/impact/rounded_inputs.h"
#include "profiler/nvtx/sink_to_ranges.h"
#include "profiler/observer/course.h"
#include "profiler/overflow/nonfinite_trace.h"
#include "profiler/recorder/recorder.h"
#include "profiler/scopes/backward_links.h"
#include "profiler/scopes/masters.h"
#include "profiler/scopes/module_names.h"
#include "profiler/scopes/names.h"
#include "profiler/torch_hooks/backward_pass.h"
#include "reports/recording/options.h"
#include "reports/records/records.h"

namespace at {
class Tensor;
}

namespace ampprof {
class Shadow;
}

namespace ampprof::profiler {

/// The state of one recording: where the program is (step, phase, module), and what was seen of it.
///
/// There is one per process, made when LibTorch appears; current() is null before, after the end, and in forked
/// children. It is never deleted, since threads of the program may still be inside a call. Thread-safe.
class Session {
 public:
  static Session* current() { return current_.load(std::memory_order_acquire); }
  /// Records in memory only, until write_from_here_on(). `resident_at_start`: what memory was used when LibTorch had
  /// been loaded.
  static void start(const recording::Options& options, std::int64_t resident_at_start);
  /// Throws where the report cannot be opened.
  void write_from_here_on() { recorder_.open(); }
  /// Ends what was never written.
  static void drop();
  /// Nothing is seen from here on; the recorder is left alone (a forked child must not touch it).
  static void forget() { current_.store(nullptr, std::memory_order_release); }
  /// The program ends: writes what is left.
  static void finish();

  std::int64_t now_ns() const;
  const recording::Options& options() const { return options_; }
  /// Where this tensor's figures come later; null where they are computed at once.
  DeviceResults* results_of(const at::Tensor& tensor);
  /// Null where no GPU is recorded.
  GpuRecording* gpu() const { return gpu_.get(); }
  /// Whether another tool takes ampprof's own ranges.
  bool is_listened_to() const { return is_listened_to_; }
  /// Takes the ranges that the program marks.
  const RangeSink& range_sink() const { return sink_to(ranges_); }
  /// Null without --inherited.
  Shadow* shadow() const { return shadow_.get(); }

  // Around each op call, from the observer.
  const OpInfo& info_of(const c10::OperatorHandle& op, ThreadState& thread);
  /// Fills in phase, segment and call site. False when the call is not recorded.
  bool begin(BareCall& call);
  void end(BareCall& call, std::int64_t overhead_ns);
  void record(const BareCall& call);
  /// Where its figures come later, at the end of the step.
  void record(Call& call);

  // Scopes and steps, from the hooks and the AMP engine.
  void module_seen(const void* module);
  void module_entered(const void* module);
  void scope_entered(std::int32_t name, const void* identity);
  void scope_left();
  std::int32_t intern(const char* name);
  void parameter_named(void* tensor, const char* name);
  /// The module that makes a forward call with these arguments; "" where that is unknown.
  std::string module_making_call(c10::ArrayRef<c10::IValue> arguments);
  void master_created(const at::Tensor& parameter, const at::Tensor& master);
  void optimizer_begun(OptimizerStepKind kind = OptimizerStepKind::Updates);
  void optimizer_ended(const void* optimizer, bool skipped);
  void step_ended();

  // The autograd engine, from the hooks.
  /// What a call of the engine is for; `root` is the sequence number of the node that it begins at.
  BackwardPass begin_backward(std::optional<std::uint64_t> root, bool accumulates);
  void end_backward(const BackwardPass& pass);
  void custom_function_ended();
  /// Around each graph that torch.compile() made: what its kernels do is not seen as op calls.
  void compiled_begun();
  void compiled_ended();
  /// The program says what it multiplies its losses by.
  void set_loss_scale(double scale);
  /// After each call that the observer saw, recorded or not.
  void leave_call(ThreadState& thread);

  // What an AMP engine or a GradScaler does.
  void engine_started(const std::string& level);
  bool has_engine() const { return has_engine_.load(std::memory_order_relaxed); }
  void loss_seen(int loss_id, double value, double scale);
  void scale_in_force(std::optional<double> scale);
  void scale_updated(int loss_id, double before, double after, bool overflow, bool skipped);
  /// An event with the culprit, the chain and the largest safe scale that the trace of this backward knows.
  OverflowEvent event_of_trace();
  /// `parameters` are named by parameter_name().
  void overflowed(OverflowEvent event);
  /// A GradScaler takes the scale off these gradients of one optimizer. `scale` is empty where it leaves that to the
  /// optimizer's kernel.
  void gradients_unscaled(const at::Tensor& first_gradient, std::optional<double> scale);
  /// A GradScaler, known by its scale tensor, is done with a step. `overflow`: it left updates out.
  void scaler_decided(const void* scaler, double before, double after, bool overflow);
  std::string parameter_name(const at::Tensor& parameter);
  /// The known parameter whose gradient is `gradient`; "" where there is none.
  std::string owner_of_gradient(const at::Tensor& gradient);

  /// The FP32 master of a parameter; undefined where there is none.
  at::Tensor master_of(const at::Tensor& parameter);
  /// The current segment, if it has inherited error and loss impact.
  std::optional<std::int64_t> deep_segment();
  /// The current backward pass brought the gradient that an error met.
  /// `function`: of a custom autograd function whose output it is, the node; 0 for none.
  void impact_seen(const ImpactLedger::Error& error, double gradient_times_error, std::uint64_t function = 0);
  void impact_missed(const ImpactLedger::Error& error, ImpactGap gap);
  void weights_updated(WeightUpdate update);
  /// Time that ampprof takes outside the calls that it observes.
  void add_overhead(std::int64_t ns);

  void add_missing(const std::string& what, const std::string& cause, const std::string& remedy);
  /// A cast that AMP inserted in the call in progress on this thread, or the call that it just made. Where it is from,
  /// segment and call site, is filled in here.
  void add_cast(const CastRecord& cast);
  /// The AMP engine rounded an input of a model.
  void input_rounded(const at::Tensor& original, const at::Tensor& rounded);
  void memory_seen(std::int64_t resident_bytes);
  NonfiniteTrace& trace() { return trace_; }
  RoundedInputs& rounded_inputs() { return rounded_inputs_; }

 private:
  struct SiteCounter {
    struct InSegment {
      std::int64_t segment = 0;
      std::int32_t calls = 0;
    };
    std::vector<InSegment> counts;    ///< by course
    std::vector<std::int64_t> sites;  ///< by ordinal
  };
  /// The forward of a custom autograd function that has ended: a checkpoint with reentry runs it once more.
  struct Function {
    std::vector<std::pair<std::int32_t, std::int64_t>> calls;  ///< op and call site, in order
    std::size_t next = 0;                                      ///< of them, once it is run again
  };
  /// A pass whose scale is not known yet, of the current segment.
  struct OpenPass {
    std::int64_t id = 0;
    LossFactor factor;
    bool has_ended = false;
  };

  Session(const recording::Options& options, std::int64_t resident_at_start);

  Course& first_course() { return *courses_.front(); }
  Course& course_of(const ThreadState& thread);
  Course& course_of_updates_on(ThreadState& thread);
  void notice_custom_function(ThreadState& thread);
  void notice_scaling(BareCall& call);
  void notice_unscaling(const BareCall& call);
  void notice_update(const BareCall& call, const ArgumentsSeen& arguments);
  std::vector<GradientLeaves::Identity> leaves_written(const BareCall& call, const ArgumentsSeen& arguments) const;
  using Leaves = std::vector<GradientLeaves::Identity>;
  void updated(ThreadState& thread, const void* optimizer, const Leaves& leaves, bool skipped);
  Leaves leaves_of(Course& course, const void* optimizer, const Leaves& written);
  void close_function(ThreadState& thread);
  std::optional<std::int64_t> site_of_first_run(const BareCall& call);
  void note_unknown_factor(const LossFactor& factor);
  void scale_of_pass(std::int64_t pass, double scale);
  enum class Settle { Ended, All };
  void settle_open_passes(Settle which);
  Phase phase_of(const BareCall& call) const;
  void advance_segment(const BareCall& call, const ArgumentsSeen& arguments);
  void finish_segment(Course& course, const std::optional<Segment>& finished);
  std::int32_t module_of(const BareCall& call);
  std::int32_t module_in_script(const std::string& path);
  std::int32_t module_around(c10::ArrayRef<c10::IValue> arguments, std::int32_t scope);
  SiteCounter& counter_of(Phase phase, std::int32_t module, const OpInfo& info);
  std::int64_t site_at(SiteCounter& counter, std::size_t ordinal, Phase phase, const BareCall& call);
  void find_site(BareCall& call);
  std::optional<double> scale_of_call() const;
  std::optional<double> scale_of(const LossFactor& factor) const;
  void note_compiled_graphs();
  void note_absent_losses();
  void note_own_types();
  void note_without_values(BareCall& call, const ArgumentsSeen& arguments);
  std::int64_t signature_of(const BareCall& call, const ArgumentsSeen& arguments);
  void decide_recording(Course& course);
  bool is_recorded(const Course& course) const;
  std::unique_lock<std::mutex> locked();
  void complete_late_calls();
  void take_impacts(Batch& batch);
  void take_what_is_in_progress(Batch& batch);
  bool is_followed(const Course& course) const;
  void restart_shadow(Course& course);
  void describe_again(const std::vector<DeviceClocks>& gpus);
  void open_gpu();
  void collect_gpu();
  void collect_ranges();
  void finish_ranges();
  void mark_step();
  std::string text_of(std::int32_t name);
  std::vector<DeviceClocks> finish_gpu(RunDetach& detach);
  void note_missing(const std::string& what, const std::string& cause, const std::string& remedy);

  static std::atomic<Session*> current_;
  static constexpr std::int32_t kUnknownModule = 0;  ///< the empty path

  const recording::Options options_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::int64_t resident_at_start_ = 0;
  RunAttach attach_;
  Recorder recorder_;
  std::unique_ptr<GpuRecording> gpu_;
  const bool is_listened_to_;
  std::uint64_t marked_level_ = 0;  ///< ampprof's own ranges that are open for other tools; 0 for none
  std::uint64_t marked_step_ = 0;
  Ranges& ranges_;  ///< never freed: a range may be marked whenever that would be
  std::vector<std::unique_ptr<Stage>> stages_;
  const std::unique_ptr<Shadow> shadow_;

  std::atomic<bool> has_engine_{false};
  std::atomic<bool> expects_fp32_;  ///< O0 was asked of a program that has no engine, and it has kept to it so far
  std::atomic<std::int64_t> largest_resident_{0};  ///< 0 without the memory stage
  // What calls leave when they end, without the lock; locked() takes it up.
  std::atomic<std::int64_t> last_end_ns_{0};
  std::atomic<std::int64_t> overhead_ns_{0};
  std::mutex mutex_;  ///< guards what follows
  StepNumbers numbers_;
  std::vector<std::unique_ptr<Course>> courses_;  ///< never empty
  OpInfos ops_{stages_};
  Names names_;
  ModuleNames module_names_;
  BackwardLinks links_;
  std::unordered_map<std::uint64_t, SiteCounter> counters_;
  Memo<SiteCounter*> counter_memo_;
  std::unordered_map<std::uint64_t, std::int64_t> signatures_;
  Memo<std::int64_t> signature_memo_;
  std::map<std::pair<std::string, std::string>, Missing> missing_;
  std::int64_t compiled_graphs_ = 0;  ///< calls of graphs that torch.compile() made
  std::int64_t unseen_ns_ = 0;        ///< in these, outside of op calls
  std::int64_t steps_ns_ = 0;         ///< of the segments that are finished
  bool has_noted_script_paths_ = false;
  std::int64_t site_count_ = 0;
  std::int64_t calls_without_site_ = 0;  ///< of their own
  std::int64_t settled_end_ns_ = 0;
  std::int64_t settled_overhead_ns_ = 0;
  std::optional<double> scale_;  ///< an AMP engine's, during its backward
  int loss_id_ = 0;
  std::int64_t passes_ = 0;                      ///< of losses, so far
  std::vector<OpenPass> open_passes_;            ///< their impacts wait for a scale
  std::map<const void*, double> scalers_;        ///< GradScalers by their scale tensor, and their scale
  std::optional<double> unscaled_by_;            ///< what a GradScaler last divided by, in this segment
  std::optional<double> said_scale_;             ///< what the program multiplies its losses by itself
  std::optional<double> guessed_scale_;          ///< the same where nobody says it
  std::map<std::uint64_t, Function> functions_;  ///< of this segment, by the number of their node
  ImpactLedger impacts_;
  Masters masters_;
  DeviceResults results_;  ///< has a lock of its own
  std::vector<LateCall> late_calls_;
  NonfiniteTrace trace_;                  ///< has a lock of its own
  RoundedInputs rounded_inputs_;          ///< has a lock of its own
};

/// Counts the time of its life as ampprof's own.
class [[nodiscard]] OverheadTime {
 public:
  explicit OverheadTime(Session& session) : session_(session), begun_(session.now_ns()) {}
  ~OverheadTime() { session_.add_overhead(session_.now_ns() - begun_); }
  OverheadTime(const OverheadTime&) = delete;
  OverheadTime& operator=(const OverheadTime&) = delete;

 private:
  Session& session_;
  std::int64_t begun_;
};

}  // namespace ampprof::profiler
