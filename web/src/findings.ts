// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The entries of the list, from the reports; finding, filtering and sorting them.
import type { Block, Cause, Finding, Page, Picture, Report } from "./data";
import { headline, shortName } from "./words";

// Transactions of a cycle, each once.
export function nodesOf(picture: Picture): Block[] {
  const nodes: Block[] = [];
  for (const { from, to } of picture.sentences) {
    for (const block of [from, to]) if (!nodes.some((it) => same(it, block))) nodes.push(block);
  }
  return nodes;
}

export const same = (a: Block, b: Block): boolean =>
  a.thread === b.thread && a.begin === b.begin && a.label === b.label;

function ofCause(report: Report, cause: Cause): Finding {
  const words: (string | null | undefined)[] = [cause.id, cause.pattern, ...cause.objects, cause.locations.block, cause.locations.event, report.trace.path];
  for (const block of [cause.block, ...(cause.outer ?? []), ...(cause.partners ?? [])]) words.push(block.label, block.thread);
  return {
    key: cause.id, id: cause.id, report, cause, picture: cause.picture ?? null,
    length: 1 + (cause.partners?.length ?? 0), count: cause.count,
    title: headline(cause), block: shortName(cause.block),
    haystack: words.join("\n").toLowerCase(),
  };
}

function ofCycle(report: Report, cycle: Block[]): Finding {
  const names = cycle.map(shortName);
  return {
    key: "cycle", id: null, report, cause: null, picture: report.cycle_picture ?? null,
    length: cycle.length, count: 1,
    title: `cycle of ${cycle.length} transactions`, block: names.join(" → "),
    haystack: ["not serializable cycle", ...names, ...cycle.map((it) => it.thread), report.trace.path]
      .join("\n").toLowerCase(),
  };
}

// A cause that several traces have gets a link of its own in each: av-12345678, av-12345678~2, ...
export function findingsOf(page: Page): Finding[] {
  const findings: Finding[] = [];
  for (const report of page.reports) {
    for (const cause of report.causes) findings.push(ofCause(report, cause));
    if (report.cycle && report.cycle.length > 0) findings.push(ofCycle(report, report.cycle));
  }
  const seen = new Map<string, number>();
  for (const finding of findings) {
    const times = (seen.get(finding.key) ?? 0) + 1;
    seen.set(finding.key, times);
    if (times > 1) finding.key += `~${times}`;
  }
  return findings;
}

export interface Query {
  text: string; // words that must all occur
  pattern: string; // "" for all
  block: string;
  sort: keyof typeof SORTS;
}

const by = (of: (finding: Finding) => string) => (a: Finding, b: Finding): number => of(a).localeCompare(of(b));

// Where two are equal, the order of the report remains: shortest cycles first.
export const SORTS = {
  "shortest cycle": () => 0,
  "most often": (a: Finding, b: Finding) => b.count - a.count,
  "what": by((it) => it.title),
  "block": by((it) => it.block),
  "trace": by((it) => it.report.trace.path),
};

export const patternOf = (finding: Finding): string => finding.cause ? finding.cause.pattern || "unnamed" : "no block to blame";

export function select(findings: Finding[], query: Query): Finding[] {
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean);
  return findings
    .filter((it) => (!query.pattern || patternOf(it) === query.pattern) && (!query.block || it.block === query.block) &&
      words.every((word) => it.haystack.includes(word)))
    .sort(SORTS[query.sort]);
}
