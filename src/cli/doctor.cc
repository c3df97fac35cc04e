// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// `omnium doctor`: what Omnium needs from the machine, one line each.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/terminal.h"
#include "driver/installation.h"
#include "support/child_process.h"
#include "support/display.h"

namespace omnium::cli {

namespace {

enum class Health {
  kFine,
  kLess,     // Omnium works, but something is slower or not possible
  kMissing,  // it does not work
};

struct Finding {
  Health health;
  std::string what, told;
};

std::string first_line_of(const std::string& text) { return text.substr(0, text.find('\n')); }

// What a program says of itself; none if there is none.
std::optional<std::string> version_of(const std::string& program, const std::string& option) {
  const auto said = support::filtered({"sh", "-c", program + " " + option + " 2>&1"}, "");
  if (!said) return std::nullopt;
  return support::terminal_text(first_line_of(*said));
}

std::string first_line_of_file(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

Finding look_at_kernel() {
  utsname name{};
  ::uname(&name);
  const bool right = std::string_view(name.machine) == "x86_64";
  return {right ? Health::kFine : Health::kMissing, "system",
          fmt::format("{} {} on {}{}", name.sysname, name.release, name.machine,
                      right ? "" : ": only x86-64 is supported")};
}

Finding look_at_runtime() {
  const auto found = driver::find_installation(true);
  if (!found) return {Health::kMissing, "runtime", found.error().to_string()};
  return {Health::kFine, "runtime", support::terminal_text(found->folder.string())};
}

Finding look_at_membarrier() {
  const long commands = ::syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  const bool there = commands > 0 && (commands & MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0;
  return {there ? Health::kFine : Health::kLess, "membarrier",
          there ? "available"
                : "not available (an old kernel or a sandbox): checked programs run slower"};
}

// Programs are the same to Omnium wherever they are loaded: this is for people who wonder.
Finding look_at_addresses() {
  const std::string value = first_line_of_file("/proc/sys/kernel/randomize_va_space");
  if (value.empty()) return {Health::kLess, "ASLR", "unknown: /proc is not readable"};
  return {Health::kFine, "ASLR", value == "0" ? "off" : "on; Omnium works with it"};
}

Finding look_at_ptrace() {
  const std::string value = first_line_of_file("/proc/sys/kernel/yama/ptrace_scope");
  if (value.empty() || value == "0" || value == "1") {
    return {Health::kFine, "ptrace", "debuggers can start programs"};
  }
  return {Health::kLess, "ptrace",
          fmt::format("kernel.yama.ptrace_scope is {}: `omnium gdb` needs root", value)};
}

Finding look_at_tool(const std::string& name, const std::string& option, std::string_view use) {
  const auto version = version_of(name, option);
  return {version ? Health::kFine : Health::kLess, name,
          version ? *version : fmt::format("not found: {}", use)};
}

// A folder for the trial programs.
class Scratch {
 public:
  Scratch() {
    std::string path = (std::filesystem::temp_directory_path() / "omnium-doctor-XXXXXX").string();
    if (::mkdtemp(path.data()) != nullptr) path_ = path;
  }
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string file(std::string_view name) const { return fmt::format("{}/{}", path_, name); }

 private:
  std::string path_;
};

constexpr std::string_view kTrial =
    "#include <omnium/atomic.h>\n"
    "int main(void) { omnium_begin(\"trial\"); omnium_end(); return 0; }\n";

// Compiles a program with Omnium's driver, and runs it.
std::optional<std::string> wrong_with(const std::string& compiler, const Scratch& scratch) {
  std::error_code error;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe", error).string();
  const std::string program = scratch.file(compiler);
  ::setenv("OMNIUM_CC", compiler.c_str(), 1);
  const auto built = support::filtered({self, "cc", "-x", "c", "-", "-o", program}, kTrial);
  if (!built) return "cannot compile for Omnium: " + built.error().to_string();
  const auto ran = support::filtered(
      {self, "run", "--require-blocks", "--log", scratch.file("log"), "--", program}, "");
  if (!ran) return "a trial program was not checked: " + ran.error().to_string();
  return std::nullopt;
}

// One compiler is enough.
std::vector<Finding> look_at_compilers() {
  const Scratch scratch;
  std::vector<Finding> out;
  bool works = false;
  for (const auto& [compiler, twin] : {std::pair{"gcc", "g++"}, std::pair{"clang", "clang++"}}) {
    const auto version = version_of(compiler, "--version");
    if (!version) {
      out.push_back({Health::kLess, compiler, "not found"});
    } else if (const auto wrong = wrong_with(compiler, scratch)) {
      out.push_back({Health::kLess, compiler, *wrong});
    } else {
      works = true;
      const bool both = version_of(twin, "--version").has_value();
      out.push_back({both ? Health::kFine : Health::kLess, compiler,
                     *version + (both ? "; a trial program was compiled and checked"
                                      : fmt::format("; {} not found", twin))});
    }
  }
  if (!works) out.push_back({Health::kMissing, "compiler", "needed: gcc 12 or clang 14"});
  return out;
}

}  // namespace

int run_doctor(const Arguments& arguments) {
  const Manual manual{"doctor",
                      "Show what Omnium needs from this machine, and what is missing.",
                      "",
                      "omnium doctor",
                      "0 Omnium works here, 2 something is missing without which it does not",
                      {},
                      {"", 0, 0, nullptr},
                      "ok: there. less: Omnium works, but slower or with less. missing: needed.\n"};
  if (const auto status = parse(manual, arguments)) return *status;
  std::vector<Finding> all = {look_at_kernel(), look_at_runtime()};
  for (Finding& it : look_at_compilers()) all.push_back(std::move(it));
  all.push_back(look_at_tool("as", "--version", "install binutils"));
  all.push_back(look_at_membarrier());
  all.push_back(look_at_addresses());
  all.push_back(look_at_ptrace());
  all.push_back(look_at_tool("gdb", "--version", "`omnium gdb` needs it"));
  bool works = true;
  std::string out = fmt::format("omnium {}\n", OMNIUM_VERSION);
  for (const Finding& it : all) {
    constexpr std::string_view kWords[] = {"ok", "less", "missing"};
    out += fmt::format("{:<8} {:<11} {}\n", kWords[static_cast<int>(it.health)], it.what, it.told);
    works &= it.health != Health::kMissing;
  }
  print_out(out);
  return works ? kNothingFound : kBadInput;
}

}  // namespace omnium::cli
