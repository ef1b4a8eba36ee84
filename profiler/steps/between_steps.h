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

/// Says what became of numbers that calls were recorded with, in the place of a segment.
struct HeldCalls {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t segment = 0;  ///< that the calls are of; 0: they are not recorded after all
  std::int64_t around = 0;   ///< the same where they are not: events are recorded of any step

  /// Numbers lie beyond all segments, and in 32 bits, as an id of CUPTI has them.
  static constexpr std::int64_t kFirstNumber = std::int64_t{1} << 31, kLastNumber = (std::int64_t{1} << 32) - 1;
};

/// Finds out which step the op calls are of that lie between two steps: after the gradients of one were used, and
/// before the next one records a graph.
///
/// Such a call is *held*: a number stands for its segment until it is known who reads what the call made. If the step
/// after it does, itself or through another held call, the call is of that step: a batch, its casts, the forward of a
/// teacher. If the update of the step before does, it is of that one. So are calls that read the graph or the gradients
/// of the step before, themselves or through another, such as figures that the program prints, with what they read; and
/// those that only write into memory of the program or read a value, by themselves. All others are of no step:
/// validation, saving. Knows memory by address. Not thread-safe.
class BetweenSteps {
 public:
  using Memory = const void*;
  static constexpr std::size_t kMostHeld = 1 << 14;

  enum class Reader { Nobody, StepBefore, StepAfter };

  /// Holds what a call made or wrote.
  struct Made {
    Memory memory = nullptr;
    std::shared_ptr<const void>
        keeps_address{};  ///< nothing else comes to lie there while this lives; null: see keeps()
  };
  struct Begun {
    std::int64_t now_ns = 0;
    std::int64_t overhead_ns = 0;  ///< time of ampprof's own since the run began
  };

  struct Call {
    std::span<const Memory> reads{};
    bool reads_step = false;           ///< the graph or the gradients of the step before
    bool makes_graph = false;          ///< that goes on from that of the step before
    bool only_writes_or_asks = false;  ///< it makes nothing new
  };

  /// Holds a call that has begun. Numbers ascend.
  void hold(std::int64_t number, const Begun& begun, const Call& call);
  /// Returns whether a held call has made this, and something keeps its address already.
  bool keeps(Memory memory) const { return maker_of(memory) != nullptr; }
  /// The held call of this number has ended and made these.
  void made(std::int64_t number, std::span<const Made> made);
  void read(Memory memory, Reader reader);
  /// The graph that held calls made is used, in the next step.
  void use_graph();
  /// Returns whether there is such a graph.
  bool has_graph() const { return std::ranges::any_of(ops_, &Op::makes_graph); }
  /// The next step begins.
  void end(const Begun& begun) { end_ = begun; }

  bool is_empty() const { return ops_.empty(); }
  bool is_full() const { return ops_.size() >= kMostHeld; }

  struct Decision {
    std::vector<Segment> segments{};  ///< each a stretch of calls of one kind: of the step after, or of none
    std::vector<HeldCalls> calls{};
  };
  /// Returns where the held calls are. `before`, `after`: segments of the two steps; calls of one that is not recorded
  /// are not kept. `ids` is the id of the newest segment, and grows.
  Decision decide(const Segment& before, const Segment& after, std::int64_t& ids) const;

 private:
  struct Op {
    std::int64_t number = 0;
    Begun begun;
    Reader reader = Reader::Nobody;
    bool is_read = false;  ///< by whomever
    bool reads_step = false;
    bool makes_graph = false;
    bool only_writes_or_asks = false;
    std::size_t first_read = 0;  ///< of other held calls, in reads_
    std::size_t reads = 0;       ///< how many
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
