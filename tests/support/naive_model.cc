// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/naive_model.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/reference.h"

namespace omnium::test {

namespace {

using model::Expression;
using model::Operator;
using model::Program;
using model::Statement;

// What a thread does next.
struct Next {
  enum class Kind { kEnded, kHalted, kEvent, kChoice, kGhost, kAssume, kFault };
  Kind kind = Kind::kEnded;
  omnium::Kind event = omnium::Kind::kSkip;
  std::string object;
  std::int64_t value = 0;  // to write; or the number of branches
  bool sets = false;       // a ghost
  const Expression* condition = nullptr;
  const Statement* updated = nullptr;
  std::map<std::string, std::vector<std::int64_t>> locals;
};

struct Shared {
  std::map<std::string, std::vector<std::int64_t>> variables;
  std::map<std::string, int> owners;
  std::map<std::string, std::vector<std::size_t>> readers;
};

std::string element(const std::string& name, std::size_t size, std::int64_t index) {
  return size == 0 ? name : name + "[" + std::to_string(index) + "]";
}

// Runs a thread from its beginning with what it read and chose so far, up to what is not known yet.
class Interpreter {
 public:
  Interpreter(const Program& program, const model::Thread& thread, std::uint32_t me,
              const std::vector<std::int64_t>& log)
      : program_(program), thread_(thread), me_(me), log_(log) {
    for (const auto& local : thread.locals) {
      next_.locals[local.name].assign(std::max(1u, local.size), local.initial);
    }
  }

  Next run() {
    if (body(thread_.body)) next_.kind = Next::Kind::kEnded;
    return next_;
  }

  // For a condition of an assume: shared variables are looked at directly; `reads` says which.
  static std::optional<bool> holds(const Program& program, const model::Thread& thread,
                                   std::uint32_t me, const Next& at, const Shared& shared,
                                   std::vector<std::string>& reads) {
    const std::vector<std::int64_t> empty;
    Interpreter interpreter(program, thread, me, empty);
    interpreter.next_.locals = at.locals;
    interpreter.shared_ = &shared;
    interpreter.reads_ = &reads;
    std::int64_t value = 0;
    if (!interpreter.value(*at.condition, value)) return std::nullopt;
    return value != 0;
  }

  // What an update writes if it finds `old`; nothing if that is a fault.
  static std::optional<std::int64_t> updated(const Program& program, const model::Thread& thread,
                                             std::uint32_t me, const Next& at, std::int64_t old) {
    const std::vector<std::int64_t> empty;
    Interpreter interpreter(program, thread, me, empty);
    interpreter.next_.locals = at.locals;
    interpreter.old_ = old;
    const Statement& s = *at.updated;
    std::int64_t value = 0;
    if (!interpreter.updated_value(s, *interpreter.shared_variable(s.target.name), value)) {
      return std::nullopt;
    }
    return value;
  }

 private:
  // All of these return false when the thread stops here.
  bool stop(Next::Kind kind) {
    next_.kind = kind;
    return false;
  }
  bool fault() { return stop(Next::Kind::kFault); }
  bool logged(std::int64_t& value) {
    if (at_ == log_.size()) return false;
    value = log_[at_++];
    return true;
  }
  bool event(omnium::Kind kind, std::string object, std::int64_t& value) {
    if (logged(value)) return true;
    next_.event = kind;
    next_.object = std::move(object);
    next_.value = value;
    return stop(Next::Kind::kEvent);
  }
  bool event(omnium::Kind kind, std::string object) {
    std::int64_t ignored = 0;
    return event(kind, std::move(object), ignored);
  }
  bool choice(std::int64_t branches, std::int64_t& taken) {
    if (logged(taken)) return true;
    next_.value = branches;
    return stop(Next::Kind::kChoice);
  }

  const model::Variable* shared_variable(const std::string& name) const {
    for (const auto& variable : program_.shared) {
      if (variable.name == name) return &variable;
    }
    return nullptr;
  }
  const model::Variable* local_variable(const std::string& name) const {
    for (const auto& variable : thread_.locals) {
      if (variable.name == name) return &variable;
    }
    return nullptr;
  }

