// SPDX-License-Identifier: Apache-2.0
// Opens a plug-in at run time that links LibTorch: opens_torch PLUGIN
#include <dlfcn.h>

#include <cstdio>

int main(int, char** argv) {
  void* plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  reinterpret_cast<void (*)()>(dlsym(plugin, "train"))();
  std::puts("done");
}
