/* SPDX-FileCopyrightText: The Omnium authors
 * SPDX-License-Identifier: Apache-2.0
 *
 * Linked into every instrumented executable and shared library: tells the runtime which addresses
 * are instrumented code, before any other constructor of the module runs. */
#define HIDDEN __attribute__((visibility("hidden")))

extern HIDDEN char __ehdr_start[]; /* the linker's names for the first byte of the module ... */
extern HIDDEN char _end[];         /* ... and for the byte after its last */

void __omnium_module_loaded(const void* begin, const void* end);

static void tell_runtime(void) { __omnium_module_loaded(__ehdr_start, _end); }

/* Priority 0: before all that a program can ask for. */
__attribute__((section(".init_array.00000"), used)) static void (*const first)(void) = tell_runtime;
