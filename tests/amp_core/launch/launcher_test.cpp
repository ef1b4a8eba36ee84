// SPDX-License-Identifier: Apache-2.0
#include "amp_core/launch/launcher.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace amp::parallel {
namespace launcher_test {

using Environment = std::map<std::string, std::string>;

auto reader_of(const Environment& environment) {
  return [&environment](const char* name) -> const char* {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  };
}

struct Launched {
  const char* name;
  Environment environment;
  const char* rank;
  const char* local_rank;
  RankIdentity place;
};

void PrintTo(const Launched& launched, std::ostream* out) { *out << launched.name; }

class Rank : public testing::TestWithParam<Launched> {};

TEST_P(Rank, IsWhatTheLauncherTells) {
  const auto value_of = reader_of(GetParam().environment);
  EXPECT_STREQ(first_set(&Launcher::rank, value_of), GetParam().rank);
  EXPECT_STREQ(first_set(&Launcher::local_rank, value_of), GetParam().local_rank);
}

TEST_P(Rank, IsPartOfThePlace) { EXPECT_EQ(place_of(reader_of(GetParam().environment)), GetParam().place); }

INSTANTIATE_TEST_SUITE_P(
    Launchers, Rank,
    testing::Values(
        Launched{"none", {{"RANK", ""}}, nullptr, nullptr, {}},
        Launched{"torchrun",
                 {{"RANK", "5"}, {"WORLD_SIZE", "8"}, {"LOCAL_RANK", "1"}},
                 "5",
                 "1",
                 {.rank = 5, .world_size = 8, .local_rank = 1}},
        Launched{"torchrun_of_one",
                 {{"RANK", "0"}, {"WORLD_SIZE", "1"}, {"LOCAL_RANK", "0"}},
                 "0",
                 "0",
                 {.rank = 0, .world_size = 1, .local_rank = 0}},
        Launched{"a_rank_alone", {{"RANK", "2"}}, "2", nullptr, {.rank = 2}},
        Launched{"no_number", {{"RANK", "first"}, {"WORLD_SIZE", "8"}}, "first", nullptr, {}},
        Launched{"a_negative_number", {{"RANK", "-1"}}, "-1", nullptr, {}},
        Launched{"open_mpi",
                 {{"OMPI_COMM_WORLD_RANK", "5"}, {"OMPI_COMM_WORLD_SIZE", "6"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}},
                 "5",
                 "1",
                 {.rank = 5, .world_size = 6, .local_rank = 1}},
        Launched{"mpich",
                 {{"PMI_RANK", "5"}, {"PMI_SIZE", "6"}, {"MPI_LOCALRANKID", "1"}},
                 "5",
                 "1",
                 {.rank = 5, .world_size = 6, .local_rank = 1}},
        Launched{"slurm",
                 {{"SLURM_PROCID", "5"}, {"SLURM_STEP_NUM_TASKS", "6"}, {"SLURM_LOCALID", "1"}},
                 "5",
                 "1",
                 {.rank = 5, .world_size = 6, .local_rank = 1}},
        Launched{"slurm_of_one_task",
                 {{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_LOCALID", "0"}},
                 "0",
                 "0",
                 {}},
        Launched{"an_interactive_allocation", {{"SLURM_PROCID", "0"}, {"SLURM_LOCALID", "0"}}, "0", "0", {}},
        Launched{"torchrun_in_a_slurm_job",
                 {{"SLURM_PROCID", "0"},
                  {"SLURM_STEP_NUM_TASKS", "2"},
                  {"SLURM_LOCALID", "0"},
                  {"RANK", "3"},
                  {"WORLD_SIZE", "16"},
                  {"LOCAL_RANK", "3"}},
                 "3",
                 "3",
                 {.rank = 3, .world_size = 16, .local_rank = 3}},
        Launched{"mpirun_in_a_slurm_job",
                 {{"SLURM_PROCID", "0"}, {"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "2"}},
                 "2",
                 "2",
                 {.rank = 2, .local_rank = 2}}),
    [](const auto& info) { return info.param.name; });

TEST(NameOfPlace, TellsALauncherFromOneAroundIt) {
  const Environment in_slurm{
      {"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_LOCALID", "0"}, {"LOCAL_RANK", ""}};
  Environment in_torchrun = in_slurm;
  in_torchrun["RANK"] = "0";
  in_torchrun["WORLD_SIZE"] = "2";
  in_torchrun["LOCAL_RANK"] = "0";
  EXPECT_EQ(rank_identity_text(reader_of({})), "");
  EXPECT_EQ(rank_identity_text(reader_of(in_slurm)), "Slurm 0 2 0");
  EXPECT_EQ(rank_identity_text(reader_of(in_torchrun)), "torchrun 0 2 0");
  EXPECT_EQ(rank_identity_text(reader_of({{"RANK", "2"}})), "torchrun 2 - -");
}

}  // namespace launcher_test
}  // namespace amp::parallel
