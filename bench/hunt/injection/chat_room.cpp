// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// A chat server in memory: a room with members, mailboxes, topics, counters. No annotations: every
// function is a block. Correct as it is. bench/hunt/inject.py takes out one lock statement at a
// time.
#include <map>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

class Counters {
 public:
  void count_message(std::size_t bytes) {
    std::lock_guard lock(mutex_);
    ++messages_;
    bytes_ += bytes;
  }
  double average() {
    std::lock_guard lock(mutex_);
    return messages_ == 0 ? 0 : static_cast<double>(bytes_) / static_cast<double>(messages_);
  }

 private:
  std::mutex mutex_;
  std::size_t messages_ = 0;
  std::size_t bytes_ = 0;
};

class Mailbox {
 public:
  void deliver(const std::string& message) {
    std::lock_guard lock(mutex_);
    messages_.push_back(message);
    ++unread_;
  }
  void read_all() {
    std::lock_guard lock(mutex_);
    unread_ = 0;
    messages_.clear();
  }
  int unread() {
    std::lock_guard lock(mutex_);
    return unread_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> messages_;
  int unread_ = 0;
};

class Room {
 public:
  bool join(int user) {
    std::unique_lock lock(mutex_);
    if (members_.size() >= 3) return false;
    ++joins_;
    return members_.insert(user).second;
  }
  void leave(int user) {
    std::unique_lock lock(mutex_);
    members_.erase(user);
    ++leaves_;
  }
  bool is_consistent() {
    std::shared_lock lock(mutex_);
    return static_cast<int>(members_.size()) == joins_ - leaves_;
  }

 private:
  std::shared_mutex mutex_;
  std::set<int> members_;
  int joins_ = 0;
  int leaves_ = 0;
};

class Topics {
 public:
  void set(const std::string& room, const std::string& topic) {
    std::lock_guard lock(mutex_);
    topics_[room] = topic;
    ++changes_;
  }
  int changes() {
    std::lock_guard lock(mutex_);
    return topics_.empty() ? 0 : changes_;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> topics_;
  int changes_ = 0;
};

Counters counters;
std::vector<Mailbox> mailboxes(3);
Room room;
Topics topics;
int unread_seen[2];  // by each user
double seen_by_moderator;

void chat(int user) {
  room.join(user);
  topics.set("lobby", "user " + std::to_string(user));
  counters.count_message(5);
  mailboxes[0].deliver("hello");
  unread_seen[user] = mailboxes[0].unread();
  room.leave(user);
  mailboxes[1].read_all();
}

void moderate() {
  seen_by_moderator += room.is_consistent();
  seen_by_moderator += counters.average();
  seen_by_moderator += topics.changes();
  mailboxes[0].read_all();
  counters.count_message(7);
}

int main() {
  std::thread first(chat, 0);
  std::thread second(chat, 1);
  std::thread moderator(moderate);
  first.join();
  second.join();
  moderator.join();
  return room.is_consistent() && seen_by_moderator >= 1 ? 0 : 1;
}
