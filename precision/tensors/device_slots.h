// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Stream.h>

#include <cstddef>
#include <functional>
#include <vector>

namespace ampprof::tensors {

/// Memory on devices for results of any kind, in the order of streams: slots that kernels add to, all brought to the host
/// in one copy for each stream. Not thread-safe.
class DeviceSlots {
 public:
  using Arrived = std::function<void(const void* found)>;

  /// Returns `bytes` of zeros for what this stream does next, aligned for any number. bring_all() calls `arrived` with
  /// what lies there then.
  void* next(const c10::Stream& stream, std::size_t bytes, Arrived arrived);
  /// Waits for the streams that have slots, and empties these.
  void bring_all();
  /// Whether `is_so` holds for a stream that has slots.
  bool any_stream(const std::function<bool(const c10::Stream&)>& is_so) const;
  /// Forgets all slots.
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

  std::vector<Piece> pieces_;  ///< of each stream one, or more until all is brought
};

}  // namespace ampprof::tensors
