// SPDX-License-Identifier: Apache-2.0
#include "precision/kernel_names/types.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ampprof::kernel_names {
namespace {

using Words = std::vector<std::string_view>;

std::optional<DType> known(DType dtype) { return dtype == DType::Unknown ? std::nullopt : std::optional(dtype); }
std::optional<DType> stored(const NumberWord& number) { return number.complex ? DType::Complex : known(number.dtype); }

/// Reads xmma names: <storage of A, B, C>_<multiply, accumulate>_<epilogue>, as in "f16f16_f16f32_f32".
std::optional<KernelTypes> xmma_types(const NameWords& name) {
  const auto start = std::ranges::find(name.words, "xmma");
  if (start == name.words.end()) return std::nullopt;
  for (auto word = start; word + 1 != name.words.end(); ++word) {
    const auto storage = number_words(*word);
    const auto math = number_words(word[1]);
    if (storage.size() < 2 || math.size() < 2) continue;
    return KernelTypes{stored(storage.front()), stored(storage.back()), known(math.front().dtype),
                       known(math.back().dtype), math.front().tf32};
  }
  return std::nullopt;
}

std::optional<DType> sum_type(char letter) {
  switch (letter) {
    case 'h':
      return DType::Half;
    case 's':
    case 'c':
      return DType::Float;
    case 'd':
    case 'z':
      return DType::Double;
    case 'i':
      return DType::Int32;
    default:
      return std::nullopt;
  }
}

bool is_complex(char letter) { return letter == 'c' || letter == 'z'; }

/// Returns the input type: the first word after the matmul that is a single type, as in "s16816gemm_f16" and
/// "s16816fprop_optimized_f16". A tile ends the search.
std::optional<NumberWord> input_after(const Words& words, std::size_t matmul) {
  for (std::size_t i = matmul + 1; i < words.size() && i <= matmul + 3; ++i) {
    if (!size_words(words[i]).empty()) break;
    const auto numbers = number_words(words[i]);
    if (numbers.size() == 1) return numbers.front();
  }
  return std::nullopt;
}

/// Returns the type inside the matmul word to which FP32 operands are cut: bf16 in "s1688bf16gemm".
std::optional<NumberWord> cut_to(std::string_view operation) {
  const std::size_t end = std::min(operation.find("gemm"), operation.size());
  const auto numbers = number_words(operation.substr(0, end));
  return numbers.size() == 1 ? std::optional(numbers.front()) : std::nullopt;
}

/// Reads names of cuBLAS, cuDNN and CUTLASS 2: <output>_<sums><shape>gemm_<input>, as in "ampere_fp16_s16816gemm_fp16".
/// Missing input and output types equal the type of the sums; for integers they stay empty.
KernelTypes gemm_types(const Words& words, std::size_t at, const MatmulWord& matmul) {
  const auto sums = sum_type(matmul.letter);
  KernelTypes types{sums, sums, sums, sums, false};
  if (is_complex(matmul.letter)) types.input = types.output = DType::Complex;
  if (matmul.letter == 'i') types.input = types.output = types.multiply = std::nullopt;
  if (at > 0) {
    const auto output = number_words(words[at - 1]);
    if (output.size() == 1) types.output = stored(output.front());
  }
  const auto input = input_after(words, at);
  if (input) types.input = stored(*input);
  if (matmul.shape.empty()) return types;
  if (input && !input->complex) {
    types.multiply = known(input->dtype);
    types.tf32 = input->tf32;
  } else if (const auto cut = cut_to(matmul.operation)) {
    types.multiply = known(cut->dtype);
    types.tf32 = cut->tf32;
  } else if (matmul.shape == "1688" && sums == DType::Float) {
    types.tf32 = true;
  }
  return types;
}

/// Reads names of CUTLASS 3: <sums><m>x<n>x<k>gemm_<A>_<B>_<sums>_<C>_<D>; convolutions leave out C.
std::optional<KernelTypes> cutlass3_types(const NameWords& name) {
  const auto start = std::ranges::find_if(name.words, [](auto word) { return word.ends_with("cutlass3x"); });
  std::vector<NumberWord> types;
  for (auto word = start; word != name.words.end() && types.size() < 5; ++word) {
    const auto numbers = number_words(*word);
    if (*word == "void") types.emplace_back();
    if (numbers.size() == 1) types.push_back(numbers.front());
    if (!types.empty() && !size_words(*word).empty()) break;
  }
  if (types.size() < 4) return std::nullopt;
  return KernelTypes{stored(types.front()), stored(types.back()), known(types.front().dtype), known(types[2].dtype),
                     types.front().tf32};
}

/// Reads nvjet names: three letters for input, sums and output. More letters mean block-scaled types.
std::optional<KernelTypes> nvjet_types(const NameWords& name) {
  if (name.words.size() < 3 || name.words[0] != "nvjet") return std::nullopt;
  const std::string_view letters = name.words[name.words[1].starts_with("sm") ? 2 : 1];
  const auto type = [](char letter) -> std::optional<DType> {
    if (letter == 't') return DType::BFloat16;
    return letter == 'h' || letter == 's' || letter == 'd' ? sum_type(letter) : std::nullopt;
  };
  if (letters.size() != 3) return std::nullopt;
  return KernelTypes{type(letters[0]), type(letters[2]), type(letters[0]), type(letters[1]), name.has_word("tf32")};
}

std::optional<DType> element_in(const NameWords& name) {
  // The first match is the operand type: later types are those of the result.
  constexpr auto kElements = std::to_array<std::pair<std::string_view, DType>>({{"__half", DType::Half},
                                                                                {"half_t", DType::Half},
                                                                                {"__nv_bfloat16", DType::BFloat16},
                                                                                {"bfloat16_t", DType::BFloat16}});
  const auto first =
      std::ranges::min_element(kElements, {}, [&](const auto& each) { return name.text.find(each.first); });
  return name.has(first->first) ? std::optional(first->second) : std::nullopt;
}

/// Reads names of fused attention: "fmha_cutlassF_f16_…", or a template argument. Sums are in FP32.
std::optional<KernelTypes> attention_types(const NameWords& name) {
  if (!name.has("fmha_cutlass") && !name.has("flash_")) return std::nullopt;
  std::optional<DType> element = element_in(name);
  for (const std::string_view word : name.words) {
    const auto numbers = number_words(word);
    if (element || numbers.size() != 1) continue;
    element = known(numbers.front().dtype);
  }
  if (!element) return std::nullopt;
  return KernelTypes{element, element, element, DType::Float, false};
}

std::optional<KernelTypes> word_types(const NameWords& name) {
  for (std::size_t i = 0; i < name.words.size(); ++i) {
    if (const auto matmul = matmul_word(name.words[i])) return gemm_types(name.words, i, *matmul);
  }
  return std::nullopt;
}

/// Reads CUDA library templates with scalar multiplications: convolve_sgemm<__half, …>, gemv<…, __half, …>.
std::optional<KernelTypes> template_types(const NameWords& name) {
  const auto element = element_in(name);
  if (!element) return std::nullopt;
  return KernelTypes{.input = element};
}

constexpr std::array kNamings{xmma_types, attention_types, cutlass3_types, nvjet_types};

int number_after(std::string_view word, std::string_view prefix) {
  int value = 0;
  if (word.starts_with(prefix)) std::from_chars(word.data() + prefix.size(), word.data() + word.size(), value);
  return value;
}

int architecture_in(std::string_view word) {
  constexpr auto kNames = std::to_array<std::pair<std::string_view, int>>(
      {{"maxwell", 52}, {"volta", 70}, {"turing", 75}, {"ampere", 80}, {"hopper", 90}, {"blackwell", 100}});
  const int number = number_after(word, "sm");
  if (number >= 50 && number < 200) return number;
  word.remove_prefix(std::ranges::find_if_not(word, is_digit) - word.begin());
  if (word.empty()) return 0;
  for (const auto& [name, sm] : kNames) {
    if ((word.front() | 0x20) == name.front() && word.substr(1) == name.substr(1)) return sm;
  }
  return 0;
}

}  // namespace

