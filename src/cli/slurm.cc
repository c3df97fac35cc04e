// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/slurm.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "cli/number.h"
#include "cli/terminal.h"
#include "support/child_process.h"
#include "support/text_file.h"

namespace omnium::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostTasks = 100'000;

// For a script, which has no terminal to be careful of.
std::string for_shell(std::string_view word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// Where the shards write what they find, and their logs.
std::string folder_of(const SlurmWork& work) { return work.report.output() + ".shards"; }

bool has_option(const Arguments& words, std::string_view name) {
  return std::ranges::any_of(words, [&](const std::string& word) {
    return word == name || word.starts_with(fmt::format("{}=", name));
  });
}

// The words of each task: without what is about the whole.
Arguments words_of_task(const Arguments& words) {
  constexpr std::string_view kLong[] = {"--slurm", "--output", "--format"};
  constexpr std::string_view kShort[] = {"-o", "-f"};
  Arguments out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto attached = [&](std::string_view name) {
      return word.starts_with(fmt::format("{}=", name));
    };
    const auto starts = [&](std::string_view name) { return word.starts_with(name); };
    const auto* name = std::ranges::find(kLong, word);
    if (name != std::end(kLong) || word == kShort[0] || word == kShort[1]) {
      ++i;
    } else if (std::ranges::none_of(kLong, attached) && std::ranges::none_of(kShort, starts)) {
      out.push_back(word);
    }
  }
  return out;
}

std::string script_of_tasks(std::string_view command, const SlurmWork& work, std::uint64_t tasks) {
  const std::string folder = for_shell(folder_of(work));
  const Arguments words = words_of_task(work.words);
  std::string line = for_shell(fs::read_symlink("/proc/self/exe").string());
  line += fmt::format(" {} --shard \"$shard/{}\" -f json -o {}/\"$shard\".json", command, tasks,
                      folder);
  if (!work.program.empty() && !has_option(words, "--save")) {
    line += fmt::format(" --save {}/\"$shard\"", folder);
  }
  for (const std::string& word : words) line += " " + for_shell(word);
  if (!work.program.empty()) line += " --";
  for (const std::string& word : work.program) line += " " + for_shell(word);
  // Status 66 is a finding, not a task that failed.
  return fmt::format(
      "#!/bin/sh\nshard=$SLURM_ARRAY_TASK_ID\nmkdir -p {}/\"$shard\"\n{}\nstatus=$?\n"
      "rmdir {}/\"$shard\" 2>/dev/null\n[ $status -eq 66 ] && exit 0\nexit $status\n",
      folder, line, folder);
}

// Merges what there is; a shard that is missing is an error all the same.
std::string script_of_merge(const SlurmWork& work, std::uint64_t tasks) {
  const std::string folder = for_shell(folder_of(work));
  const auto destinations = work.report.destinations();
  // Several files have the formats of their extensions.
  std::string outputs =
      destinations.size() == 1 ? fmt::format(" -f {}", destinations.front().format->name) : "";
  for (const auto& to : destinations) outputs += " -o " + for_shell(to.path);
  return fmt::format(
      "#!/bin/sh\nfound=$(find {0} -name '*.json' | wc -l)\n"
      "find {0} -name '*.json' | {1} merge --files-from -{2}\nstatus=$?\n"
      "[ \"$found\" -eq {3} ] || {{ echo \"omnium: $found of {3} shards have a result\" >&2; "
      "exit 2; }}\n[ $status -eq 66 ] && exit 0\nexit $status\n",
      folder, for_shell(fs::read_symlink("/proc/self/exe").string()), outputs, tasks);
}

// The number of the job.
Result<std::string> sbatch(Arguments options, const std::string& script) {
  options.insert(options.begin(), {"sbatch", "--parsable", "--requeue"});
  const auto printed = support::filtered(options, script);
  if (!printed) return printed;
  return printed->substr(0, printed->find_first_of(";\n"));
}

}  // namespace

std::vector<Option> SlurmOptions::rows() {
  return {{'\0', "slurm", "N", "submit N shards to Slurm, and a job that merges their results",
           &tasks_}};
}

int SlurmOptions::submit(const Manual& manual, const SlurmWork& work) const {
  const auto tasks = parse_count(tasks_);
  if (!tasks || *tasks == 0 || *tasks > kMostTasks) {
    return usage_error(manual, fmt::format("--slurm needs a number from 1 to {}", kMostTasks));
  }
  if (work.report.output().empty() || work.report.output() == "-") {
    return usage_error(manual, "--slurm needs -o FILE, on a file system that all nodes share");
  }
  if (has_option(work.words, "--shard")) {
    return usage_error(manual, "--slurm and --shard cannot be combined");
  }
  const auto list = std::ranges::find(work.words, "--files-from");
  if (has_option(work.words, "--files-from=-") ||
      (list != work.words.end() && list + 1 != work.words.end() && list[1] == "-")) {
    return usage_error(manual, "--slurm needs a list that tasks can read: --files-from FILE");
  }
  const std::string folder = folder_of(work);
  std::error_code failed;
  if (!fs::create_directory(folder, failed)) {
    return report_error(
        {{folder}, failed ? failed.message() : "exists, with results of an earlier submission"});
  }
  const auto array = sbatch({"--job-name=omnium", fmt::format("--array=1-{}", *tasks),
                             fmt::format("--output={}/%a.log", folder)},
                            script_of_tasks(manual.command, work, *tasks));
  if (!array) return report_error(array.error());
  const auto merge = sbatch({"--job-name=omnium-merge", "--dependency=afterany:" + *array,
                             fmt::format("--output={}/merge.log", folder)},
                            script_of_merge(work, *tasks));
  if (!merge) return report_error(merge.error());
  print_out(
      fmt::format("Submitted {0} tasks (job {1}) and the merge (job {2}).\n"
                  "Watch:  squeue --jobs {1},{2}\nLogs:   {3}\nResult: {4}\n",
                  *tasks, *array, *merge, shell_word(folder), shell_word(work.report.output())));
  return kNothingFound;
}

}  // namespace omnium::cli
