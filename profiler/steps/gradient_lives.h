// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ampprof::profiler {

/// A leaf tensor; never used again for another one.
using LeafId = std::int64_t;

/// A backward pass that accumulates into leaves.
struct LeafPass {
  std::int64_t id = 0;              ///< above 0
  std::int64_t segment = 0;         ///< that it began in
  std::int32_t place = 0;           ///< line of the program that called it; 0 where that is unknown
  std::int64_t optimizer_call = 0;  ///< call of an optimizer's step() that it runs inside of; 0 outside of any
  bool follows_claims = false;      ///< when it began, another pass of its step had claimed leaves
};

/// A pass claims a leaf: it is for the gradient that was used, or thrown away.
struct Claim {
  LeafPass pass{};
  LeafId leaf = 0;
};

/// Follows the gradients of leaves from the pass that they are fresh in to their use, and says which pass claims which
/// leaves.
///
/// A gradient's *life* begins with the pass that finds the leaf fresh: without a gradient, or cleared since the last
/// pass, or written since the gradient was used. It is *used* when the program reads it outside of backward, or an
/// optimizer updates the leaf. The pass that began it claims the leaf then. If a pass reaches leaves that optimizers
/// hold, it claims nothing before one of these is used: else it attacks an input. If all of its lives were cleared
/// unused, it claims them all: the program threw the step away. A pass that raised, or that only adds to lives, claims
/// nothing. Not thread-safe.
class GradientLives {
 public:
  void begin(const LeafPass& pass);
  /// The pass is about to add to the gradient of this leaf.
  void reach(std::int64_t pass, LeafId leaf);
  /// The gradient is gone, but nobody cleared it: a hook took it away inside the pass, or the leaf has died.
  void drop(LeafId leaf);
  void end(std::int64_t pass, bool raised);

  void use(LeafId leaf);
  void clear(LeafId leaf);
  /// The program writes to the leaf, outside of backward.
  void write(LeafId leaf);
  /// Optimizers update these leaves.
  void hold(std::span<const LeafId> leaves);

  /// Returns what was claimed since the last call.
  std::vector<Claim> take_claims() { return std::exchange(claims_, {}); }
  /// Returns whether a gradient of this leaf ever began a life.
  bool has_lived(LeafId leaf) const { return lived_.contains(leaf); }
  /// The gradient of a leaf.
  struct Life {
    std::int64_t pass = 0;  ///< that began it
    bool is_used = false;
    bool is_written = false;  ///< since it was used
  };
  /// Returns null where the leaf has no gradient. Good until the next event.
  const Life* life_of(LeafId leaf) const {
    const auto life = lives_.find(leaf);
    return life == lives_.end() ? nullptr : &life->second;
  }
  bool holds_any() const { return !held_.empty(); }
  /// Returns the leaves whose gradients nobody has used.
  std::vector<LeafId> unused() const;
  /// Counts what nobody has used.
  struct Unused {
    std::int64_t leaves = 0;  ///< that have a gradient
    std::int64_t passes = 0;  ///< that have ended, and of which no gradient was used
  };
  const Unused& count_unused() const { return unused_; }
  /// Returns whether, before any leaf was held, passes reached one of these but claimed none, and at most one claimed
  /// some: they attacked inputs of the first step.
  bool attacked_inputs_of(std::span<const LeafId> held) const;

 private:
  struct OpenPass {
    LeafPass pass;
    std::vector<LeafId> reached{};
    std::vector<LeafId> born{};     ///< whose lives it began
    std::vector<LeafId> waiting{};  ///< used, until a leaf that is held is used
    std::size_t alive = 0;          ///< of its lives
    bool has_ended = false;
    bool is_used = false;
    bool claims = false;
  };
  /// Says what a pass reached and claimed before any leaf was held.
  struct EarlyPass {
    std::vector<LeafId> reached, claimed;
  };

  bool reaches_held(const OpenPass& pass) const;
  void erase(std::unordered_map<LeafId, Life>::iterator life);
  void end_life(LeafId leaf);
  void claim(OpenPass& pass, LeafId leaf);
  void throw_away(OpenPass& pass);
  void forget(std::int64_t pass);

  std::unordered_map<LeafId, Life> lives_;
  std::unordered_map<std::int64_t, OpenPass> passes_;  ///< in progress, or with lives
  std::unordered_set<LeafId> lived_, held_;
  std::vector<Claim> claims_;
  std::vector<EarlyPass> early_;
  Unused unused_;
};

}  // namespace ampprof::profiler
