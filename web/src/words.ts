// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Blocks, events and counts as parts of sentences. The words themselves come with the data, from the text report.
import type { Block, Cause, EventView, Words } from "./data";

let words: Words;
let unsafe: RegExp;

// Must be called before anything else of this file.
export function speak(from: Words): void {
  words = from;
  const hex = (code: number): string => `\\u${code.toString(16).padStart(4, "0")}`;
  unsafe = new RegExp(`[${words.unsafe.map(([first, last]) => `${hex(first)}-${hex(last)}`).join("")}]`, "g");
}

// A name from a trace, so that it cannot look like something else.
export function visible(name: string): string {
  return name.replace(unsafe, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`);
}

// The same, no longer than a person reads.
export function brief(name: string, longest = words.longest_name): string {
  const text = visible(name);
  if (text.length <= longest) return text;
  const half = Math.floor((longest - 1) / 2);
  return `${text.slice(0, half)}…${text.slice(-half)}`;
}

export const place = (location: string | null | undefined): string =>
  !location || location === "-" ? "" : location;

export function shortName(block: Block): string {
  if (block.label === null) return block.thread;
  return block.label === "" ? `unnamed block of ${block.thread}` : block.label;
}

type Operation = Pick<EventView, "operation">;
const verbs = (event: Operation) => words.verbs[event.operation ?? "skip"]!;
export const toldVerb = (event: Operation, predicted: boolean): string =>
  predicted ? verbs(event).imagined : verbs(event).told;
export const cellVerb = (event: Operation): string => verbs(event).cell;

// "seen once", "in 3 transactions"
export function howOften(cause: Cause, count: number): string {
  if (cause.status) return `in ${countOf(count, "transaction")}`;
  if (cause.failure) return `seen in ${countOf(count, "run")}`;
  return count === 1 ? "seen once" : `seen ${countOf(count, "time")}`;
}

// No more items than a sentence can list: the last one says how many were left out.
export function abridged<Item>(items: Item[]): (Item | string)[] {
  const most = words.most_listed;
  return items.length > most ? [...items.slice(0, most - 1), `${items.length - most + 1} more`] : items;
}

export function listed(all: string[]): string {
  const items: string[] = abridged(all);
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]}`;
}

export function headline(cause: Cause): string {
  if (cause.failure) return brief(cause.failure.what);
  const objects = listed(cause.objects.map((it) => brief(it, 60)));
  if (!cause.pattern) return objects;
  const pattern = brief(cause.pattern, 60);
  return objects ? `${pattern} on ${objects}` : pattern;
}

export const grouped = (number: number): string => number.toLocaleString("en-US");
// The same, short enough for a tile.
export const rounded = (number: number): string =>
  number < 1e7 ? grouped(number) : number.toLocaleString("en-US", { notation: "compact", maximumSignificantDigits: 3 });
export const countOf = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;

// "bank.cpp:44:3" -> file and line; null if there is no line number.
export function splitPlace(location: string | null | undefined): { file: string; line: number } | null {
  const match = /^(.*?):(\d+)(?::\d+)?$/s.exec(place(location));
  return match ? { file: match[1]!, line: Number(match[2]) } : null;
}

const collator = new Intl.Collator("en", { numeric: true });
// Numbers inside names count: update_9 comes before update_10.
export const naturally = (a: string, b: string): number => collator.compare(a, b);
