// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The functions Annotate* of dynamic_annotations.h that describe synchronization. Programs and
// libraries bring that header along. Annotations for race detectors (benign races, expected races)
// have no meaning here.
#include "runtime/interpose/annotations.h"
#include "runtime/interpose/real.h"

namespace omnium::runtime {
namespace {

const void* at(unsigned long address) { return reinterpret_cast<const void*>(address); }

}  // namespace

#define OMNIUM_ANNOTATE(name, ...)                              \
  OMNIUM_INTERPOSE void name([[maybe_unused]] const char* file, \
                             [[maybe_unused]] int line __VA_OPT__(, ) __VA_ARGS__)
#define OMNIUM_ANNOTATE_NOTHING(name, ...) \
  OMNIUM_INTERPOSE void name(const char*, int __VA_OPT__(, ) __VA_ARGS__) {}

OMNIUM_ANNOTATE(AnnotateHappensBefore, unsigned long address) {
  happens_before(at(address), OMNIUM_USER_PC());
}
OMNIUM_ANNOTATE(AnnotateHappensAfter, unsigned long address) {
  happens_after(at(address), OMNIUM_USER_PC());
}
OMNIUM_ANNOTATE(WTFAnnotateHappensBefore, unsigned long address) {
  happens_before(at(address), OMNIUM_USER_PC());
}
OMNIUM_ANNOTATE(WTFAnnotateHappensAfter, unsigned long address) {
  happens_after(at(address), OMNIUM_USER_PC());
}
OMNIUM_ANNOTATE(AnnotateHappensBeforeForgetAll, unsigned long address) {
  forget_happens_before(at(address));
}

OMNIUM_ANNOTATE(AnnotateRWLockCreate, unsigned long lock) { forget_lock(at(lock)); }
OMNIUM_ANNOTATE(AnnotateRWLockCreateStatic, unsigned long lock) { forget_lock(at(lock)); }
OMNIUM_ANNOTATE(AnnotateRWLockDestroy, unsigned long lock) { forget_lock(at(lock)); }
OMNIUM_ANNOTATE(AnnotateRWLockAcquired, unsigned long lock, unsigned long for_writing) {
  (for_writing != 0 ? write_acquire : read_acquire)(at(lock), OMNIUM_USER_PC());
}
OMNIUM_ANNOTATE(AnnotateRWLockReleased, unsigned long lock, unsigned long for_writing) {
  (for_writing != 0 ? write_release : read_release)(at(lock), OMNIUM_USER_PC());
}

OMNIUM_ANNOTATE(AnnotateNewMemory, unsigned long address, unsigned long size) {
  forget_range(at(address), size);
}
OMNIUM_ANNOTATE(AnnotateThreadName, const char* name) {
  if (ThreadState* self = current_thread(); self != nullptr) thread_named(self, name);
}
OMNIUM_ANNOTATE(AnnotateIgnoreReadsBegin) { ignore_begin(); }
OMNIUM_ANNOTATE(AnnotateIgnoreReadsEnd) { ignore_end(); }
OMNIUM_ANNOTATE(AnnotateIgnoreWritesBegin) { ignore_begin(); }
OMNIUM_ANNOTATE(AnnotateIgnoreWritesEnd) { ignore_end(); }

OMNIUM_ANNOTATE_NOTHING(AnnotateIgnoreSyncBegin)
OMNIUM_ANNOTATE_NOTHING(AnnotateIgnoreSyncEnd)
OMNIUM_ANNOTATE_NOTHING(AnnotateCondVarSignal, unsigned long)
OMNIUM_ANNOTATE_NOTHING(AnnotateCondVarSignalAll, unsigned long)
OMNIUM_ANNOTATE_NOTHING(AnnotateCondVarWait, unsigned long, unsigned long)
OMNIUM_ANNOTATE_NOTHING(AnnotateMutexIsNotPHB, unsigned long)
OMNIUM_ANNOTATE_NOTHING(AnnotateMutexIsUsedAsCondVar, unsigned long)
OMNIUM_ANNOTATE_NOTHING(AnnotatePCQCreate, unsigned long)
OMNIUM_ANNOTATE_NOTHING(AnnotatePCQDestroy, unsigned long)
OMNIUM_ANNOTATE_NOTHING(AnnotatePCQPut, unsigned long)
OMNIUM_ANNOTATE_NOTHING(AnnotatePCQGet, unsigned long)
OMNIUM_ANNOTATE_NOTHING(AnnotatePublishMemoryRange, unsigned long, unsigned long)
OMNIUM_ANNOTATE_NOTHING(AnnotateUnpublishMemoryRange, unsigned long, unsigned long)
OMNIUM_ANNOTATE_NOTHING(AnnotateTraceMemory, unsigned long)
OMNIUM_ANNOTATE_NOTHING(AnnotateNoOp, unsigned long)
OMNIUM_ANNOTATE_NOTHING(AnnotateFlushState)
OMNIUM_ANNOTATE_NOTHING(AnnotateFlushExpectedRaces)
OMNIUM_ANNOTATE_NOTHING(AnnotateEnableRaceDetection, int)
OMNIUM_ANNOTATE_NOTHING(AnnotateExpectRace, unsigned long, const char*)
OMNIUM_ANNOTATE_NOTHING(AnnotateBenignRace, unsigned long, const char*)
OMNIUM_ANNOTATE_NOTHING(AnnotateBenignRaceSized, unsigned long, unsigned long, const char*)
OMNIUM_ANNOTATE_NOTHING(WTFAnnotateBenignRaceSized, unsigned long, unsigned long, const char*)
OMNIUM_ANNOTATE_NOTHING(AnnotateMemoryIsInitialized, unsigned long, unsigned long)
OMNIUM_ANNOTATE_NOTHING(AnnotateMemoryIsUninitialized, unsigned long, unsigned long)

OMNIUM_INTERPOSE int RunningOnValgrind() { return 0; }
OMNIUM_INTERPOSE double ValgrindSlowdown() { return 10.0; }
OMNIUM_INTERPOSE const char* ThreadSanitizerQuery(const char*) { return "0"; }

}  // namespace omnium::runtime
