# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
"""Commands for gdb that show what Omnium's runtime knows of the program that is debugged, live or in a core dump.

  info omnium [N]   findings so far; of each thread its open blocks, held locks and last N events (default: 5)
  catch omnium      stop where a violation is found

gdb loads this file by itself together with the runtime library, if it may (`omnium gdb` lets it). It reads memory
alone, by the table that the runtime has for it (docs/runtime/debugger.md): debug information of the runtime is not needed.
"""
import os
import struct

import gdb

VERSION = 1
BEGIN, END, FORK, JOIN = 0, 1, 15, 16
IS_FUNCTION, IS_PART = 1, 2
# By number, as in src/wire/protocol.h: EntryKind, StepKind.
EVENTS = ["begin", "end", "read", "write", "atomic read", "atomic write", "atomic update", "lock", "unlock",
          "read-lock", "read-unlock", "write-lock", "write-unlock", "signal", "wait", "create", "join"]
HELD_AS = {9: "for reading", 11: "for writing"}
STEPS = [("wrote", "read"), ("read", "wrote"), ("wrote", "wrote"), ("released", "acquired"), ("created", "started"),
         ("ended", "joined"), ("signalled", "waited for")]
RUNNING = 2  # of a thread's life


class Missing(Exception):
    """There is nothing to show; says why."""


def read(address, size):
    return bytes(gdb.selected_inferior().read_memory(address, size))


def u64(address):
    return struct.unpack("<Q", read(address, 8))[0]


def u32(address):
    return struct.unpack("<I", read(address, 4))[0]


def text_at(address, most=200):
    out = b""
    try:
        while len(out) < most and b"\0" not in out:
            out += read(address + len(out), 1)
    except gdb.MemoryError:
        pass
    return printable(out)


def printable(raw):
    text = raw.split(b"\0")[0].decode("utf-8", "replace")
    return "".join(c if c.isprintable() else "?" for c in text)


class Facts(dict):
    """The runtime's table of named numbers."""

    ROOM, NAME = 64, 32

    def __init__(self):
        super().__init__()
        try:
            table = int(gdb.parse_and_eval("(unsigned long)&__omnium_debugger"))
            raw = read(table, self.ROOM * (self.NAME + 8))
        except gdb.error as error:
            raise Missing("this program is not running, or was not built with `omnium c++`") from error
        for at in range(0, len(raw), self.NAME + 8):
            name = printable(raw[at:at + self.NAME])
            if not name:
                break
            self[name] = struct.unpack_from("<Q", raw, at + self.NAME)[0]
        if not self.get("threads"):
            raise Missing("Omnium's runtime has not started yet")
        if self["version"] != VERSION:
            raise Missing(f"the program has another version of Omnium's runtime ({self['version']}, not {VERSION}): "
                          "build it anew, or load the commands that lie beside its libomnium_rt.so")


# Names ----------------------------------------------------------------------------------------------------------

def place(pc):
    """Where the instruction before this address is: bank.cpp:28, else a function and an offset."""
    if pc == 0:
        return "?"
    line = gdb.find_pc_line(pc - 1)
    if line.symtab is None or not line.line:
        return symbol(pc - 1) or hex(pc - 1)
    file, number = line.symtab.filename, line.line
    if is_library_header(line.symtab.fullname()):
        file, number = line_of_caller(pc - 1) or (file, number)
    return f"{os.path.basename(file)}:{number}"


def is_library_header(path):
    return ("/include/" in path and "/c++/" in path) or path.endswith("/omnium/atomic.h")


def line_of_caller(address):
    """Code of a library's header was inlined there: the place of the first call that is not in such a header. Of a
    function that was inlined, gdb has the place of its call as that of its symbol."""
    block = gdb.block_for_pc(address)
    while block is not None and not block.is_global and not block.is_static:
        inlined = block.function
        if inlined is not None and inlined.symtab is not None and not is_library_header(inlined.symtab.fullname()):
            around = block.superblock
            while around is not None and around.function is None and not around.is_static:
                around = around.superblock
            # Otherwise it was not inlined, and this is where it is defined.
            return (inlined.symtab.filename, inlined.line) if around is not None and around.function is not None else None
        block = block.superblock
    return None


def symbol(address):
    """main + 12; nothing if no symbol is there."""
    said = gdb.execute(f"info symbol {address:#x}", to_string=True).strip()
    return "" if said.startswith("No symbol") else said.split(" in section ")[0]


