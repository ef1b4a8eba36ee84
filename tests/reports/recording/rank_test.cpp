// SPDX-License-Identifier: Apache-2.0
#include "reports/recording/rank.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace ampprof::recording {
namespace rank_test {

using Environment = std::map<std::string, std::string>;

struct Launched {
  const char* name;
  Environment environment;
  const char* rank;
  const char* local_rank;
};

void PrintTo(const Launched& launched, std::ostream* out) { *out << launched.name; }

class Rank : public testing::TestWithParam<Launched> {};

TEST_P(Rank, IsWhatTheLauncherTells) {
  const auto value_of = [&](const char* name) {
    const auto found = GetParam().environment.find(name);
    return found == GetParam().environment.end() ? nullptr : found->second.c_str();
  };
  EXPECT_STREQ(first_set(kRankVariables, value_of), GetParam().rank);
  EXPECT_STREQ(first_set(kLocalRankVariables, value_of), GetParam().local_rank);
}

INSTANTIATE_TEST_SUITE_P(
    Launchers, Rank,
    testing::Values(
        Launched{"none", {{"RANK", ""}}, nullptr, nullptr},
        Launched{"torchrun", {{"RANK", "5"}, {"LOCAL_RANK", "1"}}, "5", "1"},
        Launched{"open_mpi", {{"OMPI_COMM_WORLD_RANK", "5"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "1"}}, "5", "1"},
        Launched{"mpich", {{"PMI_RANK", "5"}, {"MPI_LOCALRANKID", "1"}}, "5", "1"},
        Launched{"slurm", {{"SLURM_PROCID", "5"}, {"SLURM_LOCALID", "1"}}, "5", "1"},
        Launched{"torchrun_in_a_slurm_job",
                 {{"SLURM_PROCID", "0"}, {"SLURM_LOCALID", "0"}, {"RANK", "3"}, {"LOCAL_RANK", "3"}},
                 "3",
                 "3"},
        Launched{"mpirun_in_a_slurm_job",
                 {{"SLURM_PROCID", "0"}, {"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "2"}},
                 "2",
                 "2"}),
    [](const auto& info) { return info.param.name; });

}  // namespace rank_test
}  // namespace ampprof::recording