  bool index(const Expression& e, std::size_t size, std::int64_t& out) {
    out = 0;
    if (size == 0) return true;
    if (!value(e.arguments[0], out)) return false;
    return (out >= 0 && out < static_cast<std::int64_t>(size)) || fault();
  }

  bool variable(const Expression& e, std::int64_t& out) {
    std::int64_t i = 0;
    if (const auto* local = local_variable(e.name)) {
      if (!index(e, local->size, i)) return false;
      out = next_.locals[e.name][static_cast<std::size_t>(i)];
      return true;
    }
    const auto* shared = shared_variable(e.name);
    if (!index(e, shared->size, i)) return false;
    if (shared->ghost && shared_ == nullptr) return ghost(element(e.name, shared->size, i), out);
    if (e.name == updated_) {
      out = old_;
      return true;
    }
    if (shared_ == nullptr) {
      return event(omnium::Kind::kRead, element(e.name, shared->size, i), out);
    }
    if (!shared->ghost) reads_->push_back(element(e.name, shared->size, i));
    out = shared_->variables.at(e.name)[static_cast<std::size_t>(i)];
    return true;
  }

  bool value(const Expression& e, std::int64_t& out) {
    if (e.op == Operator::kConstant || e.op == Operator::kBoolConstant) {
      out = e.value;
      return true;
    }
    if (e.op == Operator::kMe) {
      out = me_;
      return true;
    }
    if (e.op == Operator::kName) return variable(e, out);
    std::int64_t a = 0;
    std::int64_t b = 0;
    if (!value(e.arguments[0], a)) return false;
    const bool decided = (e.op == Operator::kAnd && a == 0) || (e.op == Operator::kOr && a != 0);
    if (e.arguments.size() > 1 && !decided && !value(e.arguments[1], b)) return false;
    return operation(e.op, a, b, out);
  }

  bool operation(Operator op, std::int64_t a, std::int64_t b, std::int64_t& out) {
    switch (op) {
      case Operator::kNot: out = a == 0; break;
      case Operator::kNegate: out = -a; break;
      case Operator::kAnd: out = a != 0 && b != 0; break;
      case Operator::kOr: out = a != 0 || b != 0; break;
      case Operator::kEqual: out = a == b; break;
      case Operator::kNotEqual: out = a != b; break;
      case Operator::kLess: out = a < b; break;
      case Operator::kLessEqual: out = a <= b; break;
      case Operator::kGreater: out = a > b; break;
      case Operator::kGreaterEqual: out = a >= b; break;
      case Operator::kAdd: out = a + b; break;
      case Operator::kSubtract: out = a - b; break;
      case Operator::kMultiply: out = a * b; break;
      case Operator::kDivide:
        if (b == 0) return fault();
        out = a / b;
        break;
      case Operator::kRemainder:
        if (b == 0) return fault();
        out = a % b;
        break;
      default: break;
    }
    return true;
  }

  bool body(const Statement::Body& statements) {
    for (const Statement& s : statements) {
      if (!statement(s)) return false;
    }
    return true;
  }

  bool assign(const Statement& s) {
    const auto* local = local_variable(s.target.name);
    const auto* target = local != nullptr ? local : shared_variable(s.target.name);
    std::int64_t i = 0;
    std::int64_t v = 0;
    if (!index(s.target, target->size, i)) return false;
    if (s.event == omnium::Kind::kUpdate) return update(s, *target);
    if (!value(s.value, v)) return false;
    if (v < target->type.low || v > target->type.high) return fault();
    if (local != nullptr) {
      next_.locals[s.target.name][static_cast<std::size_t>(i)] = v;
      return true;
    }
    if (target->ghost) return set_ghost(element(s.target.name, target->size, i), v);
    return event(s.event, element(s.target.name, target->size, i), v);
  }

