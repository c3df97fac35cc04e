// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "support/display.h"

namespace omnium::cli {

namespace {

constexpr std::size_t kUsualWidth = 80;
constexpr std::size_t kLeastWidth = 40;
constexpr std::size_t kMostWidth = 400;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void write_to(std::FILE* file, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), file);
  std::fflush(file);
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

void print_error(std::string_view message) {
  write_to(stderr, fmt::format("omnium: error: {}\n", message));
}

void print_error(const Error& error) {
  if (error.at.file.empty()) return print_error(error.message);
  write_to(stderr, error.to_string() + "\n");
}

void print_warning(std::string_view message) {
  write_to(stderr, fmt::format("omnium: warning: {}\n", support::terminal_text(message)));
}

void print_out(std::string_view text) { write_to(stdout, text); }

std::optional<Colour> colour_of(std::string_view word) {
  if (word == "auto") return Colour::kAuto;
  if (word == "always") return Colour::kAlways;
  if (word == "never") return Colour::kNever;
  return std::nullopt;
}

bool use_colour(Colour colour, bool to_terminal, int stream) {
  if (colour != Colour::kAuto) return colour == Colour::kAlways;
  const char* term = std::getenv("TERM");
  const bool dumb = term != nullptr && std::string_view(term) == "dumb";
  return to_terminal && ::isatty(stream) != 0 && !is_set("NO_COLOR") && !dumb;
}

std::size_t terminal_width(int stream) {
  if (::isatty(stream) == 0) return kUsualWidth;
  std::size_t width = 0;
  if (is_set("COLUMNS")) width = std::strtoul(std::getenv("COLUMNS"), nullptr, 10);
  winsize size{};
  if (width == 0 && ::ioctl(stream, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  return width == 0 ? kUsualWidth : std::clamp(width, kLeastWidth, kMostWidth);
}

Progress::Progress(std::string_view what)
    : what_(what), wanted_(::isatty(STDERR_FILENO) != 0), started_(now()) {}

Progress::~Progress() { erase(); }

void Progress::show(EventIndex done) {
  const double seconds = now() - started_;
  if (!wanted_ || seconds < 0.5) return;
  shown_ = true;
  const double millions = static_cast<double>(done) / 1e6;
  write_to(stderr, fmt::format("\r{}: {:.0f}M events, {:.1f}M/s\x1b[K",
                               support::cut_front_to_width(support::terminal_text(what_), 40),
                               millions, millions / seconds));
}

void Progress::erase() {
  if (shown_) write_to(stderr, "\r\x1b[K");
  shown_ = false;
}

}  // namespace omnium::cli
