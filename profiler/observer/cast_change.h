// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace ampprof::profiler {

class MissingNotes;

/// Applies a cast policy while the program runs (`ampprof ctl policy FILE`). Its rules take precedence over older ones.
/// Thread-safe.
class CastChange {
 public:
  /// Reads the policy in `path`, which apply() puts in force later. Returns a sentence about the change, to which the
  /// caller appends the step. Throws amp::Error or std::runtime_error if the policy cannot be put in force; nothing
  /// changes then.
  std::string ask(const std::string& path);

  /// Applies the newest policy. Called on a training thread when a step begins. An op that no earlier policy named gets
  /// its cast kernel here. LibTorch registers the kernel without a lock, so no other thread may be running the op.
  /// `seen`: number of the policy that the thread's loop applied last; set to the newest. Adds a note to `missing`,
  /// because the report mixes the results of two policies.
  void apply(std::uint64_t& seen, std::int64_t step, MissingNotes& missing);

 private:
  std::atomic<std::uint64_t> number_{0};  ///< number of the newest policy; 0 if there is none
  std::mutex mutex_;
  std::string path_;
  std::string text_;
  std::uint64_t in_autocast_ = 0;  ///< number of the policy whose rules were given to torch.autocast
};

}  // namespace ampprof::profiler
