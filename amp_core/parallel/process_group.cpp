// SPDX-License-Identifier: Apache-2.0
#define USE_C10D_GLOO  // LibTorch itself was built with this definition
#include "amp_core/parallel/process_group.h"

#include <ATen/Context.h>
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <sstream>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "amp_core/launch/launch.h"
#include "amp_core/levels/error.h"
#include "amp_core/parallel/collectives.h"
#include "amp_core/parallel/nccl_plugin.h"

namespace amp::parallel {
namespace {

constexpr const char* kLibrary = "libamp_core_nccl.so";

std::filesystem::path beside_this_library() {
  Dl_info here{};
  if (dladdr(reinterpret_cast<const void*>(&beside_this_library), &here) == 0 || here.dli_fname == nullptr)
    return kLibrary;
  return std::filesystem::path(here.dli_fname).replace_filename(kLibrary);
}

/// Returns NCCL for a group; null without a GPU, or if libamp_core_nccl.so is not in the folder of libamp_core.so. Only
/// libamp_core_nccl.so needs a LibTorch with CUDA, so this function loads it, and only if there is a GPU.
c10::intrusive_ptr<c10d::Backend> make_nccl(const c10::intrusive_ptr<c10d::Store>& store, int rank, int world_size,
                                            std::chrono::milliseconds timeout) {
  if (!at::hasCUDA() || at::detail::getCUDAHooks().deviceCount() == 0) return nullptr;
  const std::filesystem::path library = beside_this_library();
  if (!exists(library)) return nullptr;
  void* const loaded = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);  // never closed: objects of the library live on
  if (loaded == nullptr) {
    throw Error("amp::parallel cannot load " + library.string() + ", which provides NCCL: " + dlerror());
  }
  const auto make = reinterpret_cast<MakeNccl*>(dlsym(loaded, kMakeNccl));
  if (make == nullptr)
    throw Error("amp::parallel: " + library.string() + " belongs to another version of amp_core: " + dlerror());
  c10::intrusive_ptr<c10d::Backend> backend;
  make(store, rank, world_size, timeout, backend);
  return backend;
}

using c10d::ProcessGroupGloo;
using BackendType = c10d::ProcessGroup::BackendType;

c10::intrusive_ptr<c10d::Backend> make_gloo(const c10::intrusive_ptr<c10d::Store>& store, int rank, int world_size,
                                            std::chrono::milliseconds timeout) {
  const auto options = ProcessGroupGloo::Options::create(timeout);
  const char* interface = std::getenv("GLOO_SOCKET_IFNAME");
  const bool is_named = interface != nullptr && *interface != '\0';
  options->devices.push_back(is_named ? ProcessGroupGloo::createDeviceForInterface(interface)
                                      : ProcessGroupGloo::createDefaultDevice());
  return c10::make_intrusive<ProcessGroupGloo>(store, rank, world_size, options);
}

c10::intrusive_ptr<c10d::Store> part_of(const c10::intrusive_ptr<c10d::Store>& store, const char* name) {
  return c10::make_intrusive<c10d::PrefixStore>(name, store);
}

/// Adds a group's backends: Gloo for tensors on the CPU, and for GPUs where NCCL is not available; NCCL for GPUs. All
/// ranks of the group call it. `GLOO_SOCKET_IFNAME` names the network interface of Gloo, as in PyTorch.
void add_backends(c10d::ProcessGroup& group, const c10::intrusive_ptr<c10d::Store>& store,
                  std::chrono::milliseconds timeout) {
  const int rank = group.getRank();
  const int world_size = group.getSize();
  const auto gloo = make_gloo(part_of(store, "gloo"), rank, world_size, timeout);
  group.setBackend(at::kCPU, BackendType::GLOO, gloo);
  const auto nccl = make_nccl(part_of(store, "nccl"), rank, world_size, timeout);
  group.setBackend(at::kCUDA, nccl ? BackendType::NCCL : BackendType::GLOO, nccl ? nccl : gloo);
  group.setDefaultBackend(nccl ? BackendType::NCCL : BackendType::GLOO);
}

/// The rank, store and groups that init() creates.
struct World {
  Launch launch;
  InitOptions options;
  Store store = nullptr;
  ProcessGroup group = nullptr;
  int groups_made = 0;
};

struct Shared {
  std::mutex mutex;
  std::unique_ptr<World> world;
};

/// Returns the state of the process. Never destroyed: the destructor of a group could wait for ranks that have exited.
Shared& shared() {
  static auto* const instance = new Shared();
  return *instance;
}

std::string seconds(std::chrono::milliseconds time) {
  std::ostringstream text;
  text << static_cast<double>(time.count()) / 1000.0 << " s";
  return text.str();
}

std::string place(const Launch& launch) { return launch.master_address + ':' + std::to_string(launch.master_port); }

Store connect(const Launch& launch, const InitOptions& options) {
  if (!options.store_file.empty()) {
    return c10::make_intrusive<c10d::FileStore>(options.store_file, launch.world_size);
  }
  c10d::TCPStoreOptions tcp;
  tcp.port = static_cast<std::uint16_t>(launch.master_port);
  tcp.isServer = launch.rank == 0 && !launch.has_store;
  tcp.waitWorkers = false;  // meet() waits, and reports missing ranks
  tcp.timeout = options.timeout;
  try {
    return c10::make_intrusive<c10d::TCPStore>(launch.master_address, tcp);
  } catch (const std::exception& error) {
    throw Error("amp::parallel::init: rank " + std::to_string(launch.rank) +
                (tcp.isServer ? " cannot open the store at " : " did not reach the store of rank 0 at ") +
                place(launch) + " within " + seconds(options.timeout) +
                ". MASTER_ADDR and MASTER_PORT set this address; the port must be free on that host and reachable from "
                "all ranks. (" +
                error.what() + ")");
  }
}

std::string key_of(int rank) { return "here/" + std::to_string(rank); }

/// Returns "rank 1" or "ranks 1 and 3" for missing ranks; "" if the store no longer answers.
std::string missing_ranks(const Store& store, int world_size) {
  std::vector<std::string> missing;
  try {
    for (int rank = 0; rank < world_size; ++rank) {
      if (!store->check({key_of(rank)})) missing.push_back(std::to_string(rank));
    }
  } catch (const std::exception&) {
    return "";
  }
  std::string list;
  for (std::size_t i = 0; i < missing.size(); ++i) {
    const bool is_last = i + 1 == missing.size();
    list += (i == 0 ? "" : is_last ? " and " : ", ") + missing[i];
  }
  return (missing.size() == 1 ? "rank " : "ranks ") + list;
}

/// Waits until all ranks have arrived.
void meet(const Store& store, int rank, int world_size, std::chrono::milliseconds timeout) {
  std::vector<std::string> keys;
  for (int each = 0; each < world_size; ++each) keys.push_back(key_of(each));
  try {
    store->set(key_of(rank), "1");
    store->wait(keys, timeout);
  } catch (const std::exception& error) {
    const std::string missing = missing_ranks(store, world_size);
    const std::string what = missing.empty() ? "rank 0 has ended, and the store that it ran for all ranks is lost"
                                             : missing + " did not join within " + seconds(timeout);
    throw Error("amp::parallel: of " + std::to_string(world_size) + " ranks, " + what +
                ". Read what each rank printed: a rank that ended or hangs before init() cannot join. (" +
                error.what() + ")");
  }
}

/// Returns the options with the timeout in AMP_PARALLEL_TIMEOUT, if it is set.
InitOptions with_forced_timeout(InitOptions options) {
  const char* forced = std::getenv("AMP_PARALLEL_TIMEOUT");
  if (forced == nullptr || *forced == '\0') return options;
  char* end = nullptr;
  const double time = std::strtod(forced, &end);
  if (*end != '\0' || !(time > 0.0) || time > 1e9) {
    throw Error("AMP_PARALLEL_TIMEOUT is \"" + std::string(forced) +
                "\"; it must be a number above 0: the seconds that a rank waits for the other ranks.");
  }
  options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(time * 1000.0));
  return options;
}

