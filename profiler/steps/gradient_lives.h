// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ampprof::profiler {

/// Id of a leaf tensor, which is never reused, unlike its address.
using LeafId = std::int64_t;

/// A backward pass that accumulates into leaves.
struct LeafPass {
  std::int64_t id = 0;              ///< id of the pass, from 1
  std::int64_t segment = 0;         ///< segment in which the pass began
  std::int32_t place = 0;           ///< id of the line that called backward (SourcePlaces::Id); 0 if unknown
  std::int64_t optimizer_call = 0;  ///< number of the step(closure) call in which the pass runs; 0 if there is none
  bool follows_claims = false;      ///< another pass of the step claimed leaves before this pass began
};

/// Assigns a leaf's gradient to the pass that computed it, once the gradient is used or thrown away.
struct Claim {
  LeafPass pass{};
  LeafId leaf = 0;
};

/// Follows the gradients of leaves to their use, and decides which pass claims which leaves.
///
/// A gradient's *life* begins with a pass that finds the leaf fresh: it has no gradient, its gradient was cleared since
/// the last pass, or the leaf was written after its gradient was used. The life is *used* when the program reads the
/// gradient outside of backward, or when an optimizer updates the leaf. Then the pass that began the life *claims* the
/// leaf. There are three exceptions. A pass that reaches leaves of optimizers claims nothing before one of these leaves
/// is used, since the pass may be an adversarial attack on an input. A pass whose lives were all cleared unused claims
/// them all, since the program threw the step away. A pass that raised an exception, or that only adds to lives, claims
/// nothing. Not thread-safe.
class GradientLives {
 public:
  void begin(const LeafPass& pass);
  /// Notes that the pass will add to the gradient of this leaf. Call it before the gradient changes.
  void reach(std::int64_t pass, LeafId leaf);
  /// Ends the life of a gradient that the program did not clear: a hook removed it during the pass, or the leaf was
  /// freed.
  void drop(LeafId leaf);
  void end(std::int64_t pass, bool raised);

  void use(LeafId leaf);
  void clear(LeafId leaf);
  /// Notes that the program writes to the leaf outside of backward.
  void write(LeafId leaf);
  /// Notes that an optimizer updates these leaves, now or later.
  void hold(std::span<const LeafId> leaves);

  /// Returns the claims since the last call.
  std::vector<Claim> take_claims() { return std::exchange(claims_, {}); }
  /// Returns whether a gradient of this leaf ever began a life.
  bool has_lived(LeafId leaf) const { return lived_.contains(leaf); }
  /// The life of a gradient.
  struct Life {
    std::int64_t pass = 0;  ///< the pass that began the life
    bool is_used = false;
    bool is_written = false;  ///< the leaf was written after its gradient was used
  };
  /// Returns the life of this leaf's gradient; null if there is none. Valid until the next call of a non-const
  /// function.
  const Life* life_of(LeafId leaf) const {
    const auto life = lives_.find(leaf);
    return life == lives_.end() ? nullptr : &life->second;
  }
  bool holds_any() const { return !held_.empty(); }
  /// Returns the leaves with unused gradients.
  std::vector<LeafId> unused() const;
  /// Counts unused gradients.
  struct Unused {
    std::int64_t leaves = 0;  ///< leaves with an unused gradient
    std::int64_t passes = 0;  ///< passes that ended and whose gradients are all unused
  };
  const Unused& count_unused() const { return unused_; }
  /// Returns whether passes before the first hold() were adversarial attacks on inputs of the first step. A pass counts
  /// as an attack if it reached a leaf of `held` but claimed none of `held`. True if there was an attack, and at most
  /// one other pass.
  bool attacked_inputs_of(std::span<const LeafId> held) const;

 private:
  struct OpenPass {
    LeafPass pass;
    std::vector<LeafId> reached{};
    std::vector<LeafId> born{};     ///< leaves whose lives the pass began
    std::vector<LeafId> waiting{};  ///< used leaves that the pass claims once a leaf of an optimizer is used
    std::size_t alive = 0;          ///< number of lives that the pass began and that have not ended
    bool has_ended = false;
    bool is_used = false;
    bool claims = false;
  };
  /// The leaves that a pass reached and claimed before the first hold().
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
  std::unordered_map<std::int64_t, OpenPass> passes_;  ///< passes in progress or with live gradients, by id
  std::unordered_set<LeafId> lived_, held_;
  std::vector<Claim> claims_;
  std::vector<EarlyPass> early_;
  Unused unused_;
};

}  // namespace ampprof::profiler
