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

/// A range of held calls (BetweenSteps), and their segment. A held call is recorded with a number instead of its
/// segment until the segment is decided.
struct HeldCalls {
  std::int64_t first = 0;    ///< number of the first call
  std::int64_t last = 0;     ///< number of the last call
  std::int64_t segment = 0;  ///< segment of the calls; 0 if the calls are dropped
  std::int64_t around = 0;   ///< like `segment`, but also set for dropped calls, whose events are recorded

  /// Numbers of held calls are larger than all segment ids. They fit into 32 bits, as CUPTI's external correlation ids
  /// require.
  static constexpr std::int64_t kFirstNumber = std::int64_t{1} << 31, kLastNumber = (std::int64_t{1} << 32) - 1;
};

/// Decides to which step the op calls between two steps belong: calls after the program has used the gradients of one
/// step, and before it records a graph in the next.
///
/// Such a call is *held*: a number replaces its segment until the reader of its results is known. A call belongs to the
/// next step if that step reads its results, directly or through another held call: a batch, its casts, a teacher's
/// forward. A call belongs to the step before in three cases: that step's update reads its results; it reads the graph
/// or the gradients of that step, directly or through another call (metrics that the program prints, with all that they
/// read); or it only writes in place or reads a value, and neither reads nor feeds another held call. All other calls
/// belong to no step: validation, saving. Storages are identified by address. Not thread-safe.
class BetweenSteps {
 public:
  using Memory = const void*;  ///< address of a storage
  static constexpr std::size_t kMostHeld = 1 << 14;

  enum class Reader { Nobody, StepBefore, StepAfter };

  /// A storage that a call made or wrote to.
  struct Made {
    Memory memory = nullptr;
    std::shared_ptr<const void> keeps_address{};  ///< prevents reuse of the address; may be null if keeps(memory)
  };
  /// The time at which a call began.
  struct Begun {
    std::int64_t now_ns = 0;
    std::int64_t overhead_ns = 0;  ///< ampprof's own time since the recording began
  };

  struct Call {
    std::span<const Memory> reads{};
    bool reads_step = false;           ///< the call reads the graph or the gradients of the step before
    bool makes_graph = false;          ///< the call extends the graph of the step before
    bool only_writes_or_asks = false;  ///< the call creates no tensor
  };

  /// Holds a call that has begun. The numbers of successive calls must increase.
  void hold(std::int64_t number, const Begun& begun, const Call& call);
  /// Returns whether a held call made this storage. The storage's address is then protected from reuse.
  bool keeps(Memory memory) const { return maker_of(memory) != nullptr; }
  /// Notes the storages that the held call of this number has made or written to.
  void made(std::int64_t number, std::span<const Made> made);
  /// Notes that `reader` reads a storage. Assigns the held call that made the storage to `reader`, with all held calls
  /// whose results that call read, directly or through other held calls.
  void read(Memory memory, Reader reader);
  /// Notes that the next step uses the graph that held calls made.
  void use_graph();
  /// Returns whether held calls made a graph.
  bool has_graph() const { return std::ranges::any_of(ops_, &Op::makes_graph); }
  /// Sets the time at which the next step begins.
  void end(const Begun& begun) { end_ = begun; }

  bool is_empty() const { return ops_.empty(); }
  bool is_full() const { return ops_.size() >= kMostHeld; }

  struct Decision {
    std::vector<Segment> segments{};  ///< one per series of calls that all belong to the next step, or all to no step
    std::vector<HeldCalls> calls{};
  };
  /// Returns the segments of the held calls. `before`, `after`: the segments around the held calls. Drops calls of a
  /// step that is not recorded. `ids`: the newest segment id, which each new segment increments.
  Decision decide(const Segment& before, const Segment& after, std::int64_t& ids) const;

 private:
  struct Op {
    std::int64_t number = 0;
    Begun begun;
    Reader reader = Reader::Nobody;
    bool is_read = false;  ///< another call reads this op's results
    bool reads_step = false;
    bool makes_graph = false;
    bool only_writes_or_asks = false;
    std::size_t first_read = 0;  ///< index in reads_ at which the entries of this op begin
    std::size_t reads = 0;       ///< number of entries of this op in reads_
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
  std::vector<std::size_t> reads_;  ///< indices in ops_ of the calls whose results each op reads, op by op
  std::unordered_map<Memory, Maker> makers_;
  PointerFilter known_;  ///< filter for the keys of makers_
  Begun end_;
};

}  // namespace ampprof::profiler
