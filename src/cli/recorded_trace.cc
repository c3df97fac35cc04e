// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/recorded_trace.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/terminal.h"
#include "cli/trace_output.h"
#include "decode/open.h"
#include "trace/sampled_arrays.h"

namespace omnium::cli {

namespace fs = std::filesystem;

Result<RecordedTrace> RecordedTrace::prepare(const std::string& path, bool stays_raw) {
  std::optional<TraceFormat> format;
  if (!stays_raw) {
    const auto named = output_format(path, "");
    if (!named) return tl::unexpected(named.error());
    format = *named;
  }
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  if (failed || fs::is_directory(absolute, failed))
    return fail({path}, "cannot write: is a directory");
  std::string raw = fmt::format("{}.raw-{}", absolute.string(), ::getpid());
  if (raw.find(':') != std::string::npos) {
    return fail({path}, "the path of a recording cannot contain ':'");
  }
  const int file = ::open(raw.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return fail({path}, fmt::format("cannot write: {}", std::strerror(errno)));
  ::close(file);
  return RecordedTrace(path, std::move(raw), format);
}

bool RecordedTrace::has_events() const {
  std::error_code failed;
  return fs::file_size(raw_, failed) > 0 && !failed;
}

void RecordedTrace::remove_raw() const {
  std::error_code ignored;
  fs::remove(raw_, ignored);
}

Result<void> RecordedTrace::finish() const { return make_trace(raw_, path_); }

// Beside the raw log of the program: the same name, a dot, the process.
Result<void> RecordedTrace::finish_children() const {
  const fs::path raw(raw_);
  const std::string prefix = raw.filename().string() + '.';
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(raw.parent_path(), failed)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(prefix)) continue;
    const std::string process = name.substr(prefix.size());
    // Others may write into the same folder.
    if (!entry.is_regular_file(failed) || entry.is_symlink(failed)) continue;
    if (process.find_first_not_of("0123456789") != std::string::npos) continue;
    fs::path path(path_);
    path.replace_extension(process + fs::path(path_).extension().string());
    if (auto made = make_trace(entry.path(), path); !made) return made;
    print_note(fmt::format("process {} was recorded to {}", process,
                           printable(path.string(), 4096)));
  }
  return {};
}

Result<void> RecordedTrace::keep(const std::string& raw, const std::string& path) {
  std::error_code failed;
  fs::rename(raw, path, failed);
  if (failed) return fail({path}, fmt::format("cannot write: {}", failed.message()));
  return {};
}

Result<void> RecordedTrace::make_trace(const std::string& raw, const std::string& path) const {
  if (!format_) return keep(raw, path);
  auto source = open_trace(raw);
  if (!source) return tl::unexpected(source.error());
  (*source)->want_locations(true);
  std::optional<trace::SampledArrays> sampled;
  if (sample_) sampled.emplace(**source, *sample_);
  EventSource& wanted = sampled ? static_cast<EventSource&>(*sampled) : **source;
  const auto copied = copy_trace(wanted, path, *format_, path);
  if (!copied) return tl::unexpected(copied.error());
  for (const std::string& warning : (*source)->warnings()) print_warning(warning);
  std::error_code ignored;
  fs::remove(raw, ignored);
  return {};
}

}  // namespace omnium::cli
