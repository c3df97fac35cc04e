// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// shows: violation, assertion
// block: Files::prepare
// functions: all
// A file of a small file system in memory is created if it does not exist; to create means to
// truncate. It shows if another thread creates it and writes to it in between: that is gone.
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

class Files {
 public:
  bool exists(const std::string& name) {
    std::lock_guard lock(mutex_);
    return files_.count(name) != 0;
  }
  void create(const std::string& name) {
    std::lock_guard lock(mutex_);
    files_[name] = "";
  }
  void prepare(const std::string& name) {
#ifdef FIXED
    std::lock_guard lock(mutex_);
    files_.emplace(name, "");
#else
    if (!exists(name)) create(name);
#endif
  }
  void append(const std::string& name, char letter) {
    std::lock_guard lock(mutex_);
    files_.at(name) += letter;
  }
  std::size_t size(const std::string& name) {
    std::lock_guard lock(mutex_);
    return files_.at(name).size();
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::string> files_;
};

Files files;

void log_letter(char letter) {
  files.exists("lock");
  files.prepare("log");
  files.append("log", letter);
}

int main() {
  std::thread first(log_letter, 'a');
  std::thread second(log_letter, 'b');
  first.join();
  second.join();
  assert(files.size("log") == 2);
}
