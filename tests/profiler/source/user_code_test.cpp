// SPDX-License-Identifier: Apache-2.0
#include "profiler/source/user_code.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ampprof::profiler {
namespace user_code_test {

const std::string kPackages = "/opt/venv/lib/python3.11/site-packages";

TEST(OwnerOfPythonFile, IsTheUserOfScriptsAndOfWhatHasNoFile) {
  for (const char* file :
       {"/home/me/train.py", "train.py", "<stdin>", "<ipython-input-3-abc>", "/tmp/ipykernel_7/3.py",
        "/tmp/tmpab12_x9z/train.py", "/home/me/tmp_model_a.py", "/home/me/torch/nets.py", "/home/me/myampprof.py"}) {
    EXPECT_EQ(owner_of_python_file(file, "/opt/torch"), CodeOwner::User) << file;
  }
}

TEST(OwnerOfPythonFile, IsAPackageWhereThatWasInstalled) {
  for (const std::string& file : {kPackages + "/lightning/fit.py", std::string("/usr/lib/python3/dist-packages/a.py"),
                                  std::string("/tmp/tmpab12_x9z.py"), std::string("<string>"),
                                  std::string("/opt/ampprof/share/ampprof/apex/apex/amp/handle.py")}) {
    EXPECT_EQ(owner_of_python_file(file, ""), CodeOwner::Package) << file;
  }
}

TEST(OwnerOfPythonFile, IsMachineryForTorchAndItsGeneratedCode) {
  for (const std::string& file :
       {kPackages + "/torch/nn/modules/linear.py", std::string("/opt/torch/nn/modules/linear.py"),
        std::string("/tmp/torchinductor_me/ab/cab.py"), std::string("<eval_with_key>.0"), std::string("<frozen runpy>"),
        std::string(""), std::string("/usr/lib/python3.11/threading.py"),
        std::string("/usr/share/ampprof/python/ampprof_hooks.py"),
        std::string("/usr/share/ampprof/python/ampprof_names.py"),
        std::string("/usr/share/ampprof/python/ampprof_holders.py"),
        std::string("/usr/share/ampprof/python/ampprof/__init__.py")}) {
    EXPECT_EQ(owner_of_python_file(file, "/opt/torch"), CodeOwner::Machinery) << file;
  }
  EXPECT_EQ(owner_of_python_file("/opt/torchvision/a.py", "/opt/torch"), CodeOwner::User) << "another folder";
  EXPECT_EQ(owner_of_python_file("/opt/torch", "/opt/torch"), CodeOwner::User) << "not in the folder";
}

TEST(LastingName, OfACellHasNoProcess) {
  EXPECT_EQ(lasting_name_of("/tmp/ipykernel_77/1234.py"), "<cell 1234>");
  EXPECT_EQ(lasting_name_of("/var/folders/ab/T/ipykernel_8/56.py"), "<cell 56>");
  for (const char* file : {"/home/me/train.py", "<ipython-input-3-abc>", "/tmp/ipykernel_77/net.py",
                           "/tmp/ipykernel_/3.py", "/tmp/ipykernel_7a/3.py", "/tmp/ipykernel_7/3.txt",
                           "/tmp/ipykernel_7", "/tmp/ipykernel_7/.py", "/tmp/ipykernel_7/a/3.py", ""}) {
    EXPECT_EQ(lasting_name_of(file), file);
  }
}

TEST(IsProgramInCommand, KnowsPythonsOptions) {
  using Words = std::vector<std::string>;
  for (const Words& words : {Words{"python", "-c", "1"}, Words{"python", "-Ic", "1"},
                             Words{"python", "-W", "ignore", "-X", "dev", "-c", "1"}}) {
    EXPECT_TRUE(is_program_in_command(words)) << ::testing::PrintToString(words);
  }
  for (const Words& words : {Words{"python", "train.py", "-c", "a.yaml"}, Words{"python", "-m", "train", "-c"},
                             Words{"python", "-W", "error", "a.py"}, Words{"python"}, Words{},
                             Words{"python", "-c", "from multiprocessing.spawn …", "--multiprocessing-fork"}}) {
    EXPECT_FALSE(is_program_in_command(words)) << ::testing::PrintToString(words);
  }
}

TEST(OwnerOfObject, IsTheUserOutsideOfTheSystemsFolders) {
  for (const char* file : {"/home/me/train", "./train", "/usr/local/bin/train", "/home/me/libmodel.so", "train"}) {
    EXPECT_EQ(owner_of_object(file), CodeOwner::User) << file;
  }
  for (const char* file :
       {"/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/libgomp.so.1", "/lib64/ld-linux-x86-64.so.2",
        "/usr/lib64/libm.so.6", "/home/me/libtorch/lib/libtorch_cpu.so", "/home/me/libtorch/lib/libc10.so",
        "/opt/ampprof/lib/libampprof.so", "/opt/ampprof/lib/libamp_core.so", "/opt/ampprof/lib/libamp_formats.so",
        "/opt/ampprof/bin/ampprof-runner", "linux-vdso.so.1",
        "/opt/venv/lib/python3.11/site-packages/nvidia/cudnn/lib/libcudnn.so.9"}) {
    EXPECT_EQ(owner_of_object(file), CodeOwner::Machinery) << file;
  }
}

TEST(OwnerOfCppFile, IsMachineryForHeadersThatAreInlinedEverywhere) {
  for (const char* file :
       {"/opt/torch/include/ATen/core/TensorBody.h", "/opt/torch/include/c10/util/Optional.h",
        "/opt/torch/include/torch/csrc/api/include/torch/nn/pimpl.h", "/opt/include/caffe2/a.h", "/usr/include/stdio.h",
        "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h", "/opt/gcc/lib/gcc/x86/12/include/a.h",
        "/usr/local/include/fmt/core.h", "/opt/gcc/include/c++/12/vector", "/opt/include/amp_core/amp.h", ""}) {
    EXPECT_EQ(owner_of_cpp_file(file), CodeOwner::Machinery) << file;
  }
  for (const char* file : {"/home/me/train.cpp", "/home/me/include/model.h", "/srv/torch/model.h"}) {
    EXPECT_EQ(owner_of_cpp_file(file), CodeOwner::User) << file;
  }
}

TEST(IsLibrarysFunction, KnowsTheNamespacesThatHeadersBring) {
  for (const char* name :
       {"at::Tensor::mm(at::Tensor const&) const", "torch::nn::LinearImpl::forward", "c10::f()",
        "std::function<void ()>::operator()() const", "__gnu_cxx::f", "__libc_start_call_main", "_start", ""}) {
    EXPECT_TRUE(is_librarys_function(name)) << name;
  }
  for (const char* name : {"main", "train_step(Net&)", "my::std_net()", "attention()"}) {
    EXPECT_FALSE(is_librarys_function(name)) << name;
  }
}

}  // namespace user_code_test
}  // namespace ampprof::profiler
