// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/flags.h"

namespace omnium::driver {

namespace {

// The specs file adds the rest to the compiler proper alone: -fsanitize=thread must not reach the
// link, which would take ThreadSanitizer's runtime.
Words gcc_flags(const Installation& files) { return {"-specs=" + files.specs()}; }

Words clang_flags(const Installation& files) {
  return {// For the compiler proper alone, as above.
          "-Xclang", "-fsanitize=thread",
          // The read of x++ is an event of its own.
          "-mllvm", "-tsan-instrument-read-before-write=1",
          // Functions are marked before they are inlined, by -finstrument-functions, and only the
          // program's own: the overlay takes out those of the C++ library.
          "-mllvm", "-tsan-instrument-func-entry-exit=0", "-finstrument-functions", "-isystem",
          files.overlay(), "-fno-omit-frame-pointer",
          // Accesses of more than 16 bytes, and masked ones, get no callback.
          "-fno-vectorize", "-fno-slp-vectorize"};
}

}  // namespace

Words compile_flags(Family family, const Installation& files) {
  const bool is_gcc = family == Family::kGcc;
  Words flags = is_gcc ? gcc_flags(files) : clang_flags(files);
  flags.insert(flags.end(), {"-D__OMNIUM__=1", "-idirafter", files.headers()});
  if (is_gcc) return flags;
  // clang warns of flags that are of no use to an assembler file or a link; not of these.
  flags.insert(flags.begin(), "--start-no-unused-arguments");
  flags.push_back("--end-no-unused-arguments");
  return flags;
}

Words link_flags(const Installation& files) {
  Words flags = {files.module_object(), "-Wl,--push-state,--no-as-needed", files.library(),
                 "-Wl,--pop-state", "-Wl,-rpath," + files.folder.string()};
  for (const std::string function : {"memcpy", "memmove", "memset"}) {
    flags.push_back("-Wl,--wrap=" + function);
    flags.push_back("-Wl,--wrap=__" + function + "_chk");
  }
  return flags;
}

}  // namespace omnium::driver