Launch launch_of_this_process() {
  const auto found = find_launch([](const char* name) { return std::getenv(name); }, static_cast<int>(getppid()));
  return found.value_or(Launch{});
}

void make_group_of_all(World& world) {
  world.group = make_group(world.store, world.launch.rank, world.launch.world_size, world.options);
}

World make_world(const InitOptions& options) {
  World world{.launch = launch_of_this_process(), .options = options};
  if (world.launch.launcher.empty()) {
    world.store = c10::make_intrusive<c10d::HashStore>();  // default_group() makes the group with a single rank
    return world;
  }
  world.store = c10::make_intrusive<c10d::PrefixStore>("amp/attempt" + std::to_string(world.launch.attempt),
                                                       connect(world.launch, options));
  make_group_of_all(world);
  return world;
}

World& initialized(const char* caller) {
  if (const auto& world = shared().world) return *world;
  throw Error(std::string("amp::parallel::") + caller +
              " was called before amp::parallel::init(), which makes the group of all ranks.");
}

Launch launch_in_force() {
  const std::lock_guard lock(shared().mutex);
  return shared().world == nullptr ? Launch{} : shared().world->launch;
}

}  // namespace

void init(const InitOptions& options) {
  const std::lock_guard lock(shared().mutex);
  if (shared().world != nullptr) {
    throw Error(
        "amp::parallel::init was called twice. The first call makes the group of all ranks; use new_group() for "
        "further groups.");
  }
  shared().world = std::make_unique<World>(make_world(with_forced_timeout(options)));
}

