// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What is so after each row of a table: who holds which lock, which value each object has, and which each thread has
// read. Nobody recorded values, so they have letters: A is what was there, each write makes the next one.
import type { Picture } from "./data";

export interface Value {
  letter: string;
  row: number | null; // that wrote it; null for A
}

export interface Moment {
  holders: Map<string, number[]>; // columns, by lock; empty: free
  values: Map<string, Value>; // by object
  read: Map<string, Value>[]; // by column: what it last read or wrote of each object
}

const TAKES = new Set(["acquire", "shared acquire", "resume"]);
const GIVES_BACK = new Set(["release", "shared release", "wait"]);
const READS = new Set(["read", "atomic read", "read-modify-write", "retry"]);
const WRITES = new Set(["write", "atomic write", "read-modify-write"]);

type Operation = { operation?: string };
export const takes = (it: Operation): boolean => TAKES.has(it.operation ?? "");
export const givesBack = (it: Operation): boolean => GIVES_BACK.has(it.operation ?? "");
export const reads = (it: Operation): boolean => READS.has(it.operation ?? "");
export const writes = (it: Operation): boolean => WRITES.has(it.operation ?? "");

const letter = (count: number): string => (count < 26 ? String.fromCharCode(65 + count) : `#${count}`);

function first(picture: Picture): Moment {
  const moment: Moment = { holders: new Map(), values: new Map(), read: picture.columns.map(() => new Map()) };
  for (const row of picture.rows) {
    if (takes(row) || givesBack(row)) moment.holders.set(row.object ?? "", []);
    else if (reads(row) || writes(row)) moment.values.set(row.object ?? "", { letter: "A", row: null });
  }
  // What is given back without being taken was held before.
  const taken = new Set<string>();
  for (const row of picture.rows) {
    const key = `${row.column} ${row.object}`;
    if (givesBack(row) && !taken.has(key)) moment.holders.get(row.object ?? "")!.push(row.column);
    if (takes(row) || givesBack(row)) taken.add(key);
  }
  return moment;
}

const copyOf = (moment: Moment): Moment => ({
  holders: new Map([...moment.holders].map(([lock, columns]) => [lock, [...columns]])),
  values: new Map(moment.values), read: moment.read.map((it) => new Map(it)),
});

// The first is before the first row.
export function momentsOf(picture: Picture): Moment[] {
  const moments = [first(picture)];
  const versions = new Map<string, number>();
  picture.rows.forEach((row, at) => {
    const now = copyOf(moments[at]!), object = row.object ?? "";
    // Rows may be missing: whoever takes a lock alone shows that nobody else has it any more.
    if (takes(row)) now.holders.set(object, row.operation === "shared acquire" ? [...now.holders.get(object)!, row.column] : [row.column]);
    if (givesBack(row)) {
      const holders = now.holders.get(object)!, index = holders.lastIndexOf(row.column);
      if (index >= 0) holders.splice(index, 1);
    }
    if (writes(row)) {
      const version = (versions.get(object) ?? 0) + 1;
      versions.set(object, version);
      now.values.set(object, { letter: letter(version), row: at });
    }
    if (reads(row) || writes(row)) now.read[row.column]!.set(object, now.values.get(object)!);
    moments.push(now);
  });
  return moments;
}