  // What an update writes is known once its event has happened: the log has what it read.
  bool update(const Statement& s, const model::Variable& target) {
    if (at_ == log_.size()) {
      next_.updated = &s;
      return event(omnium::Kind::kUpdate, s.target.name);
    }
    std::int64_t v = 0;
    return logged(old_) && updated_value(s, target, v);
  }
  bool updated_value(const Statement& s, const model::Variable& target, std::int64_t& v) {
    updated_ = s.target.name;
    const bool known = value(s.value, v);
    updated_.clear();
    return known && ((v >= target.type.low && v <= target.type.high) || fault());
  }

  // Ghosts are looked at and set without an event, but not before the thread comes there.
  bool ghost(std::string name, std::int64_t& out) {
    if (logged(out)) return true;
    next_.object = std::move(name);
    next_.sets = false;
    return stop(Next::Kind::kGhost);
  }
  bool set_ghost(std::string name, std::int64_t v) {
    std::int64_t ignored = 0;
    if (logged(ignored)) return true;
    next_.object = std::move(name);
    next_.value = v;
    next_.sets = true;
    return stop(Next::Kind::kGhost);
  }

  bool look(const Statement& s) {
    const auto* target = shared_variable(s.target.name);
    std::int64_t i = 0;
    return index(s.target, target->size, i) &&
           event(s.event, element(s.target.name, target->size, i));
  }

  bool lock(const Statement& s, omnium::Kind kind) {
    std::size_t size = 0;
    for (const auto& lock : program_.locks) {
      if (lock.name == s.target.name) size = lock.size;
    }
    std::int64_t i = 0;
    return index(s.target, size, i) && event(kind, element(s.target.name, size, i));
  }

  bool other_thread(const Statement& s, omnium::Kind kind) {
    std::size_t copies = 0;
    for (const auto& thread : program_.threads) {
      if (thread.name == s.target.name) copies = thread.copies;
    }
    std::int64_t i = 0;
    return index(s.target, copies, i) && event(kind, element(s.target.name, copies, i));
  }

  bool statement(const Statement& s) {
    using K = Statement::Kind;
    std::int64_t v = 0;
    switch (s.kind) {
      case K::kSkip: return true;
      case K::kAssign: return assign(s);
      case K::kLook: return look(s);
      case K::kAcquire:
      case K::kRelease:
      case K::kBusy: return lock(s, s.event);
      case K::kSignal:
      case K::kAwait: return event(s.event, s.target.name);
      case K::kHalt: return stop(Next::Kind::kHalted);
      case K::kFork: return other_thread(s, omnium::Kind::kFork);
      case K::kJoin: return other_thread(s, omnium::Kind::kJoin);
      case K::kAssert: return value(s.value, v) && (v != 0 || fault());
      case K::kAssume:
        if (logged(v)) return true;
        next_.condition = &s.value;
        return stop(Next::Kind::kAssume);
      case K::kIf:
        if (!value(s.value, v)) return false;
        if (v != 0) return body(s.bodies[0]);
        return s.bodies.size() < 2 || body(s.bodies[1]);
      case K::kAtomic:
        return event(omnium::Kind::kBegin, s.label) && body(s.bodies[0]) &&
               event(omnium::Kind::kEnd, s.label);
      case K::kChoose:
        return choice(static_cast<std::int64_t>(s.bodies.size()), v) &&
               body(s.bodies[static_cast<std::size_t>(v)]);
      default: return loop(s);
    }
  }

  bool loop(const Statement& s) {
    for (std::uint32_t i = 0;; ++i) {
      std::int64_t more = s.kind == Statement::Kind::kLoop ? i < s.count : 0;
      if (s.kind == Statement::Kind::kWhile && !value(s.value, more)) return false;
      if (s.kind == Statement::Kind::kWhileMaybe && !choice(2, more)) return false;
      if (more == 0) return true;
      if (!body(s.bodies[0])) return false;
    }
  }

