// SPDX-License-Identifier: Apache-2.0
#include "amp_core/launch/launch.h"

#include <gtest/gtest.h>

#include <map>
#include <ostream>

#include "amp_core/levels/error.h"

namespace amp::parallel {
namespace launch_test {

using Variables = std::map<std::string, std::string>;

constexpr int kParent = 4711;

std::optional<Launch> launch_of(const Variables& variables) {
  const auto value = [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
  return find_launch(value, kParent);
}

struct Case {
  const char* name;
  Variables variables;
  Launch expected;
};

void PrintTo(const Case& item, std::ostream* stream) { *stream << item.name; }

const Variables kTorchrun{
    {"RANK", "5"},         {"WORLD_SIZE", "8"},      {"LOCAL_RANK", "1"},  {"LOCAL_WORLD_SIZE", "4"},
    {"MASTER_ADDR", "n1"}, {"MASTER_PORT", "29400"}, {"SLURM_PROCID", "0"}};
const Variables kSlurm{{"SLURM_PROCID", "9"},  {"SLURM_STEP_NUM_TASKS", "16"}, {"SLURM_LOCALID", "1"},
                       {"SLURM_JOB_ID", "20"}, {"SLURM_STEP_ID", "2"},         {"SLURM_STEP_NODELIST", "gpu[03-10]"}};
const Variables kMpi{{"OMPI_COMM_WORLD_RANK", "3"},
                     {"OMPI_COMM_WORLD_SIZE", "4"},
                     {"OMPI_COMM_WORLD_LOCAL_RANK", "3"},
                     {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}};

Variables with(Variables variables, const Variables& more) {
  for (const auto& [name, value] : more) variables[name] = value;
  return variables;
}

class OfLauncher : public ::testing::TestWithParam<Case> {};

TEST_P(OfLauncher, IsRead) { EXPECT_EQ(launch_of(GetParam().variables), GetParam().expected); }

INSTANTIATE_TEST_SUITE_P(
    Launch, OfLauncher,
    ::testing::Values(
        Case{"torchrun_inside_slurm", kTorchrun, {"torchrun", 5, 8, 1, "n1", 29400, false, 0}},
        Case{"torchrun_that_keeps_the_store",
             with(kTorchrun, {{"TORCHELASTIC_USE_AGENT_STORE", "True"}, {"TORCHELASTIC_RESTART_COUNT", "2"}}),
             {"torchrun", 5, 8, 1, "n1", 29400, true, 2}},
        Case{"srun", kSlurm, {"Slurm", 9, 16, 1, "gpu03", 15022, false, 0}},
        Case{"mpirun_on_one_machine", kMpi, {"Open MPI", 3, 4, 3, "127.0.0.1", 15000 + kParent, false, 0}},
        Case{"mpirun_with_an_address",
             with(kMpi, {{"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}, {"MASTER_ADDR", "n7"}, {"MASTER_PORT", "1234"}}),
             {"Open MPI", 3, 4, 3, "n7", 1234, false, 0}},
        Case{"hydra",
             {{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}, {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "2"}},
             {"MPICH", 1, 2, 1, "127.0.0.1", 15000 + kParent, false, 0}}),
    [](const auto& info) { return info.param.name; });

TEST(Launch, IsNothingWithoutALauncher) {
  EXPECT_EQ(launch_of({}), std::nullopt);
  EXPECT_EQ(launch_of({{"RANK", "0"}}), std::nullopt) << "of how many?";
  EXPECT_EQ(launch_of({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}}), std::nullopt) << "a batch script is one process";
}

TEST(Launch, RefusesWhatCannotBeWithASentence) {
  const auto refused = [](const Variables& variables, const char* words) {
    try {
      launch_of(variables);
      FAIL() << words;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  refused(with(kTorchrun, {{"RANK", "8"}}), "rank 8 of 8");
  refused(with(kTorchrun, {{"RANK", "-1"}}), "RANK is \"-1\"");
  refused(with(kTorchrun, {{"WORLD_SIZE", "many"}}), "WORLD_SIZE is \"many\"");
  refused(with(kTorchrun, {{"MASTER_PORT", "70000"}}), "MASTER_PORT is 70000");
  refused(with(kMpi, {{"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}}), "Set MASTER_ADDR");
}

TEST(Launch, FindsTheFirstHostOfASlurmList) {
  EXPECT_EQ(first_host("n1"), "n1");
  EXPECT_EQ(first_host("n1,n2"), "n1");
  EXPECT_EQ(first_host("n[07-09,12],m1"), "n07");
  EXPECT_EQ(first_host("rack1-n[3]"), "rack1-n3");
  EXPECT_EQ(first_host(""), "");
}

}  // namespace launch_test
}  // namespace amp::parallel
