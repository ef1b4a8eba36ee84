// SPDX-License-Identifier: Apache-2.0
#include "amp_core/policy/function_names.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "amp_core/policy/words.h"

namespace amp {
namespace {

// Each line: a function, then the dispatcher's operators that Python and torch::nn call for it.
constexpr std::string_view kFunctions = R"(
cross_entropy      cross_entropy_loss
nll_loss           nll_loss nll_loss_nd nll_loss2d
softmin            softmax
gumbel_softmax     softmax
linear             linear addmm matmul
normalize          linalg_vector_norm norm
norm               norm linalg_vector_norm linalg_matrix_norm frobenius_norm nuclear_norm
vector_norm        linalg_vector_norm
matrix_norm        linalg_matrix_norm
pairwise_distance  pairwise_distance norm linalg_vector_norm
grid_sample        grid_sampler
affine_grid        affine_grid_generator
interpolate        upsample_nearest1d upsample_nearest2d upsample_nearest3d _upsample_nearest_exact1d _upsample_nearest_exact2d _upsample_nearest_exact3d upsample_linear1d upsample_bilinear2d upsample_trilinear3d upsample_bicubic2d _upsample_bilinear2d_aa _upsample_bicubic2d_aa
upsample           upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_linear1d upsample_bilinear2d upsample_trilinear3d upsample_bicubic2d
logsigmoid         log_sigmoid
rnn                rnn_tanh rnn_relu
attention          scaled_dot_product_attention
sdpa               scaled_dot_product_attention
)";

using Table = std::map<std::string, std::vector<std::string>, std::less<>>;

Table read_table() {
  Table table;
  for (std::string_view text = kFunctions; !text.empty();) {
    const auto line = text.substr(0, text.find('\n'));
    const auto words = words_of(line);
    if (!words.empty()) table.emplace(words.front(), std::vector<std::string>(words.begin() + 1, words.end()));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return table;
}

const Table& table() {
  static const Table instance = read_table();
  return instance;
}

// Counts insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  std::vector<std::size_t> above(row);
  std::vector<std::size_t> two_above(row);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::swap(two_above, above);
    std::swap(above, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({above[j] + (a[i] != b[j] ? 1 : 0), row[j] + 1, above[j + 1] + 1});
      const bool is_swap = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (is_swap) row[j + 1] = std::min(row[j + 1], two_above[j - 1] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> operators_of(std::string_view function) {
  const auto found = table().find(function);
  return found == table().end() ? std::vector<std::string>{std::string(function)} : found->second;
}

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const auto& [name, operators] : table()) names.push_back(name);
  return names;
}

std::vector<std::string> nearest_names(std::string_view typed, const std::vector<std::string>& names,
                                       std::size_t most) {
  std::vector<std::pair<std::size_t, std::string>> near;
  const std::size_t furthest = std::max<std::size_t>(typed.size() / 3, 1);
  for (const std::string& name : names) {
    // The difference of the lengths is a lower bound of the number of edits. This test skips the slow comparison for
    // most names, since there may be thousands.
    if (std::max(name.size(), typed.size()) - std::min(name.size(), typed.size()) > furthest) continue;
    const std::size_t distance = edits(typed, name);
    if (distance <= furthest) near.emplace_back(distance, name);
  }
  std::ranges::stable_sort(near, {}, &std::pair<std::size_t, std::string>::first);
  near.resize(std::min(most, near.size()));
  std::vector<std::string> nearest;
  for (auto& [distance, name] : near) nearest.push_back(std::move(name));
  return nearest;
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& names) {
  const auto near = nearest_names(typed, names, 3);
  std::string text;
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (i > 0) text += i + 1 == near.size() ? " or " : ", ";
    text += near[i];
  }
  return near.empty() ? "" : " Did you mean " + text + '?';
}

}  // namespace amp
