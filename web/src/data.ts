// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the C++ side writes into the page: the results of docs/formats/json.md, and pieces of source files.

export interface Block {
  thread: string;
  label: string | null; // null: a single event outside any block
  begin: number | null;
}

// Without operation and object where only its place in the trace is known.
export interface EventView {
  event: number; // index
  thread: string;
  operation?: string;
  object?: string;
  location?: string;
}

export interface Sentence {
  from: Block;
  to: Block;
  first: EventView;
  second: EventView;
  same_object: boolean;
}

// The thread is that of the column.
export interface Row extends Omit<EventView, "thread"> {
  column: number;
  mark?: "opens" | "closes";
  skipped?: number; // events of the trace between the row before and this one
}

export interface Column {
  thread: string;
  label?: string;
}

export interface Picture {
  sentences: Sentence[];
  columns: Column[];
  rows: Row[];
  held_lock?: string;
}

// One of the ways in which a cause was seen.
export interface Variant {
  pattern?: string;
  partners: (string | null)[]; // labels; null: outside any block
  count: number;
}

// How the program failed in a run of a hunt.
export interface Failure {
  what: string;
  freed?: string; // of freed memory: where that was
  waits?: { thread: string; lock: string; held_by: string }[]; // of a deadlock
  output?: string[]; // the last lines that the program wrote
}

export interface Cause {
  id: string;
  pattern?: string;
  objects: string[];
  block: Block;
  outer?: Block[];
  partners?: Block[];
  count: number;
  variants?: Variant[]; // the one that is shown first; absent if it is the only one
  blamed: boolean;
  status?: "certain" | "possible"; // it did not happen, but it could
  looks_like?: string; // it is probably harmless
  remarks?: string[]; // sentences of the text report
  rule?: string; // of a specification, to drop the block
  locations: { block?: string; event?: string; waited?: string }; // waited: the refuted part of the block began there
  picture?: Picture;
  failure?: Failure; // it is no violation: the program failed. The pattern is the kind, the block the function
  suppressed?: string; // the reason
  known?: boolean; // in the baseline
}

export interface Runs {
  label: string;
  count: number;
  refuted: number;
}

export interface Predicted {
  atomic: boolean; // in every interleaving
  remarks: string[]; // sentences: what else was found, what is missing for "atomic"
}

// A trace or a run, and what is said of it as a whole.
export interface Part {
  trace: {
    path: string;
    // null: nobody counted them, as when a program runs
    events: number | null;
    threads: number | null;
    variables: number | null;
    locks: number | null;
    blocks: number | null;
    transactions: number | null;
    passed_over?: number; // blocks that were not judged
  };
  predicted?: Predicted; // it is about other interleavings of the trace
  serializable: boolean | null;
  instances?: number | null; // violations
  seconds?: number;
}

export interface Report extends Part {
  version: string;
  engine: string;
  causes: Cause[];
  runs?: Runs[];
  merged?: Part[]; // the runs of which it is made
  cycle?: Block[] | null;
  cycle_cause?: Cause; // of a cycle without a block to blame
}

// Some lines of a source file, the first of which has number `first`.
export interface Snippet {
  file: string;
  first: number;
  lines: string[];
}

// The words of the text report: this page speaks like it.
export interface Words {
  // By operation; "skip" where none is known. What did not happen is imagined.
  verbs: Record<string, { told: string; imagined: string; cell: string }>;
  longest_name: number;
  most_listed: number; // a longer list ends in "and 9 more"
  unsafe: [number, number][]; // ranges of characters that could make a name look like another
}

export interface Page {
  reports: Report[];
  sources: Snippet[];
  files: Record<string, string>; // absolute paths of the files that could be read, by the names that the traces use
  editor: string; // for links to source lines: a name or a template of a link
  drawings: Record<string, { wide: string; tall: string }>; // of cycles, by their shape
  words: Words;
}

// One entry of the list.
export interface Finding {
  key: string; // of its link: the id of the cause, encoded
  report: Report;
  cause: Cause;
  traces: string[]; // paths of those that have it
  blameless: boolean; // a cycle for which no single block is to blame
  picture: Picture | null;
  done: string; // why nobody needs to act on it: "suppressed", "known" or ""
  length: number; // transactions in the cycle
  count: number;
  title: string;
  block: string;
  haystack: string; // lower case
}
