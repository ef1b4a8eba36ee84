// SPDX-License-Identifier: Apache-2.0
#include "cli/launch/machine/doctor.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "cli/launch/program/find_torch.h"
#include "cli/launch/program/samples.h"
#include "reports/text/listed.h"
#include "reports/text/numbers.h"
#include "reports/text/usage_error.h"
#include "reports/version/version.h"

namespace ampprof::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kLittleSpace = 1e9;

// Never closes the library: drivers do not support unloading.
void* open_library(const std::string& name) { return dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE); }

template <class Function>
Function* function_of(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

Check check_version() {
  const std::string commit = version::commit();
  return {"ampprof", Health::Fine,
          commit.empty() ? version::number() : fmt::format("{}, commit {}", version::number(), commit), ""};
}

Check check_torch(const std::vector<std::string>& versions) {
  if (versions.empty()) {
    return {"LibTorch", Health::Broken, "this ampprof was built without LibTorch",
            "Rebuild ampprof with LIBTORCH=<directory of LibTorch>."};
  }
  return {"LibTorch", Health::Fine, fmt::format("records programs that use {}", text::listed(versions)),
          "To add another version, run in ampprof's source directory: make torch TORCH=VERSION, then make packages if "
          "ampprof came in a package"};
}

/// Checks the folder of one version. A missing recorder is Broken; other missing files only keep some programs from
/// running.
Check check_torch_folder(const std::string& version, const TorchFolder& folder) {
  const std::string name = "LibTorch " + version;
  const std::string remedy = fmt::format("Rebuild ampprof with `make torch TORCH={}`, or reinstall it.", version);
  if (!fs::exists(folder.recorder())) return {name, Health::Broken, folder.recorder().string() + " is missing", remedy};
  std::vector<std::string> missing;
  if (!fs::exists(folder.runner())) missing.emplace_back("model.pt files cannot be run");
  if (!fs::exists(folder.probe())) missing.emplace_back("matmuls cannot be timed with run --probe");
  if (missing.empty()) return {name, Health::Fine, folder.path.string(), ""};
  return {name, Health::Reduced, text::listed(missing), remedy};
}

Check check_stub(const fs::path& file) {
  if (fs::exists(file)) return {"preload stub", Health::Fine, file.string(), ""};
  return {"preload stub", Health::Broken, file.string() + " is missing", "Build or reinstall ampprof."};
}

Check check_samples(const Installation& installation) {
  try {
    const auto samples = load_samples(installation.samples());
    if (!samples.empty()) return {"samples", Health::Fine, text::listed(names_of(samples)), ""};
    return {"samples", Health::Reduced, "none", "Build ampprof with LibTorch to get samples."};
  } catch (const text::UsageError& error) {
    return {"samples", Health::Reduced, error.what(), "Rebuild or reinstall ampprof."};
  }
}

/// Checks the LibTorch for ampprof's own programs, such as samples; other programs bring their own.
Check check_own_torch(const Installation& installation) {
  const std::string name = "their LibTorch";
  try {
    const auto torch = find_own_torch("", installation);
    return {name, Health::Fine, torch ? fmt::format("{} in {}", torch->version, torch->lib.string()) : "none", ""};
  } catch (const text::UsageError& error) {
    return {name, Health::Reduced, "samples and model.pt files cannot be run", error.what()};
  }
}

std::string device_name(void* driver) {
  std::array<char, 256> name{};
  const auto get_name = function_of<int(char*, int, int)>(driver, "cuDeviceGetName");
  return get_name != nullptr && get_name(name.data(), name.size() - 1, 0) == 0 ? name.data() : "a GPU";
}

Check check_cuda() {
  const std::string remedy =
      "If the machine has a GPU, install NVIDIA's driver. Without a GPU, programs run on the CPU.";
  void* driver = open_library("libcuda.so.1");
  if (driver == nullptr) return {"CUDA driver", Health::Reduced, "none found", remedy};
  const auto init = function_of<int(unsigned)>(driver, "cuInit");
  const auto get_count = function_of<int(int*)>(driver, "cuDeviceGetCount");
  if (init == nullptr || get_count == nullptr) return {"CUDA driver", Health::Reduced, "not usable", remedy};
  if (const int error = init(0); error != 0) {
    return {"CUDA driver", Health::Reduced, fmt::format("installed, but cuInit fails with error {}", error), remedy};
  }
  int devices = 0;
  if (get_count(&devices) != 0 || devices == 0)
    return {"CUDA driver", Health::Reduced, "installed, but found no GPU", remedy};
  return {"CUDA driver", Health::Fine, fmt::format("{}, first {}", text::counted(devices, "GPU"), device_name(driver)),
          ""};
}

Check check_cuda_parts() {
  const std::string version = AMPPROF_CUDA_VERSION;
  if (!version.empty()) {
    return {"CUDA parts", Health::Fine, fmt::format("built with CUDA {}; amp_core runs LibTorch's kernels", version),
            ""};
  }
  return {"CUDA parts", Health::Reduced, "not built; the same calls work on the CPU",
          "To get the CUDA parts, rebuild ampprof on a machine with nvcc."};
}

Check check_cupti() {
  if (const std::string name = cupti_found(); !name.empty()) return {"CUPTI", Health::Fine, name, ""};
  return {"CUPTI", Health::Reduced, "not on the loader's path",
          "It is needed for GPU kernel times only, and LibTorch with CUDA has its own copy."};
}

Check check_folder(const fs::path& folder) {
  const std::string where = fs::absolute(folder).lexically_normal().string();
  if (access(folder.c_str(), W_OK) != 0) {
    return {"report folder", Health::Reduced, where + " is not writable",
            "Write the report elsewhere: ampprof run -o FILE"};
  }
  std::error_code error;
  const auto space = fs::space(folder, error);
  const double free_bytes = error ? 0 : static_cast<double>(space.available);
  const std::string finding = fmt::format("{}, {} free", where, text::bytes(free_bytes));
  if (free_bytes < kLittleSpace) {
    return {"report folder", Health::Reduced, finding, "Free some space, or limit the report: --max-report 500M"};
  }
  return {"report folder", Health::Fine, finding, ""};
}

}  // namespace

std::string cupti_found() {
  constexpr const char* kName = "libcupti.so.13";  // the recorder is built for the activity records of CUPTI 13
  return open_library(kName) != nullptr ? kName : "";
}

std::vector<Check> check_everything(const Installation& installation, const fs::path& folder) {
  const std::vector<std::string> versions = installation.torch_versions();
  std::vector<Check> checks{check_version(), check_torch(versions)};
  for (const std::string& version : versions)
    checks.push_back(check_torch_folder(version, installation.for_torch(version)));
  checks.insert(checks.end(),
                {check_stub(installation.preload_stub()), check_samples(installation), check_own_torch(installation),
                 check_cuda(), check_cuda_parts(), check_cupti(), check_folder(folder)});
  return checks;
}

}  // namespace ampprof::cli