def function_name(pc):
    block = gdb.block_for_pc(pc - 1)
    while block is not None and block.function is None:
        block = block.superblock
    if block is not None:
        return str(block.function)
    return (symbol(pc - 1) or hex(pc - 1)).split(" + ")[0]


def block_name(name, function):
    return name or (function_name(function) if function else "")


def member(kind, offset):
    """The path to what lies at this offset of a type: .accounts[2].balance"""
    kind = kind.strip_typedefs()
    if kind.code == gdb.TYPE_CODE_ARRAY:
        element = kind.target()
        size = element.strip_typedefs().sizeof
        return f"[{offset // size}]{member(element, offset % size)}" if size else ""
    if kind.code != gdb.TYPE_CODE_STRUCT:
        return ""
    for field in kind.fields():
        if not hasattr(field, "bitpos") or field.bitsize:
            continue
        begin = field.bitpos // 8
        if begin <= offset < begin + field.type.strip_typedefs().sizeof:
            rest = member(field.type, offset - begin)
            # What is inside a library's type says nothing to whoever uses it.
            if field.is_base_class or not field.name:
                return rest
            return f".{field.name}" + ("" if is_of_library(field.type) else rest)
    return ""


def is_of_library(kind):
    kind = kind.strip_typedefs()
    return (kind.name or kind.tag or "").startswith(("std::", "pthread_", "__"))


def global_name(address):
    said = symbol(address)
    if not said:
        return ""
    name, _, offset = said.partition(" + ")
    known = gdb.lookup_global_symbol(name) or gdb.lookup_static_symbol(name)
    if known is None or known.type is None or is_of_library(known.type):
        return name
    return name + member(known.type, int(offset or 0))


def local_name(address, thread):
    """A variable of a function that the thread has called and that has not returned."""
    selected = gdb.selected_thread()
    try:
        thread.switch()
        frame = gdb.newest_frame()
        for _ in range(40):
            if frame is None:
                return ""
            found = variable_in(frame, address)
            if found:
                return found
            frame = frame.older()
    except gdb.error:
        pass
    finally:
        selected.switch()
    return ""


def variable_in(frame, address):
    try:
        block = frame.block()
    except RuntimeError:  # no debug information
        return ""
    while block is not None:
        for variable in block:
            if not (variable.is_variable or variable.is_argument):
                continue
            try:
                value = variable.value(frame)
                kind = value.type.strip_typedefs()
                if kind.code == gdb.TYPE_CODE_REF:
                    value, kind = value.referenced_value(), kind.target().strip_typedefs()
                begin = int(value.address) if value.address is not None else 0
            except (gdb.error, TypeError):
                continue
            if begin <= address < begin + kind.sizeof:
                return variable.name + ("" if is_of_library(kind) else member(kind, address - begin))
        if block.function is not None:
            break
        block = block.superblock
    return ""


def heap_name(facts, address):
    """The runtime's table of allocations is by a hash of their addresses."""
    table, first = facts["heap"], address & ~15
    for start in range(first, max(first - 65536, 0), -16):
        page = ((start >> 12) * 0x9E3779B97F4A7C15 & (1 << 64) - 1) >> 53
        index = page * 256 + (start >> 4) % 256
        begin, size, pc = struct.unpack("<3Q", read(table + index * 32, 24))
        if begin == start:
            if address - begin >= size:
                return ""
            return f"offset {address - begin} of a {size}-byte allocation ({place(pc)})"
    return ""


class Names:
    """Names of objects, each looked up once."""

    def __init__(self, facts, threads):
        self.facts, self.threads, self.known = facts, threads, {}

    def __call__(self, address):
        if address not in self.known:
            self.known[address] = self.find(address) or hex(address)
        return self.known[address]

    def find(self, address):
        for thread in self.threads:
            if thread.stack_begin <= address < thread.stack_end:
                name = local_name(address, thread.real) if thread.real is not None else ""
                return f"{name or hex(address)} (on the stack of {thread.name})"
        return global_name(address) or heap_name(self.facts, address)


# Threads --------------------------------------------------------------------------------------------------------

