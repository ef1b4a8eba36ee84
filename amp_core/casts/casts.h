// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

/// Puts O1's casts in force on the calling thread: from now on, functions run in the type that Apex's lists name.
/// initialize() calls it at O1; a program with forward passes on other threads calls it there. Backward is never cast.
void enable_casts_on_this_thread();
void disable_casts_on_this_thread();

/// Whether casts are in force on the calling thread now (not inside a DisableCasts scope).
bool casts_enabled();

/// Forgets the FP16 copies of weights that the calling thread holds.
void clear_cast_cache();

/// A scope in which nothing is cast: the optimizer's step, or a function that the user wants in FP32 throughout.
///
/// Guards nest, and must die on the thread that made them. A torch.autocast region inside the scope works as usual.
class [[nodiscard]] DisableCasts {
 public:
  DisableCasts();
  ~DisableCasts();
  DisableCasts(const DisableCasts&) = delete;
  DisableCasts& operator=(const DisableCasts&) = delete;

 private:
  bool were_enabled_;
  bool cpu_key_;
  bool cuda_key_;
};

}  // namespace amp
