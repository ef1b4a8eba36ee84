// SPDX-License-Identifier: Apache-2.0
#include "amp_core/launch/launch.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "amp_core/launch/launcher.h"
#include "amp_core/levels/error.h"

namespace amp::parallel {
namespace {

constexpr int kFirstPort = 15000;
constexpr int kPorts = 15000;  // ports 15000 to 29999, below the ephemeral ports
constexpr int kLargestPort = 65535;

/// Returns the value of a variable; "" if it is not set.
std::string text(const Environment& environment, const char* name) {
  const char* value = environment(name);
  return value == nullptr ? "" : value;
}

/// Reads a number; of a Slurm list such as "4(x2),3", the first number.
std::optional<int> number(const Environment& environment, const char* name) {
  const std::string value = text(environment, name);
  if (value.empty()) return std::nullopt;
  int parsed = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  const bool is_number = error == std::errc() && (end == value.data() + value.size() || *end == '(' || *end == ',');
  if (!is_number || parsed < 0) {
    throw Error(std::string("amp::parallel: ") + name + " is \"" + value + "\"; it must be a whole number, 0 or more.");
  }
  return parsed;
}

const Launcher* find_launcher(const Environment& environment) {
  const auto is_it = [&](const Launcher& variables) {
    return !text(environment, variables.rank).empty() && !text(environment, variables.world_size).empty();
  };
  const auto found = std::find_if(std::begin(kLaunchers), std::end(kLaunchers), is_it);
  return found == std::end(kLaunchers) ? nullptr : found;
}

std::string master_address(const Environment& environment, const Launcher& variables, int world_size) {
  if (std::string given = text(environment, "MASTER_ADDR"); !given.empty()) return given;
  if (const std::string hosts = text(environment, "SLURM_STEP_NODELIST"); !hosts.empty()) return first_host(hosts);
  if (number(environment, variables.local_world_size) == world_size || world_size == 1) return "127.0.0.1";
  throw Error(std::string("amp::parallel: ") + variables.name +
              " started ranks on several machines but does not say where they meet. Set MASTER_ADDR to the host of "
              "rank 0 and MASTER_PORT to a free port on it, the same for all ranks; with mpirun, pass -x "
              "MASTER_ADDR=... -x MASTER_PORT=...");
}

int master_port(const Environment& environment, int parent) {
  if (const auto given = number(environment, "MASTER_PORT")) {
    if (*given >= 1 && *given <= kLargestPort) return *given;
    throw Error("amp::parallel: MASTER_PORT is " + std::to_string(*given) + "; ports range from 1 to 65535.");
  }
  const auto job = number(environment, "SLURM_JOB_ID");
  const int step = number(environment, "SLURM_STEP_ID").value_or(0);
  return kFirstPort + (job ? *job + step : parent) % kPorts;
}

void check(const Launch& launch) {
  if (launch.world_size >= 1 && launch.rank < launch.world_size) return;
  throw Error("amp::parallel: " + launch.launcher + " says that this is rank " + std::to_string(launch.rank) + " of " +
              std::to_string(launch.world_size) + "; a rank must be less than the number of ranks.");
}

}  // namespace

std::optional<Launch> find_launch(const Environment& environment, int parent) {
  const Launcher* variables = find_launcher(environment);
  if (variables == nullptr) return std::nullopt;
  Launch launch;
  launch.launcher = variables->name;
  launch.rank = *number(environment, variables->rank);
  launch.world_size = *number(environment, variables->world_size);
  launch.local_rank = number(environment, variables->local_rank).value_or(0);
  check(launch);
  launch.master_address = master_address(environment, *variables, launch.world_size);
  launch.master_port = master_port(environment, parent);
  launch.has_store = text(environment, "TORCHELASTIC_USE_AGENT_STORE") == "True";
  launch.attempt = number(environment, "TORCHELASTIC_RESTART_COUNT").value_or(0);
  return launch;
}

std::string first_host(std::string_view slurm_list) {
  const auto end = slurm_list.find_first_of("[,");
  std::string host(slurm_list.substr(0, end));
  if (end == std::string_view::npos || slurm_list[end] == ',') return host;
  const std::string_view numbers = slurm_list.substr(end + 1);
  host += numbers.substr(0, numbers.find_first_of("-,]"));
  return host;
}

}  // namespace amp::parallel