class Thread:
    """What the runtime knows of a thread of the program, or of a fiber."""

    def __init__(self, facts, address, real):
        self.facts, self.address, self.real = facts, address, real
        self.number = u32(address + facts["thread.number"])
        self.stack_begin = u64(address + facts["thread.stack_begin"])
        self.stack_end = u64(address + facts["thread.stack_end"])
        self.name = thread_name(text_at(address + facts["thread.name"], 32), self.number)

    def blocks(self):
        """The open ones, outermost first: (name, place, found not to be atomic)."""
        facts = self.facts
        for i in range(min(u32(self.address + facts["thread.depth"]), 128)):
            at = self.address + facts["thread.blocks"] + i * facts["block"]
            name = u64(at + facts["block.name"])
            shown = text_at(name) if name else function_name(u64(at + facts["block.function"]))
            yield shown, place(u64(at + facts["block.pc"])), read(at + facts["block.refuted"], 1) != b"\0"

    def locks(self):
        """Those that it holds, in the order in which it took them: (address, place, how)."""
        facts = self.facts
        count = u32(self.address + facts["held.count"])
        for i in range(min(count, facts["held.most"])):
            lock, pc, kind = struct.unpack("<3Q", read(self.address + facts["held.locks"] + i * 24, 24))
            yield lock, place(pc), HELD_AS.get(kind, "")

    def events(self, most):
        """The latest, oldest first: (what, object, kind, place)."""
        facts = self.facts
        entries = u64(self.address + facts["history.entries"])
        count = u64(self.address + facts["history.end"]) // 16
        for i in range(max(count - most, 0), count):
            packed, pc = struct.unpack("<2Q", read(entries + i % facts["history.capacity"] * 16, 16))
            kind, size, thing = packed >> 48 & 127, packed >> 56, packed & (1 << 48) - 1
            if kind < len(EVENTS) and not (kind <= END and size & IS_PART):
                yield kind, size, thing, place(pc & (1 << 48) - 1)


def thread_name(name, number):
    return name or ("main" if number == 0 else f"thread {number}")


def all_threads(facts):
    """Of gdb's threads those that the runtime knows, then fibers that do not run now."""
    known, selected = {}, gdb.selected_thread()
    try:
        for real in gdb.selected_inferior().threads():
            real.switch()
            base = int(gdb.parse_and_eval("$fs_base")) & (1 << 64) - 1
            known[u64(base + facts["tls"] & (1 << 64) - 1)] = real
    finally:
        if selected is not None:
            selected.switch()
    out = []
    for i in range(facts["most_threads"]):
        address = facts["threads"] + i * facts["thread"]
        life = u32(address + facts["thread.life"])
        if life == 0:
            break
        if address in known or life == RUNNING:
            out.append(Thread(facts, address, known.get(address)))
    return out


def show_thread(thread, names, events):
    real = f"gdb's thread {thread.real.num}" if thread.real is not None else "a fiber that does not run now"
    mark = "*" if thread.real is not None and thread.real == gdb.selected_thread() else " "
    gdb.write(f"\n{mark} {thread.name} ({real})\n")
    blocks = list(thread.blocks())
    if not blocks:
        gdb.write("    in no atomic block\n")
    for name, where, refuted in blocks:
        gdb.write(f"    in block {name}, begun at {where}{': not atomic' if refuted else ''}\n")
    locks = list(thread.locks())
    if not locks:
        gdb.write("    holds no lock\n")
    for lock, where, how in locks:
        gdb.write(f"    holds {names(lock)}{' ' + how if how else ''}, taken at {where}\n")
    latest = list(thread.events(events))
    if latest:
        gdb.write("    last events:\n")
    for kind, size, thing, where in latest:
        gdb.write(f"      {EVENTS[kind]:<13} {event_object(kind, size, thing, names)}  {where}\n")


def event_object(kind, size, thing, names):
    if kind <= END:
        return function_name(thing) if size & IS_FUNCTION else text_at(thing)
    if kind in (FORK, JOIN):
        return next((t.name for t in names.threads if t.number == thing), thread_name("", thing))
    return names(thing)


# Findings -------------------------------------------------------------------------------------------------------

END_OF_STEP, STEP, FOUND = struct.Struct("<QQ64s32sIB3x"), 16, struct.Struct("<Q64sQQ4I")
MOST_STEPS = 8


def end_of_step(raw, at):
    pc, function, block, name, number, access = END_OF_STEP.unpack_from(raw, at)
    return {"place": place(pc), "who": thread_name(printable(name), number),
            "block": block_name(printable(block), function)}


