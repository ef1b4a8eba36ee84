// SPDX-License-Identifier: Apache-2.0
// Errors and ranges: compares the outputs of a call with the counterparts that a PairSource supplies.
#include <ATen/ATen.h>

#include <algorithm>
#include <utility>

#include "precision/tensors/plain_memory.h"
#include "precision/tensors/sketch_of.h"
#include "profiler/calls/call.h"
#include "profiler/stages/pair_source.h"
#include "profiler/stages/stages.h"

namespace ampprof::profiler {
namespace {

class ErrorStage : public Stage {
 public:
  ErrorStage(std::unique_ptr<PairSource> source, tensors::DeferredReductions& results, std::size_t run,
             bool makes_sketches)
      : source_(std::move(source)), results_(results), run_(run), makes_sketches_(makes_sketches) {}

  bool wants(const OpInfo& info) const override { return source_->wants(info); }

  std::unique_ptr<StageCall> begin(Call& call) override;

  void batch_completed() override { source_->batch_completed(); }

  const std::unique_ptr<PairSource> source_;
  tensors::DeferredReductions& results_;
  const std::size_t run_;
  const bool makes_sketches_;
};

class ErrorCall : public StageCall {
 public:
  explicit ErrorCall(ErrorStage& stage) : stage_(stage) {}

  void after(Call& call) override {
    call.pairs.clear();
    std::optional<Pairs> found = stage_.source_->after(call);
    if (!found) return;
    // A recompute repeats ops of a checkpoint, which were already measured in the forward.
    if (call.phase != Phase::Recompute) measure(call, *found);
    std::erase_if(found->pairs, [](const OutputPair& pair) { return !pair.high.defined(); });
    call.pairs = std::move(found->pairs);
    if (is_first() && call.figures.statistics.is_complete()) call.figures.statistics.put(call.record);
  }

  bool is_complete() const override { return further_.is_complete(); }

  void complete(PendingCall& call) override {
    CallStatistics& statistics = is_first() ? call.figures.statistics : further_;
    statistics.complete(stage_.results_);
    if (is_first()) statistics.put(call.record);
  }

  void add_further(const OpCall& record, std::vector<OpCall>& further) const override {
    if (is_first()) return;
    OpCall& own = further.emplace_back(record);
    own.local.reset();
    own.ranges.reset();
    own.exponents.clear();
    further_.put(own);
  }

 private:
  bool is_first() const { return stage_.run_ == 0; }

  void measure(Call& call, Pairs& found) {
    CallStatistics& statistics = is_first() ? call.figures.statistics : further_;
    if (found.pairs.empty() && found.measures_if_none) return measure_ranges(call, statistics);
    const bool makes_sketches = stage_.makes_sketches_ && call.sampled && !call.info.is_collective;
    const std::vector<at::Tensor> outputs =
        makes_sketches ? reference::tensors_in(call.results()) : std::vector<at::Tensor>{};
    const std::vector<std::uint64_t> places =
        makes_sketches ? tensors::places_of(outputs) : std::vector<std::uint64_t>{};
    call.figures.sketches.resize(std::max(outputs.size(), call.figures.sketches.size()));
    for (OutputPair& pair : found.pairs) {
      const auto at = static_cast<std::size_t>(
          std::ranges::find_if(outputs, [&](const at::Tensor& output) { return output.is_same(pair.output); }) -
          outputs.begin());
      tensors::SketchBeside sketch{.start = at < outputs.size() ? places[at] : 0};
      if (pair.high.defined() || pair.measured || at < outputs.size()) {
        add(statistics, pair, at < outputs.size() ? &sketch : nullptr);
      } else {
        add_alone(call, statistics, pair.low);
      }
      if (at < outputs.size()) call.figures.sketches[at] = sketch.made;
    }
  }

  void add(CallStatistics& statistics, OutputPair& pair, tensors::SketchBeside* sketch) const {
    if (pair.measured) return statistics.add(*pair.measured);
    const bool differs = statistics.add(pair.low, pair.high, stage_.results_.if_deferred(pair.low), sketch);
    pair.is_equal = !differs && pair.matmul == Matmul::None;
  }

  /// Adds an output without a counterpart. Measures its ranges only in steps recorded in full. In other steps, only
  /// checks whether it is finite, because ranges in each step would be most of the cost of an FP32 recording.
  void add_alone(const Call& call, CallStatistics& statistics, const at::Tensor& output) {
    tensors::DeferredReductions* const later = stage_.results_.if_deferred(output);
    if (later == nullptr && !call.in_full && tensors::is_finite(output)) return statistics.add_finite();
    statistics.add(output, {}, later);
  }

  /// Measures ranges. For a further run of the report, copies the ranges of the first run, unless they are still on a
  /// device.
  void measure_ranges(Call& call, CallStatistics& statistics) {
    if (!is_first() && call.figures.are_ranges_only && call.figures.statistics.is_complete()) {
      statistics = call.figures.statistics;
      return;
    }
    for (const at::Tensor& output : reference::tensors_in(call.results())) {
      if (tensors::is_measurable(output)) add_alone(call, statistics, output);
    }
    call.figures.are_ranges_only = is_first();
  }

  ErrorStage& stage_;
  CallStatistics further_{};  ///< statistics for a further run; those of the first run are in Call::figures
};

std::unique_ptr<StageCall> ErrorStage::begin(Call& call) {
  source_->before(call);
  return std::make_unique<ErrorCall>(*this);
}

}  // namespace

std::unique_ptr<Stage> make_error_stage(std::unique_ptr<PairSource> source, tensors::DeferredReductions& results,
                                        std::size_t run, bool makes_sketches) {
  return std::make_unique<ErrorStage>(std::move(source), results, run, makes_sketches);
}

}  // namespace ampprof::profiler
