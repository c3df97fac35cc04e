# SPDX-FileCopyrightText: The Omnium authors
# SPDX-License-Identifier: Apache-2.0
# gdb loads this together with libomnium_rt.so. The commands are in a file beside that library.
import os

import gdb

OMNIUM_COMMANDS = os.path.join(os.path.dirname(os.path.realpath(gdb.current_objfile().filename)), "omnium_gdb.py")
if os.path.exists(OMNIUM_COMMANDS) and not hasattr(gdb, "omnium_commands"):
    gdb.execute(f"source {OMNIUM_COMMANDS}")
