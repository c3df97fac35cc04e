// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The entries of the list, from the reports; finding, filtering and sorting them.
import type { Address } from "./address";
import type { Block, Cause, Finding, Page, Report } from "./data";
import { headline, naturally, shortName } from "./words";

export const same = (a: Block, b: Block): boolean =>
  a.thread === b.thread && a.begin === b.begin && a.label === b.label;

// A failure need not be in any function that is known.
const isNowhere = ({ failure, block }: Cause): boolean => failure !== undefined && !block.label;

function findingOf(report: Report, cause: Cause, blameless: boolean): Finding {
  const { outer = [], partners = [] } = cause;
  const blocks = blameless ? report.cycle ?? [] : [cause.block, ...outer, ...partners];
  const done = cause.suppressed !== undefined ? "suppressed" : cause.known ? "known" : "";
  const words: (string | null | undefined)[] =
    [cause.id, cause.pattern, cause.status, cause.looks_like, done, ...cause.objects, cause.locations.block, cause.locations.event, report.trace.path];
  if (cause.failure) words.push(cause.failure.what, cause.failure.freed, ...(cause.failure.output ?? []));
  for (const block of blocks) words.push(block.label, block.thread);
  return {
    key: encodeURIComponent(cause.id), report, traces: [report.trace.path], cause, blameless, done, picture: cause.picture ?? null,
    length: blameless ? blocks.length : 1 + partners.length, count: cause.count,
    title: headline(cause), block: isNowhere(cause) ? "the program" : blameless ? blocks.map(shortName).join(" → ") : shortName(cause.block),
    haystack: words.join("\n").toLowerCase(),
  };
}

// What was seen counts more than what is certain, and that more than what is possible.
const sureness = ({ cause }: Finding): number => (cause.status === undefined ? 2 : cause.status === "certain" ? 1 : 0);
const isNoise = ({ cause }: Finding): boolean => cause.looks_like !== undefined;

// A cause that several traces have is one finding, told as in the first of the surest that can draw it. What looks
// harmless in every trace comes last.
export function findingsOf(page: Page): Finding[] {
  const findings = new Map<string, Finding>();
  const add = (finding: Finding): void => {
    const had = findings.get(finding.key);
    if (!had) return void findings.set(finding.key, finding);
    const gap = sureness(finding) - sureness(had);
    const better = isNoise(had) !== isNoise(finding) ? isNoise(had) : !had.picture && finding.picture;
    const told = gap > 0 || (gap === 0 && better) ? finding : had;
    const count = gap === 0 ? had.count + finding.count : told.count;
    findings.set(finding.key, { ...told, count, traces: [...had.traces, ...finding.traces] });
  };
  for (const report of page.reports) {
    for (const cause of report.causes) add(findingOf(report, cause, false));
    if (report.cycle_cause) add(findingOf(report, report.cycle_cause, true));
  }
  const all = [...findings.values()];
  return [...all.filter((it) => !isNoise(it)), ...all.filter(isNoise)];
}

const by = (of: (finding: Finding) => string) => (a: Finding, b: Finding): number => naturally(of(a), of(b));

// Where two are equal, the order of the report remains: shortest cycles first.
export const SORTS: Record<string, (a: Finding, b: Finding) => number> = {
  "shortest cycle": () => 0,
  "frequency": (a, b) => b.count - a.count,
  "what": by((it) => it.title),
  "block": by((it) => it.block),
  "trace": by((it) => it.report.trace.path),
};

export const patternOf = (finding: Finding): string => finding.cause.pattern ?? "unnamed";

type Query = Pick<Address, "filter" | "pattern" | "block" | "news" | "sort">;

export function select(findings: Finding[], query: Query): Finding[] {
  const words = query.filter.toLowerCase().split(/\s+/).filter(Boolean);
  return findings
    .filter((it) => (!query.pattern || patternOf(it) === query.pattern) && (!query.block || it.block === query.block) &&
      !(query.news && it.done) && words.every((word) => it.haystack.includes(word)))
    .sort(SORTS[query.sort] ?? SORTS["shortest cycle"]);
}

// The findings of one block, in the order of the first of each. What is probably harmless has groups of its own: it comes last.
export interface Group {
  block: string;
  noise: boolean;
  findings: Finding[];
}

export function groupsOf(findings: Finding[]): Group[] {
  const groups = new Map<string, Group>();
  for (const finding of findings) {
    const noise = isNoise(finding), key = `${noise} ${finding.block}`;
    const group = groups.get(key) ?? { block: finding.block, noise, findings: [] };
    group.findings.push(finding);
    groups.set(key, group);
  }
  return [...groups.values()];
}