  const Program& program_;
  const model::Thread& thread_;
  std::uint32_t me_;
  const std::vector<std::int64_t>& log_;
  std::size_t at_ = 0;
  Next next_;
  std::string updated_;  // the variable of the update that is being evaluated
  std::int64_t old_ = 0;
  const Shared* shared_ = nullptr;
  std::vector<std::string>* reads_ = nullptr;
};

struct Copy {
  std::string name;
  const model::Thread* thread;
  std::uint32_t me;
  bool started = true;
};

void find_forks(const Statement::Body& body, std::vector<std::string>& out,
                const Program& program) {
  for (const Statement& s : body) {
    for (const auto& inner : s.bodies) find_forks(inner, out, program);
    if (s.kind != Statement::Kind::kFork) continue;
    std::size_t copies = 0;
    for (const auto& thread : program.threads) {
      if (thread.name == s.target.name) copies = thread.copies;
    }
    out.push_back(element(s.target.name, copies, copies == 0 ? 0 : s.target.arguments[0].value));
  }
}

class AllRuns {
 public:
  AllRuns(const Program& program, CheckMode mode, std::uint64_t most)
      : program_(program), mode_(mode), most_(most) {
    std::vector<std::string> forked;
    for (const auto& thread : program.threads) find_forks(thread.body, forked, program);
    for (const auto& thread : program.threads) {
      for (std::uint32_t i = 0; i < std::max(1u, thread.copies); ++i) {
        Copy copy{element(thread.name, thread.copies, i), &thread, i};
        copy.started = std::find(forked.begin(), forked.end(), copy.name) == forked.end();
        copies_.push_back(copy);
      }
    }
    for (const auto& variable : program.shared) {
      point_.shared.variables[variable.name].assign(std::max(1u, variable.size), variable.initial);
    }
    for (const Copy& copy : copies_) {
      point_.logs.emplace_back();
      point_.started.push_back(copy.started);
    }
  }

  NaiveVerdict run() {
    start_from(point_, 0);
    return verdict_;
  }

 private:
  struct Point {
    Shared shared;
    std::vector<std::vector<std::int64_t>> logs;
    std::vector<bool> started;
    std::vector<Event> events;
  };
  struct Option {
    std::vector<std::int64_t> log;
    Next next;
  };

  // Tries all first values of the variables from number `variable` on.
  void start_from(Point start, std::size_t variable) {
    const auto& shared = program_.shared;
    while (variable < shared.size() && !shared[variable].starts_anyhow) ++variable;
    if (variable == shared.size()) return visit(start);
    const auto& it = shared[variable];
    for (std::int32_t value = it.type.low; value <= it.type.high; ++value) {
      start.shared.variables[it.name].assign(1, value);
      start_from(start, variable + 1);
    }
  }

  // What thread t can do next, with every silent choice made in every way.
  std::vector<Option> options(std::size_t t, const std::vector<std::int64_t>& log) const {
    const Copy& copy = copies_[t];
    Option option{log, Interpreter(program_, *copy.thread, copy.me, log).run()};
    if (option.next.kind == Next::Kind::kAssume) {
      std::vector<std::string> reads;
      const auto holds =
          Interpreter::holds(program_, *copy.thread, copy.me, option.next, point_.shared, reads);
      if (holds && *holds && reads.empty()) {
        option.log.push_back(1);
        return options(t, option.log);
      }
    }
    if (option.next.kind != Next::Kind::kChoice) return {option};
    std::vector<Option> all;
    for (std::int64_t i = 0; i < option.next.value; ++i) {
      option.log.push_back(i);
      for (Option& each : options(t, option.log)) all.push_back(std::move(each));
      option.log.pop_back();
    }
    return all;
  }

  std::uint32_t id(std::map<std::string, std::uint32_t>& names, const std::string& name) {
    return names.emplace(name, static_cast<std::uint32_t>(names.size())).first->second;
  }

