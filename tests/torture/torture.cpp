// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
//   torture PLUGIN SEED STEPS [FAMILY...]
//
// Runs a program that consists of random steps. A step belongs to a thread, and begins or ends a
// block, does an action of one of the families, or gives or takes something. Each thread does its
// steps in the order of the plan, and something is given before it is taken there, so that no two
// threads can wait for each other. In between, a timer sends signals. Prints a sum for each thread,
// which only the seed decides. torture.py compares runs.
#include <signal.h>
#include <sys/time.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "torture.h"

namespace torture {

World world;

namespace {

struct Family {
  const char* name;
  std::span<const Action> actions;
  unsigned weight;
};

struct Step {
  unsigned thread;
  enum class Kind { kBegin, kEnd, kAction, kGive, kTake } kind;
  Action action = nullptr;
  Handover* handover = nullptr;
  const char* label = nullptr;
};

class Plan {
 public:
  Plan(std::uint64_t seed, unsigned steps, std::vector<Family> families)
      : families_(std::move(families)), random_{std::mt19937_64(seed)} {
    threads_ = 2 + random_.below(3);
    open_.resize(threads_);
    for (unsigned i = 0; i < steps; ++i) add(random_.below(threads_));
    for (auto& [step, taker] : to_take_) steps_.push_back(step);
    for (unsigned thread = 0; thread < threads_; ++thread) {
      for (; open_[thread] > 0; --open_[thread]) steps_.push_back({thread, Step::Kind::kEnd});
    }
  }

  unsigned threads() const { return threads_; }
  const std::vector<Step>& steps() const { return steps_; }

 private:
  void add(unsigned thread) {
    const unsigned dice = random_.below(12);
    if (dice == 0 && open_[thread] < 3) return begin(thread);
    if (dice == 1 && open_[thread] > 0) {
      --open_[thread];
      return steps_.push_back({thread, Step::Kind::kEnd});
    }
    if (dice == 2) return give(thread);
    if (dice == 3) return take(thread);
    steps_.push_back({thread, Step::Kind::kAction, any_action()});
  }

  void begin(unsigned thread) {
    ++open_[thread];
    labels_.push_back(std::make_unique<std::string>("block " + std::to_string(labels_.size())));
    steps_.push_back({thread, Step::Kind::kBegin, nullptr, nullptr, labels_.back()->c_str()});
  }

  void give(unsigned thread) {
    handovers_.push_back(std::make_unique<Handover>());
    Handover* it = handovers_.back().get();
    it->prepare(random_.below(Handover::kKinds));
    steps_.push_back({thread, Step::Kind::kGive, nullptr, it});
    const unsigned taker = (thread + 1 + random_.below(threads_ - 1)) % threads_;
    to_take_.push_back({{taker, Step::Kind::kTake, nullptr, it}, taker});
  }

  void take(unsigned thread) {
    for (auto it = to_take_.begin(); it != to_take_.end(); ++it) {
      if (it->second != thread) continue;
      steps_.push_back(it->first);
      to_take_.erase(it);
      return;
    }
  }

  Action any_action() {
    unsigned total = 0;
    for (const Family& family : families_) total += family.weight;
    unsigned at = random_.below(total);
    for (const Family& family : families_) {
      if (at < family.weight) return family.actions[random_.below(family.actions.size())];
      at -= family.weight;
    }
    std::abort();
  }

  std::vector<Family> families_;
  Worker random_;
  unsigned threads_ = 0;
  std::vector<unsigned> open_;  // blocks of each thread
  std::vector<std::unique_ptr<std::string>> labels_;
  std::vector<std::unique_ptr<Handover>> handovers_;
  std::vector<std::pair<Step, unsigned>> to_take_;
  std::vector<Step> steps_;
};

void do_step(const Step& step, Worker& worker) {
  switch (step.kind) {
    case Step::Kind::kBegin: return omnium_begin(step.label);
    case Step::Kind::kEnd: return omnium_end();
    case Step::Kind::kAction: return step.action(worker);
    case Step::Kind::kGive: return step.handover->give();
    case Step::Kind::kTake: return step.handover->take();
  }
}

void start_timer() {
  struct sigaction action = {};
  action.sa_handler = [](int) { world.signals += 1; };
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval often = {.it_interval = {0, 4000}, .it_value = {0, 4000}};
  setitimer(ITIMER_REAL, &often, nullptr);
}

int run(const Plan& plan, std::uint64_t seed, bool timer) {
  pthread_spin_init(&world.spin, PTHREAD_PROCESS_PRIVATE);
  if (timer) start_timer();
  std::vector<Worker> workers;
  for (unsigned i = 0; i < plan.threads(); ++i) {
    workers.push_back({std::mt19937_64(seed * 31 + i), 0, 0});
  }
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < plan.threads(); ++i) {
    threads.emplace_back([&plan, &worker = workers[i], i] {
      for (const Step& step : plan.steps()) {
        if (step.thread == i) do_step(step, worker);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  const itimerval never = {};
  setitimer(ITIMER_REAL, &never, nullptr);
  for (const Worker& worker : workers)
    std::printf("%llu\n", static_cast<unsigned long long>(worker.sum));
  return static_cast<int>(seed % 3);
}

}  // namespace
}  // namespace torture

int main(int count, char** values) {
  using namespace torture;
  if (count < 4) return 2;
  const Family all[] = {{"memory", memory_actions(), 6},  {"locks", lock_actions(), 12},
                        {"threads", thread_actions(), 3}, {"signals", signal_actions(), 2},
                        {"jumps", jump_actions(), 4},     {"processes", process_actions(), 1}};
  std::vector<Family> families;
  bool timer = count == 4;
  for (const Family& family : all) {
    bool wanted = count == 4;
    for (int i = 4; i < count; ++i) wanted |= std::strcmp(values[i], family.name) == 0;
    if (wanted) families.push_back(family);
  }
  for (int i = 4; i < count; ++i) timer |= std::strcmp(values[i], "timer") == 0;
  world.plugin = values[1];
  const std::uint64_t seed = std::strtoull(values[2], nullptr, 10);
  const Plan plan(seed, static_cast<unsigned>(std::atoi(values[3])), std::move(families));
  return run(plan, seed, timer);
}
