// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Stream.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace ampprof::tensors {

/// Device memory for small results, in stream order. Kernels add to slots; one copy per stream brings all slots to the
/// host. Not thread-safe.
class DeviceSlots {
 public:
  using Arrived = std::function<void(const void* found)>;

  /// Returns `bytes` of zeros for the next kernel on this stream, aligned for any number. bring_all() passes the
  /// content to `arrived`.
  void* next(const c10::Stream& stream, std::size_t bytes, Arrived arrived);
  /// Waits for all streams that have slots, copies the slots to the host and frees them.
  void bring_all();
  /// Returns whether `is_so` is true for a stream that has slots.
  bool any_stream(const std::function<bool(const c10::Stream&)>& is_so) const;
  /// Drops all slots.
  void clear() { pieces_.clear(); }

 private:
  struct Taken {
    std::size_t place;
    Arrived arrived;
  };
  struct Piece {
    c10::Stream stream;
    at::Tensor memory;  ///< bytes, on the stream's device
    std::size_t used = 0;
    std::vector<Taken> taken{};
  };

  Piece& piece_with_room(const c10::Stream& stream, std::size_t bytes);

  std::vector<Piece> pieces_;  ///< one per stream, or several if the first is full
};

}  // namespace ampprof::tensors