KernelTypes types_of(const NameWords& name) {
  for (const auto naming : kNamings) {
    if (const auto types = naming(name)) return *types;
  }
  const auto in_words = word_types(name);
  const auto in_template = template_types(name);
  // Template arguments in a mangled name give the stored type; the matmul word gives only the type of the sums.
  if (in_template && (!in_words || name.text.starts_with("_Z"))) {
    return in_words ? KernelTypes{in_template->input, std::nullopt, in_words->multiply, in_words->accumulate, false}
                    : *in_template;
  }
  return in_words.value_or(KernelTypes{});
}

std::optional<Tile> tile_of(const NameWords& name) {
  if (name.has("depthwise")) return std::nullopt;  // the tile is a tile of the image
  for (std::size_t i = 0; i < name.words.size(); ++i) {
    std::string_view word = name.words[i];
    if (word.starts_with("tilesize")) word.remove_prefix(8);
    const auto sizes = size_words(word);
    if (sizes.empty()) continue;
    if (sizes.size() == 3) return Tile{sizes[0], sizes[1], sizes[2]};
    const auto stages = std::ranges::find(name.words, "stages");
    const std::size_t next = stages == name.words.end() ? i + 1 : stages - name.words.begin() + 1;
    const auto depth = next < name.words.size() ? size_words(name.words[next]) : std::vector<int>{};
    return Tile{sizes[0], sizes[1], depth.size() == 2 ? depth[0] : 0};
  }
  return std::nullopt;
}

std::optional<int> architecture_of(const NameWords& name) {
  for (std::size_t i = 0; i < name.words.size(); ++i) {
    if (const int sm = architecture_in(name.words[i]); sm != 0) return sm;
    const bool is_cutlass = name.words[i].ends_with("cutlass") && i + 1 < name.words.size();
    const int sm = is_cutlass ? number_after(name.words[i + 1], "") : 0;
    if (sm >= 50 && sm < 200) return sm;
  }
  return std::nullopt;
}

}  // namespace ampprof::kernel_names
