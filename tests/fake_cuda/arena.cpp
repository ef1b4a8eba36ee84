// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_cuda/arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

#include "tests/fake_cuda/settings.h"

namespace fake_cuda::arena {
namespace {

constexpr std::size_t kGranule = std::size_t{2} << 20;
constexpr std::size_t kPage = 4096;
constexpr std::size_t kReserved = std::size_t{256} << 30;  // address space for all devices together

std::size_t rounded_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

struct Arena {
  std::mutex mutex;
  int file = -1;
  std::byte* device = nullptr;  ///< the addresses that programs see; any access faults
  std::byte* host = nullptr;    ///< the same bytes, for host twins of kernels
  std::map<std::byte*, Block> blocks;
  std::map<int, std::size_t> used;
};

std::byte* mapped(int file, std::size_t bytes, int protection) {
  void* start = mmap(nullptr, bytes + kGranule, protection, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (start == MAP_FAILED) {
    std::perror("fake CUDA: mmap");
    std::abort();
  }
  madvise(start, bytes + kGranule, MADV_DONTDUMP);  // keeps it out of core dumps
  return static_cast<std::byte*>(start);
}

Arena& arena() {
  static Arena& only = *[] {
    auto* made = new Arena;
    made->file = memfd_create("fake CUDA", MFD_CLOEXEC);
    if (ftruncate(made->file, static_cast<off_t>(kReserved + kGranule)) != 0) std::abort();
    made->device = mapped(made->file, kReserved, PROT_NONE);
    made->host = mapped(made->file, kReserved, PROT_READ | PROT_WRITE);
    return made;
  }();
  return only;
}

bool is_in_arena(const Arena& all, const std::byte* address) {
  return address >= all.device && address < all.device + kReserved;
}

/// Returns the first aligned gap that is wide enough. Blocks are sorted by address.
std::byte* find_gap(const Arena& all, std::size_t bytes) {
  auto* candidate = reinterpret_cast<std::byte*>(rounded_up(reinterpret_cast<std::uintptr_t>(all.device), kGranule));
  for (const auto& [start, block] : all.blocks) {
    if (!is_in_arena(all, start)) continue;
    if (candidate + bytes <= start) break;
    candidate =
        reinterpret_cast<std::byte*>(rounded_up(reinterpret_cast<std::uintptr_t>(start + block.size), kGranule));
  }
  return candidate + bytes <= all.device + kReserved ? candidate : nullptr;
}

void* allocate_on_device(Arena& all, int device, std::size_t bytes) {
  if (all.used[device] + bytes > settings().memory) return nullptr;
  std::byte* start = find_gap(all, bytes);
  if (start == nullptr) return nullptr;
  all.used[device] += bytes;
  all.blocks[start] = {start, bytes, Kind::Device, device};
  return start;
}

void* allocate_on_host(Arena& all, int device, std::size_t bytes) {
  void* start = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return nullptr;
  all.blocks[static_cast<std::byte*>(start)] = {start, bytes, Kind::Pinned, device};
  return start;
}

}  // namespace

void* allocate(Kind kind, int device, std::size_t bytes) {
  const std::lock_guard lock(arena().mutex);
  const std::size_t whole = rounded_up(bytes, kPage);
  return kind == Kind::Device ? allocate_on_device(arena(), device, whole) : allocate_on_host(arena(), device, whole);
}

void register_host_memory(void* start, std::size_t bytes, int device) {
  const std::lock_guard lock(arena().mutex);
  arena().blocks[static_cast<std::byte*>(start)] = {start, bytes, Kind::Registered, device};
}

bool release(void* start) {
  Arena& all = arena();
  const std::lock_guard lock(all.mutex);
  const auto found = all.blocks.find(static_cast<std::byte*>(start));
  if (found == all.blocks.end()) return false;
  const Block block = found->second;
  all.blocks.erase(found);
  if (block.kind == Kind::Pinned) munmap(start, block.size);
  if (block.kind == Kind::Device) {
    all.used[block.device] -= block.size;
    const auto offset = static_cast<std::byte*>(start) - all.device;
    fallocate(all.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, static_cast<off_t>(block.size));
  }
  return true;
}

std::optional<Block> block_of(const void* address) {
  auto* byte = static_cast<std::byte*>(const_cast<void*>(address));
  const std::lock_guard lock(arena().mutex);
  auto after = arena().blocks.upper_bound(byte);
  if (after == arena().blocks.begin()) return std::nullopt;
  const Block& block = std::prev(after)->second;
  return byte < static_cast<std::byte*>(block.start) + block.size ? std::optional(block) : std::nullopt;
}

std::size_t used(int device) {
  const std::lock_guard lock(arena().mutex);
  return arena().used[device];
}

void* on_host(const void* address) {
  auto* byte = static_cast<std::byte*>(const_cast<void*>(address));
  return is_in_arena(arena(), byte) ? arena().host + (byte - arena().device) : byte;
}

}  // namespace fake_cuda::arena