  void add_event(Point& point, Kind kind, std::size_t t, const std::string& object) {
    std::uint32_t number = 0;
    if (kind == Kind::kFork || kind == Kind::kJoin) {
      number = static_cast<std::uint32_t>(thread_number(object));
    } else {
      auto& names = kind == Kind::kBegin || kind == Kind::kEnd      ? labels_
                    : kind == Kind::kSignal || kind == Kind::kAwait ? channels_
                    : is_access(kind)                               ? cells_
                                                                    : locks_;
      number = id(names, object);
    }
    point.events.push_back({kind, static_cast<std::uint16_t>(t), number});
  }

  std::size_t thread_number(const std::string& name) const {
    std::size_t t = 0;
    while (copies_[t].name != name) ++t;
    return t;
  }

  std::int64_t& cell(Shared& shared, const std::string& name) {
    const std::size_t bracket = name.find('[');
    const std::size_t index = bracket == std::string::npos
                                  ? 0
                                  : static_cast<std::size_t>(std::stoul(name.substr(bracket + 1)));
    return shared.variables[name.substr(0, bracket)][index];
  }

  void fault(const Point& point) {
    faulted_ = true;
    const std::size_t events = point.events.size();
    if (!verdict_.shortest_fault || events < *verdict_.shortest_fault) {
      verdict_.shortest_fault = events;
    }
  }

  // Takes or gives back a lock; false if that cannot be done now.
  bool lock(Point& point, std::size_t t, const Next& next) {
    int& owner = point.shared.owners[next.object];
    auto& readers = point.shared.readers[next.object];
    const int mine = static_cast<int>(t) + 1;
    const bool reads = std::ranges::count(readers, t) != 0;
    const bool shared = is_shared_side(next.event);
    if (next.event == Kind::kBusy) {
      return owner != 0 ? owner != mine : readers.size() > (reads ? 1 : 0);
    }
    if (takes_lock(next.event)) {
      if (owner == mine || reads) fault(point);
      if (owner != 0 || reads || (!shared && !readers.empty())) return false;
      if (shared) readers.push_back(t);
      if (!shared) owner = mine;
      return true;
    }
    if (shared ? !reads : owner != mine) {
      fault(point);
      return false;
    }
    if (shared) std::erase(readers, t);
    if (!shared) owner = 0;
    return true;
  }

  // What the thread does to ghosts right after an event.
  void settle(Point& point, std::size_t t) {
    const Copy& copy = copies_[t];
    for (;;) {
      const Next next = Interpreter(program_, *copy.thread, copy.me, point.logs[t]).run();
      if (next.kind != Next::Kind::kGhost) return;
      std::int64_t& ghost = cell(point.shared, next.object);
      if (next.sets) ghost = next.value;
      point.logs[t].push_back(ghost);
    }
  }

  bool names_ghost(const Expression& e) const {
    const auto is_it = [&](const model::Variable& v) { return v.ghost && v.name == e.name; };
    return (e.op == Operator::kName && std::ranges::any_of(program_.shared, is_it)) ||
           std::ranges::any_of(e.arguments, [&](const auto& inner) { return names_ghost(inner); });
  }

  // What a thread that cannot do this would do instead is not in the model.
  bool is_open_ended(const Next& next) const {
    return next.kind == Next::Kind::kHalted ||
           (next.kind == Next::Kind::kAssume && names_ghost(*next.condition)) ||
           (next.kind == Next::Kind::kEvent && next.event == Kind::kBusy);
  }

  // Does the option; false if it cannot be done now.
  bool take(Point& point, std::size_t t, const Option& option) {
    const bool taken = take_event(point, t, option);
    if (taken) settle(point, t);
    return taken;
  }

