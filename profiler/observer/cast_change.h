// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace ampprof::profiler {

class MissingNotes;

/// Replaces cast rules while the program runs (`ampprof ctl policy FILE`). The rules of the file take precedence over
/// older ones. Thread-safe.
class CastChange {
 public:
  /// Reads the policy in the file `path`, which apply() will apply. Returns a sentence on the change, to which the
  /// caller appends the step. Throws amp::Error or std::runtime_error, and changes nothing, if the policy cannot be
  /// applied.
  std::string ask(const std::string& path);

  /// Applies the newest policy. Called on a training thread when a step begins. Registers cast kernels for ops that no
  /// earlier policy named. LibTorch registers kernels without a lock, so no other thread may be running such an op.
  /// `seen`: number of the policy that the loop of this thread applied last; set to the newest. Adds a note to
  /// `missing`, because the report mixes the results of two policies.
  void apply(std::uint64_t& seen, std::int64_t step, MissingNotes& missing);

 private:
  std::atomic<std::uint64_t> number_{0};  ///< number of the newest policy; 0 if there is none
  std::mutex mutex_;
  std::string path_;
  std::string text_;
  std::uint64_t in_autocast_ = 0;  ///< number of the policy that torch.autocast applies
};

}  // namespace ampprof::profiler
