// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/device_slots.h"

#include <ATen/ATen.h>
#include <c10/core/StreamGuard.h>

#include <algorithm>
#include <utility>

#include "reports/records/dtype.h"

namespace ampprof::tensors {
namespace {

constexpr std::size_t kFirst = std::size_t{1} << 16;
constexpr std::size_t kAlignment = 16;

std::size_t rounded_up(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

std::size_t size_of(const at::Tensor& memory) { return static_cast<std::size_t>(memory.numel()); }

}  // namespace

DeviceSlots::Piece& DeviceSlots::piece_with_room(const c10::Stream& stream, std::size_t bytes) {
  std::size_t largest = kFirst / 2;
  for (Piece& piece : pieces_) {
    if (piece.stream != stream) continue;
    if (size_of(piece.memory) - piece.used >= bytes) return piece;
    largest = std::max(largest, size_of(piece.memory));
  }
  const auto size = static_cast<std::int64_t>(std::max(2 * largest, bytes));
  const auto options = at::TensorOptions(stream.device()).dtype(at::kByte);
  return pieces_.emplace_back(Piece{.stream = stream, .memory = at::zeros({size}, options)});
}

void* DeviceSlots::next(const c10::Stream& stream, std::size_t bytes, Arrived arrived) {
  const std::size_t whole = rounded_up(bytes);
  Piece& piece = piece_with_room(stream, whole);
  const std::size_t place = std::exchange(piece.used, piece.used + whole);
  piece.taken.push_back({place, std::move(arrived)});
  return static_cast<std::byte*>(piece.memory.mutable_data_ptr()) + place;
}

bool DeviceSlots::any_stream(const std::function<bool(const c10::Stream&)>& is_so) const {
  return std::ranges::any_of(pieces_, [&](const Piece& piece) { return !piece.taken.empty() && is_so(piece.stream); });
}

void DeviceSlots::bring_all() {
  for (Piece& piece : pieces_) {
    if (piece.taken.empty()) continue;
    const c10::StreamGuard on_stream(piece.stream);
    const at::Tensor used = piece.memory.narrow(0, 0, static_cast<std::int64_t>(piece.used));
    const at::Tensor here = used.to(at::kCPU, /*non_blocking=*/false, /*copy=*/true);
    for (const Taken& taken : piece.taken) {
      taken.arrived(static_cast<const std::byte*>(here.const_data_ptr()) + taken.place);
    }
    used.zero_();
    piece.used = 0;
    piece.taken.clear();
  }
  // Keeps only the largest piece of each stream. From the second step on, this piece has room for nearly all results of
  // a step.
  const auto is_larger = [](const Piece& a, const Piece& b) { return size_of(a.memory) > size_of(b.memory); };
  std::ranges::stable_sort(pieces_, is_larger);
  std::vector<Piece> kept;
  for (Piece& piece : pieces_) {
    const auto same = [&](const Piece& other) { return other.stream == piece.stream; };
    if (std::ranges::none_of(kept, same)) kept.push_back(std::move(piece));
  }
  pieces_ = std::move(kept);
}

}  // namespace ampprof::tensors