  bool take_event(Point& point, std::size_t t, const Option& option) {
    const Next& next = option.next;
    point.logs[t] = option.log;
    if (next.kind == Next::Kind::kAssume) {
      std::vector<std::string> reads;
      const auto holds = Interpreter::holds(program_, *copies_[t].thread, copies_[t].me, next,
                                            point.shared, reads);
      if (!holds) fault(point);
      if (!holds || !*holds) return false;
      for (const std::string& name : reads) add_event(point, Kind::kRead, t, name);
      point.logs[t].push_back(1);
      return true;
    }
    std::int64_t logged = next.value;
    switch (next.event) {
      case Kind::kRead: logged = cell(point.shared, next.object); break;
      case Kind::kWrite:
      case Kind::kAtomicWrite: cell(point.shared, next.object) = next.value; break;
      case Kind::kUpdate: {
        std::int64_t& target = cell(point.shared, next.object);
        logged = target;
        const auto value =
            Interpreter::updated(program_, *copies_[t].thread, copies_[t].me, next, target);
        if (!value) fault(point);
        if (!value) return false;
        target = *value;
        break;
      }
      case Kind::kAcquire:
      case Kind::kSharedAcquire:
      case Kind::kResume:
      case Kind::kRelease:
      case Kind::kSharedRelease:
      case Kind::kWait:
      case Kind::kBusy:
        if (!lock(point, t, next)) return false;
        break;
      case Kind::kFork: {
        const std::size_t child = thread_number(next.object);
        if (point.started[child]) fault(point);
        if (point.started[child]) return false;
        point.started[child] = true;
        break;
      }
      case Kind::kJoin: {
        const std::size_t other = thread_number(next.object);
        if (!point.started[other]) return false;
        bool ends = false;
        for (const Option& each : options(other, point.logs[other])) {
          if (each.next.kind != Next::Kind::kEnded) continue;
          ends = true;
          point.logs[other] = each.log;
        }
        if (!ends) return false;
        break;
      }
      default: break;
    }
    add_event(point, next.event, t, next.object);
    point.logs[t].push_back(logged);
    return true;
  }

  void visit(const Point& point) {
    if (!verdict_.complete) return;
    bool went_on = false;
    bool failed = false;
    bool stuck = false;
    bool open_ended = false;
    for (std::size_t t = 0; t < copies_.size(); ++t) {
      if (!point.started[t]) continue;
      bool can_end = false;
      point_ = point;
      for (const Option& option : options(t, point.logs[t])) {
        can_end |=
            option.next.kind == Next::Kind::kEnded || option.next.kind == Next::Kind::kHalted;
        open_ended |= is_open_ended(option.next);
        if (option.next.kind == Next::Kind::kFault) {
          fault(point);
          failed = true;
        }
        if (option.next.kind != Next::Kind::kEvent && option.next.kind != Next::Kind::kAssume) {
          continue;
        }
        Point then = point;
        faulted_ = false;
        point_ = point;
        const bool taken = take(then, t, option);
        failed |= faulted_;
        went_on |= taken;
        if (taken) visit(then);
      }
      stuck |= !can_end;
    }
    if (went_on) return;
    verdict_.deadlock |= stuck && !failed && !open_ended;
    judge(point);
  }

  std::vector<Event> prefix(const Point& point, std::size_t length) const {
    return {point.events.begin(), point.events.begin() + static_cast<std::ptrdiff_t>(length)};
  }

  void judge(const Point& point) {
    if (++verdict_.runs > most_) verdict_.complete = false;
    std::size_t length = point.events.size();
    if (verdict_.shortest_violation) length = std::min(length, *verdict_.shortest_violation - 1);
    std::vector<Event> events = prefix(point, length);
    if (events == last_) return;
    last_ = events;
    while (length > 0 && !Reference(prefix(point, length), mode_).verdict().serializable) {
      verdict_.shortest_violation = length--;
    }
  }

  const Program& program_;
  CheckMode mode_;
  std::uint64_t most_;
  std::vector<Copy> copies_;
  Point point_;
  std::map<std::string, std::uint32_t> cells_, locks_, channels_, labels_;
  std::vector<Event> last_;
  bool faulted_ = false;
  NaiveVerdict verdict_;
};

}  // namespace

NaiveVerdict judge_all_runs(const model::Program& program, CheckMode mode,
                            std::uint64_t most_runs) {
  return AllRuns(program, mode, most_runs).run();
}

}  // namespace omnium::test