bool is_initialized() {
  const std::lock_guard lock(shared().mutex);
  return shared().world != nullptr;
}

int rank() { return launch_in_force().rank; }
int local_rank() { return launch_in_force().local_rank; }
int world_size() { return launch_in_force().world_size; }

ProcessGroup default_group() {
  const std::lock_guard lock(shared().mutex);
  World& world = initialized("default_group");
  if (!world.group) make_group_of_all(world);
  return world.group;
}

ProcessGroup new_group(const std::vector<int>& ranks) {
  const std::lock_guard lock(shared().mutex);
  World& world = initialized("new_group");
  const auto self = std::find(ranks.begin(), ranks.end(), world.launch.rank);
  const bool is_rising = std::adjacent_find(ranks.begin(), ranks.end(), std::greater_equal<>()) == ranks.end();
  if (self == ranks.end() || !is_rising || ranks.front() < 0 || ranks.back() >= world.launch.world_size) {
    throw Error("amp::parallel::new_group takes valid ranks in ascending order, including this rank (" +
                std::to_string(world.launch.rank) + " of " + std::to_string(world.launch.world_size) + ").");
  }
  std::string name = "group" + std::to_string(world.groups_made++);
  for (const int member : ranks) name += '/' + std::to_string(member);
  const auto store = c10::make_intrusive<c10d::PrefixStore>(name, world.store);
  return make_group(store, static_cast<int>(self - ranks.begin()), static_cast<int>(ranks.size()), world.options);
}

ProcessGroup make_group(const Store& store, int rank, int world_size, const InitOptions& options) {
  meet(store, rank, world_size, options.timeout);
  return with_lost_rank_error("init", [&] {
    auto group = c10::make_intrusive<c10d::ProcessGroup>(store, rank, world_size);
    add_backends(*group, store, options.timeout);
    return group;
  });
}

void shutdown() {
  const std::lock_guard lock(shared().mutex);
  shared().world.reset();
}

}  // namespace amp::parallel
