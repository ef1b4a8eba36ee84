// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

namespace ampprof::profiler {

class MissingNotes;

/// Puts a policy in force while the program runs (`ampprof ctl policy FILE`): its rules beat the older ones.
/// Thread-safe.
class CastChange {
 public:
  /// Reads a policy, which apply() puts in force. Returns a sentence on the change, without its end. Throws amp::Error
  /// or std::runtime_error if the policy cannot be put in force. Then nothing changes.
  std::string ask(const std::string& path);

  /// Applies the newest policy when a step begins on the training thread. An op that no policy has named before gets
  /// its kernel here. LibTorch does not lock that, so no other thread may be inside this op. `seen`: the number of the
  /// policy that the thread's loop applied last. The report notes the change, since its figures mix both policies.
  void apply(std::uint64_t& seen, std::int64_t step, MissingNotes& missing);

 private:
  std::atomic<std::uint64_t> number_{0};  ///< of the newest policy; 0 if there is none
  std::mutex mutex_;
  std::string path_;
  std::string text_;
  std::uint64_t in_autocast_ = 0;  ///< the number of the policy whose rules torch.autocast has
};

}  // namespace ampprof::profiler