def show_found(raw, names):
    seen, block, function, pc, number, blamed, count, _ = FOUND.unpack_from(raw)
    times = u64(seen)
    if times == 0:
        return  # it turned out to be none
    who = next((t.name for t in names.threads if t.number == number), thread_name("", number))
    verdict = "was not atomic" if blamed else "took part in a cycle: the run is not serializable"
    often = "seen once" if times == 1 else f"seen {times} times"
    gdb.write(f"  {block_name(printable(block), function)} ({who}, {place(pc)}) {verdict}; {often}\n")
    for i in range(min(count, MOST_STEPS)):
        at = FOUND.size + i * (STEP + 2 * END_OF_STEP.size)
        thing, kind, _ = struct.unpack_from("<QII", raw, at)
        first, second = end_of_step(raw, at + STEP), end_of_step(raw, at + STEP + END_OF_STEP.size)
        show_step(first, second, STEPS[kind], "" if kind in (4, 5) else names(thing))


def show_step(first, second, verbs, thing):
    def inside(end):
        return f"{end['who']}{' in ' + end['block'] if end['block'] else ''}"

    gdb.write(f"    {inside(first)} {verbs[0]}{' ' + thing if thing else ''} ({first['place']}),\n"
              f"      then {inside(second)} {verbs[1]}{' it' if thing else ''} ({second['place']})\n")


def show_findings(facts, names):
    if read(facts["checks"], 1) == b"\0":
        gdb.write("The program is recorded, not checked: there are no events and no findings to show.\n")
        return
    count, most = u32(facts["found_count"]), facts["most_found"]
    gdb.write(f"{count or 'No'} finding{'' if count == 1 else 's'} so far" + (":\n" if count else ".\n"))
    size = FOUND.size + MOST_STEPS * (STEP + 2 * END_OF_STEP.size)
    if count > most:
        gdb.write(f"  (the latest {most} are shown)\n")
    for i in range(max(count - most, 0), count):
        show_found(read(facts["found"] + i % most * size, size), names)


# Commands -------------------------------------------------------------------------------------------------------

class InfoOmnium(gdb.Command):
    """Show what Omnium knows: findings so far, and of each thread its open blocks, held locks and last events.
Usage: info omnium [N]
N is the number of events to show of each thread (default: 5)."""

    def __init__(self):
        super().__init__("info omnium", gdb.COMMAND_STATUS)

    def invoke(self, argument, _from_tty):
        try:
            events = int(argument or 5)
        except ValueError as error:
            raise gdb.GdbError("info omnium [N]: N is a number of events") from error
        if not gdb.selected_inferior().pid and not gdb.selected_inferior().threads():
            raise gdb.GdbError("The program is not being run.")
        try:
            facts = Facts()
        except Missing as why:
            raise gdb.GdbError(f"omnium: {why}") from None
        selected = gdb.selected_frame()
        threads = all_threads(facts)
        names = Names(facts, threads)
        show_findings(facts, names)
        for thread in threads:
            show_thread(thread, names, events)
        selected.select()


class FoundBreakpoint(gdb.Breakpoint):
    """Where the runtime has found a violation; the frame that is shown is the program's."""

    def __init__(self):
        super().__init__("__omnium_found", gdb.BP_BREAKPOINT, internal=False)
        self.silent = True


def in_runtime(frame):
    return os.path.basename(gdb.solib_name(frame.pc()) or "") == "libomnium_rt.so"


def after_stop(event):
    if not any(isinstance(b, FoundBreakpoint) for b in getattr(event, "breakpoints", [])):
        return
    frame = gdb.newest_frame()
    while frame is not None and frame.older() is not None and in_runtime(frame):
        frame = frame.older()
    gdb.write("\nOmnium has found a violation here (info omnium tells what it knows):\n")
    frame.select()
    gdb.execute("frame")


class CatchOmnium(gdb.Command):
    """Stop the program where Omnium finds that a block is not atomic.
Usage: catch omnium"""

    def __init__(self):
        super().__init__("catch omnium", gdb.COMMAND_BREAKPOINTS)

    def invoke(self, _argument, _from_tty):
        pending = gdb.parameter("breakpoint pending")
        gdb.execute("set breakpoint pending on", to_string=True)
        try:
            FoundBreakpoint()
        finally:
            gdb.execute(f"set breakpoint pending {'auto' if pending is None else 'on' if pending else 'off'}")


# gdb loads this file again whenever the runtime library is loaded.
if not hasattr(gdb, "omnium_commands"):
    gdb.omnium_commands = VERSION
    InfoOmnium()
    CatchOmnium()
    gdb.events.stop.connect(after_stop)
