// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/flags.h"

namespace omnium::driver {

namespace {

// The specs file adds the rest to the compiler proper alone: -fsanitize=thread must not reach the
// link, which would take ThreadSanitizer's runtime. Hooks are called without a detour.
Words gcc_flags(const Installation& files) {
  return {"-specs=" + files.specs(), "-isystem", files.overlay("gcc"), "-fno-plt"};
}

Words clang_flags(const Installation& files, bool wide_vectors) {
  Words flags = {// For the compiler proper alone, as above.
                 "-Xclang", "-fsanitize=thread",
                 // The read of x++ is an event of its own.
                 "-mllvm", "-tsan-instrument-read-before-write=1",
                 // Takes out the hooks of the C++ library's functions.
                 "-isystem", files.overlay("clang"), "-fno-omit-frame-pointer",
                 // A call at the end of a function is a call: the runtime asks who made it.
                 "-fno-optimize-sibling-calls",
                 // Variables of different scopes are different memory.
                 "-mllvm", "-no-stack-coloring",
                 // Atomics of 16 bytes are calls of the runtime, not of libatomic.
                 "-mcx16",
                 // Comparisons stay calls: clang expands them after instrumentation.
                 "-fno-builtin-memcmp", "-fno-builtin-bcmp",
                 // An access of more than 16 bytes gets no callback.
                 "-mllvm", "-enable-interleaved-mem-accesses=false", "-mprefer-vector-width=128"};
  // Nor do masked ones, which come with the wider vectors.
  if (wide_vectors) flags.insert(flags.end(), {"-fno-vectorize", "-fno-slp-vectorize"});
  return flags;
}

// Only tiny functions are inlined: those that contain a critical section, or calls of functions
// that do, keep their hooks (docs/decisions/function-blocks.md).
Words outlining_flags(bool is_gcc) {
  if (!is_gcc) {
    return {"-mllvm", "-inline-threshold=45", "-mllvm", "-inlinehint-threshold=45"};
  }
  return {"--param=max-inline-insns-single=4", "--param=max-inline-insns-auto=4",
          "-fno-inline-functions-called-once", "-fno-partial-inlining",
          // -O3 is as careful as -O2.
          "--param=inline-heuristics-hint-percent=200", "--param=inline-min-speedup=40",
          "--param=early-inlining-insns=10"};
}

}  // namespace

Words compile_flags(Family family, const Installation& files, CompileOptions options) {
  const bool is_gcc = family == Family::kGcc;
  Words flags = is_gcc ? gcc_flags(files) : clang_flags(files, options.wide_vectors);
  const bool all = options.functions == FunctionHooks::kAll;
  if (options.functions == FunctionHooks::kOutlined) {
    const Words more = outlining_flags(is_gcc);
    flags.insert(flags.end(), more.begin(), more.end());
  } else {
    if (!is_gcc) flags.push_back("-mllvm");
    flags.push_back(is_gcc ? "--param=tsan-instrument-func-entry-exit=0"
                           : "-tsan-instrument-func-entry-exit=0");
  }
  if (options.inlined) flags.push_back("-B" + files.assembler());
  if (options.inlined && !is_gcc) flags.push_back("-fno-integrated-as");
  if (all) flags.push_back("-finstrument-functions");
  // clang has no exit hook where an exception leaves a function; the runtime then looks at frames,
  // so that every function needs its own.
  if (all && !is_gcc) flags.push_back("-fno-inline");
  if (all && is_gcc) {
    flags.push_back(
        "-finstrument-functions-exclude-file-list=/usr/include,/include/c++/,/lib/gcc/");
  }
  flags.insert(flags.end(), {"-D__OMNIUM__=1", "-imacros", files.jumps(), "-idirafter",
                             files.headers()});
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
  for (const char* function :
       {"strlen",  "strnlen", "strcmp",  "strncmp", "strcasecmp", "strncasecmp", "memcmp",
        "bcmp",    "strchr",  "strrchr", "strstr",  "strchrnul",  "strspn",      "strcspn",
        "strpbrk", "memchr",  "memrchr", "memmem",  "strdup",     "strndup",     "puts",
        "fputs",   "strtol",  "strtoul", "strtoll", "strtoull",   "strtof",      "strtod",
        "strtold", "atoi",    "atol",    "atoll",   "atof"}) {
    flags.push_back(std::string("-Wl,--wrap=") + function);
  }
  return flags;
}

}  // namespace omnium::driver
