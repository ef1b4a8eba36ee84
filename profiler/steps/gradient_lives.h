// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ampprof::profiler {

/// Number of a leaf tensor. It is never reused.
using LeafId = std::int64_t;

/// A backward pass that accumulates into leaves.
struct LeafPass {
  std::int64_t id = 0;              ///< above 0
  std::int64_t segment = 0;         ///< in which the pass began
  std::int32_t place = 0;           ///< line of the program that called it; 0 if unknown
  std::int64_t optimizer_call = 0;  ///< call of an optimizer's step() that it runs in; 0 outside of any
  bool follows_claims = false;      ///< when it began, another pass of its step had claimed leaves
};

/// A pass claims a leaf: its gradient was used, or thrown away.
struct Claim {
  LeafPass pass{};
  LeafId leaf = 0;
};

/// Follows the gradients of leaves to their use, and decides which pass claims which leaves.
///
/// A gradient's *life* begins with a pass that finds the leaf fresh: without a gradient, or cleared since the last
/// pass, or written since the gradient was used. The life is *used* when the program reads the gradient outside of
/// backward, or an optimizer updates the leaf. Then the pass that began the life claims the leaf. There are three
/// exceptions. A pass that reaches leaves of optimizers claims nothing before one of these is used: until then it may
/// attack an input. A pass whose lives were all cleared unused claims them all: the program threw the step away. A pass
/// that raised, or that only adds to lives, claims nothing. Not thread-safe.
class GradientLives {
 public:
  void begin(const LeafPass& pass);
  /// Says that the pass is about to add to the gradient of this leaf.
  void reach(std::int64_t pass, LeafId leaf);
  /// Removes a gradient that was not cleared: a hook took it away inside the pass, or the leaf has died.
  void drop(LeafId leaf);
  void end(std::int64_t pass, bool raised);

  void use(LeafId leaf);
  void clear(LeafId leaf);
  /// Says that the program writes to the leaf, outside of backward.
  void write(LeafId leaf);
  /// Says that optimizers update these leaves.
  void hold(std::span<const LeafId> leaves);

  /// Returns the claims since the last call.
  std::vector<Claim> take_claims() { return std::exchange(claims_, {}); }
  /// Returns whether a gradient of this leaf ever began a life.
  bool has_lived(LeafId leaf) const { return lived_.contains(leaf); }
  /// The gradient of a leaf.
  struct Life {
    std::int64_t pass = 0;  ///< pass that began it
    bool is_used = false;
    bool is_written = false;  ///< after it was used
  };
  /// Returns null where the leaf has no gradient. Good until the next event.
  const Life* life_of(LeafId leaf) const {
    const auto life = lives_.find(leaf);
    return life == lives_.end() ? nullptr : &life->second;
  }
  bool holds_any() const { return !held_.empty(); }
  /// Returns the leaves with unused gradients.
  std::vector<LeafId> unused() const;
  /// Counts unused gradients.
  struct Unused {
    std::int64_t leaves = 0;  ///< with an unused gradient
    std::int64_t passes = 0;  ///< ended, without any used gradient
  };
  const Unused& count_unused() const { return unused_; }
  /// Returns whether the passes before any leaf was held attacked inputs of the first step: at least one reached a leaf
  /// of `held` but claimed none, and at most one claimed some.
  bool attacked_inputs_of(std::span<const LeafId> held) const;

 private:
  struct OpenPass {
    LeafPass pass;
    std::vector<LeafId> reached{};
    std::vector<LeafId> born{};     ///< leaves whose lives it began
    std::vector<LeafId> waiting{};  ///< used leaves that wait until a leaf of an optimizer is used
    std::size_t alive = 0;          ///< number of its lives
    bool has_ended = false;
    bool is_used = false;
    bool claims = false;
  };
  /// The leaves that a pass reached and claimed before any leaf was held.
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
  std::unordered_map<std::int64_t, OpenPass> passes_;  ///< in progress, or with live gradients
  std::unordered_set<LeafId> lived_, held_;
  std::vector<Claim> claims_;
  std::vector<EarlyPass> early_;
  Unused unused_;
};

}  // namespace ampprof::profiler
