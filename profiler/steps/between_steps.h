// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "profiler/steps/pointer_filter.h"
#include "reports/records/step.h"

namespace ampprof::profiler {

/// Replaces numbers that stood for the segment of recorded calls.
struct HeldCalls {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t segment = 0;  ///< of the calls; 0: they are dropped
  std::int64_t around = 0;   ///< the same for dropped calls: events are recorded in any step

  /// Numbers are larger than all segments, and fit into 32 bits, like an id of CUPTI.
  static constexpr std::int64_t kFirstNumber = std::int64_t{1} << 31, kLastNumber = (std::int64_t{1} << 32) - 1;
};

/// Finds the step of the op calls between two steps: after the gradients of one were used, and before the next one
/// records a graph.
///
/// Such a call is *held*: a number replaces its segment until the reader of its results is known. A call belongs to the
/// next step if that step reads its results, directly or through another held call: a batch, its casts, a teacher's
/// forward. It belongs to the step before in three cases: that step's update reads its results; it reads the graph or
/// the gradients of that step, directly or through another call (figures that the program prints, with all that they
/// read); or it only writes the program's memory or reads a value, alone. All other calls belong to no step:
/// validation, saving. Knows memory by address. Not thread-safe.
class BetweenSteps {
 public:
  using Memory = const void*;
  static constexpr std::size_t kMostHeld = 1 << 14;

  enum class Reader { Nobody, StepBefore, StepAfter };

  /// Memory that a call made or wrote.
  struct Made {
    Memory memory = nullptr;
    std::shared_ptr<const void> keeps_address{};  ///< keeps the address from being reused; null: see keeps()
  };
  struct Begun {
    std::int64_t now_ns = 0;
    std::int64_t overhead_ns = 0;  ///< time of ampprof's own since the run began
  };

  struct Call {
    std::span<const Memory> reads{};
    bool reads_step = false;           ///< it reads the graph or the gradients of the step before
    bool makes_graph = false;          ///< the graph continues that of the step before
    bool only_writes_or_asks = false;  ///< it creates no tensor
  };

  /// Holds a call that has begun. Numbers must ascend.
  void hold(std::int64_t number, const Begun& begun, const Call& call);
  /// Returns whether a held call has made this memory, and a reference keeps the address already.
  bool keeps(Memory memory) const { return maker_of(memory) != nullptr; }
  /// Ends the held call of this number, which has made this memory.
  void made(std::int64_t number, std::span<const Made> made);
  void read(Memory memory, Reader reader);
  /// Says that the next step uses the graph that held calls made.
  void use_graph();
  /// Returns whether held calls made a graph.
  bool has_graph() const { return std::ranges::any_of(ops_, &Op::makes_graph); }
  /// Says that the next step begins.
  void end(const Begun& begun) { end_ = begun; }

  bool is_empty() const { return ops_.empty(); }
  bool is_full() const { return ops_.size() >= kMostHeld; }

  struct Decision {
    std::vector<Segment> segments{};  ///< each a stretch of calls of one kind: of the step after, or of no step
    std::vector<HeldCalls> calls{};
  };
  /// Returns the segments of the held calls. `before` and `after` are segments of the two steps; calls of a step that
  /// is not recorded are dropped. `ids` is the id of the newest segment, and grows.
  Decision decide(const Segment& before, const Segment& after, std::int64_t& ids) const;

 private:
  struct Op {
    std::int64_t number = 0;
    Begun begun;
    Reader reader = Reader::Nobody;
    bool is_read = false;  ///< by any call
    bool reads_step = false;
    bool makes_graph = false;
    bool only_writes_or_asks = false;
    std::size_t first_read = 0;  ///< of other held calls, an index in reads_
    std::size_t reads = 0;       ///< number of these
  };
  struct Maker {
    std::size_t op = 0;
    std::shared_ptr<const void> keeps_address{};
  };

  const Maker* maker_of(Memory memory) const;
  std::span<const std::size_t> reads_of(const Op& op) const {
    return std::span(reads_).subspan(op.first_read, op.reads);
  }
  void read(std::size_t op, Reader reader);
  std::vector<Reader> readers() const;

  std::vector<Op> ops_;
  std::vector<std::size_t> reads_;  ///< held calls that others read, call by call
  std::unordered_map<Memory, Maker> makers_;
  PointerFilter known_;  ///< of makers_
  Begun end_;
};

}  // namespace ampprof::profiler
