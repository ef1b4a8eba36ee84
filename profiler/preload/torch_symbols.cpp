// SPDX-License-Identifier: Apache-2.0
// Interposes functions of torch::nn and torch::jit without a header of LibTorch.
//
// All of these functions take the object and at most four further arguments, each in an integer register of the x86-64
// System V ABI (class types with a destructor are passed as pointers). So one wrapper signature of six words fits all
// of them: if a function has fewer arguments, it ignores the remaining registers. Functions that return a class get the
// address of the result first, and the object second. Functions with more arguments are not in the list
// (listed_symbols.cmake).

#include "profiler/preload/interposed.h"
#include "profiler/preload/preload.h"
#include "profiler/preload/python.h"

namespace ampprof::preload {
namespace {

using Function = Word (*)(Word, Word, Word, Word, Word, Word);

// Loads the observer if needed: a call from LibTorch shows that LibTorch is loaded.
const Hooks* hooks_of_opened_torch() {
  load_observer_if_torch_is_there();
  return hooks();
}

/// Base of guards around an interposed call. Calls the hook `begin`; a derived class calls the end hook in its
/// destructor.
class Bracket {
 public:
  using Begin = void (*Hooks::*)(const void*);

  Bracket(Begin begin, const void* object) : hooks_(hooks_of_opened_torch()) {
    if (hooks_ != nullptr) (hooks_->*begin)(object);
  }
  Bracket(const Bracket&) = delete;
  Bracket& operator=(const Bracket&) = delete;

 protected:
  const Hooks* hooks_;
};

struct ModuleCall : Bracket {
  explicit ModuleCall(const void* module) : Bracket(&Hooks::module_entered, module) {}
  ~ModuleCall() {
    if (hooks_ != nullptr) hooks_->module_left();
  }
};

/// A call from C++ into TorchScript. It counts as a module call without a name; only inner modules have names.
struct ScriptCall : ModuleCall {
  explicit ScriptCall(const void*) : ModuleCall(&kAnyScript) {}
  static constexpr char kAnyScript = 0;
};

struct ModuleSeen : Bracket {
  explicit ModuleSeen(const void* module) : Bracket(&Hooks::module_seen, module) {}
};

/// Guard for at::init_num_threads(), which LibTorch calls only after it is completely loaded: during `import torch`,
/// and in the first parallel op of each thread.
struct TorchOpened {
  explicit TorchOpened(const void*) {
    load_observer_if_torch_is_there();
    hook_python();
  }
};

}  // namespace
}  // namespace ampprof::preload

using ampprof::preload::Word;

// Interposes `symbol`, a mangled name. `guard`: class of the guard. `object`: the word that holds the object, a or b.
#define AMPPROF_WRAP(name, symbol, guard, object)                                                                 \
  AMPPROF_INTERPOSE(name, symbol, Word a, Word b, Word c, Word d, Word e, Word f) {                               \
    static const auto next = reinterpret_cast<ampprof::preload::Function>(ampprof::preload::next_symbol(symbol)); \
    const ampprof::preload::guard bracket(object);                                                                \
    return next(a, b, c, d, e, f);                                                                                \
  }

#define AMPPROF_FORWARD(symbol) AMPPROF_WRAP(AMPPROF_NUMBERED(ampprof_forward_, __LINE__), symbol, ModuleCall, b)
#include "profiler/preload/forward_symbols.inc"

AMPPROF_WRAP(ampprof_script_call,
             "_ZNK5torch3jit6MethodclESt6vectorIN3c106IValueESaIS4_EERKSt13unordered_mapINSt7__cxx1112basic_stringIcSt"
             "11char_traitsIcESaIcEEES4_St4hashISD_ESt8equal_toISD_ESaISt4pairIKSD_S4_EEE",
             ScriptCall, b)

// Programs call these functions on their root module, when it is complete.
AMPPROF_WRAP(ampprof_parameters, "_ZNK5torch2nn6Module10parametersEb", ModuleSeen, b)
AMPPROF_WRAP(ampprof_named_parameters, "_ZNK5torch2nn6Module16named_parametersB5cxx11Eb", ModuleSeen, b)
AMPPROF_WRAP(ampprof_train, "_ZN5torch2nn6Module5trainEb", ModuleSeen, a)
AMPPROF_WRAP(ampprof_eval, "_ZN5torch2nn6Module4evalEv", ModuleSeen, a)
AMPPROF_WRAP(ampprof_zero_grad, "_ZN5torch2nn6Module9zero_gradEb", ModuleSeen, a)
AMPPROF_WRAP(ampprof_load, "_ZN5torch2nn6Module4loadERNS_9serialize12InputArchiveE", ModuleSeen, a)
AMPPROF_WRAP(ampprof_to_device, "_ZN5torch2nn6Module2toEN3c106DeviceEb", ModuleSeen, a)
AMPPROF_WRAP(ampprof_to_dtype, "_ZN5torch2nn6Module2toEN3c1010ScalarTypeEb", ModuleSeen, a)
AMPPROF_WRAP(ampprof_to_device_and_dtype, "_ZN5torch2nn6Module2toEN3c106DeviceENS2_10ScalarTypeEb", ModuleSeen, a)
AMPPROF_WRAP(ampprof_init_num_threads, "_ZN2at16init_num_threadsEv", TorchOpened, nullptr)
