// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The first page: the verdict, what was looked at, and a bar per block and per pattern.
import type { Finding, Page, Part, Report, Runs } from "./data";
import { h, name } from "./dom";
import { patternOf } from "./findings";
import { brief, countOf, grouped, naturally, rounded } from "./words";

const MOST_BARS = 15;
const MOST_RUNS = 200;

type Narrow = (by: { block?: string; pattern?: string }) => void;

// null if it is not known of some of them.
const sum = (reports: Report[], of: (report: Report) => number | null): number | null =>
  reports.map(of).reduce((total, it) => (total === null || it === null ? null : total + it), 0);

interface Verdict {
  title: string;
  text: string;
  state: "bad" | "open" | "good";
}

// Of a page on which nothing happened, but something could.
function predictedVerdict(page: Page, news: Finding[]): Verdict {
  const certain = news.filter((it) => it.cause.status === "certain").length;
  if (news.length > 0) {
    return { title: `${countOf(news.length, "finding")} could happen`, state: certain > 0 ? "bad" : "open",
      text: `${certain} certain, ${news.length - certain} possible, in other interleavings of the recorded events.` };
  }
  if (page.reports.every((it) => it.predicted?.atomic)) {
    return { title: "Atomic", text: "Every block is atomic in every interleaving of the recorded events.", state: "good" };
  }
  return { title: "No violation predicted", text: "This does not mean that there is none: see the remarks.", state: "open" };
}

function verdictOf(page: Page, findings: Finding[]): Verdict {
  const runs = page.reports.flatMap(runsOf), merged = page.reports.some((it) => it.merged);
  const broken = runs.filter((it) => it.serializable === false).length;
  const many = runs.length > 1;
  const news = findings.filter((it) => !it.done);
  if (findings.length > 0 && news.length === 0) {
    return { title: "Nothing new", text: `${countOf(findings.length, "finding")}, all suppressed or in the baseline.`, state: "good" };
  }
  if (broken > 0) {
    const noise = news.filter((it) => it.cause.looks_like).length;
    const last = noise === 0 ? "" : ` ${countOf(noise, "finding")} ${noise === 1 ? "is" : "are"} probably harmless and ${noise === 1 ? "comes" : "come"} last.`;
    return { title: findings.length === 0 ? "Not serializable" : countOf(news.length, "finding"), state: "bad",
      text: (many ? `${grouped(broken)} of ${grouped(runs.length)} ${merged ? "runs" : "traces"} are not serializable: some blocks were not atomic.`
        : "The trace is not serializable: some blocks were not atomic.") + last };
  }
  if (news.some((it) => it.cause.failure)) {
    return { title: countOf(news.length, "finding"), text: "The program failed in some interleavings.", state: "bad" };
  }
  if (page.reports.some((it) => it.predicted)) return predictedVerdict(page, news);
  const passed = page.reports.reduce((sum, it) => sum + (it.trace.passed_over ?? 0), 0);
  if (passed > 0) {
    return { title: "No violation in the blocks that were judged", state: "open",
      text: `${countOf(passed, "block")} ${passed === 1 ? "was" : "were"} not judged (--sample).` };
  }
  if (page.reports.some((it) => it.serializable === null)) {
    return { title: "No violation", text: `The engine ${page.reports[0]!.engine} does not decide serializability.`, state: "open" };
  }
  return { title: "Serializable", text: `Every block was atomic${many ? ` in every ${merged ? "run" : "trace"}` : ""}.`, state: "good" };
}

function verdict(page: Page, findings: Finding[]): HTMLElement {
  const { title, text, state } = verdictOf(page, findings);
  return h("header", { class: `verdict ${state}` },
    h("span", { class: "lamp", "aria-hidden": "true" }),
    h("div", {}, h("h1", {}, title), h("p", {}, text)));
}

function remarks(page: Page): HTMLElement | null {
  const all = page.reports.flatMap((it) => it.predicted?.remarks ?? []);
  if (all.length === 0) return null;
  return h("section", { class: "card remarks" }, h("h2", {}, "Remarks"), ...all.map((it) => h("p", {}, brief(it, 600))));
}

function tiles(page: Page): HTMLElement {
  const { reports } = page;
  const predicted = reports.every((it) => it.predicted);
  const facts: [number | null, string][] = [
    [sum(reports, (it) => it.causes.reduce((total, cause) => total + (cause.failure ? 0 : cause.count), 0)), predicted ? "interruptible transaction" : "violation"],
    [sum(reports, (it) => it.causes.length), "cause"],
    [sum(reports, (it) => it.trace.transactions), "transaction"],
    [sum(reports, (it) => it.trace.blocks), "block"],
    [sum(reports, (it) => it.trace.events), "event"],
    [sum(reports, (it) => it.trace.threads), "thread"],
    [sum(reports, (it) => it.trace.variables), "variable"],
    [sum(reports, (it) => it.trace.locks), "lock"],
  ];
  return h("dl", { class: "tiles" }, ...facts.map(([count, noun]) => count !== null &&
    h("div", {}, h("dd", { title: grouped(count) }, rounded(count)), h("dt", {}, count === 1 ? noun : `${noun}s`))));
}

interface Bar {
  label: string;
  kind: string; // class of the label
  whole: number;
  part: number;
  text: string;
  follow: () => void;
}

function bars(title: string, explanation: string, rows: Bar[]): HTMLElement | null {
  if (rows.length === 0) return null;
  const longest = Math.max(...rows.map((it) => it.whole));
  const width = (share: number): string => `${Math.max(share * 100, share > 0 ? 0.6 : 0)}%`;
  return h("section", { class: "card" }, h("h2", {}, title), h("p", { class: "quiet" }, explanation),
    h("div", { class: "bars" }, ...rows.slice(0, MOST_BARS).map((it) => {
      const whole = h("span", { class: "whole" }), part = h("span", { class: "part" });
      whole.style.width = width(it.whole / longest);
      part.style.width = width(it.whole === 0 ? 0 : it.part / it.whole);
      whole.append(part);
      return h("button", { class: "bar", type: "button", click: it.follow, "data-label": it.label },
        name(it.label, it.kind, 80), h("span", { class: "track" }, whole), h("span", { class: "number" }, it.text));
    })),
    rows.length > MOST_BARS && h("p", { class: "quiet" }, `and ${grouped(rows.length - MOST_BARS)} more`));
}

function mergedRuns(reports: Report[]): Runs[] {
  const merged = new Map<string, Runs>();
  for (const { label, count, refuted } of reports.flatMap((it) => it.runs ?? [])) {
    const had = merged.get(label);
    merged.set(label, { label, count: count + (had?.count ?? 0), refuted: refuted + (had?.refuted ?? 0) });
  }
  return [...merged.values()].sort((a, b) => b.refuted - a.refuted || b.count - a.count || naturally(a.label, b.label));
}

function blockBars(page: Page, narrow: Narrow): HTMLElement | null {
  const rows = mergedRuns(page.reports).map(({ label, count, refuted }): Bar => ({
    label: label === "" ? "(unnamed)" : label, kind: "code", whole: count, part: refuted,
    text: refuted === 0 ? countOf(count, "run") : `${grouped(refuted)} of ${countOf(count, "run")}`,
    follow: () => narrow({ block: label }),
  }));
  return bars("Blocks", "How often each block ran, and how often it was not atomic.", rows);
}

function patternBars(findings: Finding[], narrow: Narrow): HTMLElement | null {
  const counts = new Map<string, number>();
  for (const it of findings) counts.set(patternOf(it), (counts.get(patternOf(it)) ?? 0) + 1);
  const rows = [...counts].sort((a, b) => b[1] - a[1] || naturally(a[0], b[0])).map(([pattern, count]): Bar => ({
    label: pattern, kind: "pattern", whole: count, part: count, text: countOf(count, "finding"), follow: () => narrow({ pattern }),
  }));
  return bars("Patterns", findings.some((it) => it.cause.failure) ? "What kinds of findings these are." : "What kinds of violations these are.", rows);
}

interface Run extends Part {
  causes: number | null;
  failed?: boolean;
  engine: string;
}

// Of a merged result the runs of which it is made.
const runsOf = (report: Report): Run[] =>
  report.merged ? report.merged.map((it) => ({ ...it, causes: null, engine: report.engine })) : [{ ...report, causes: report.causes.length, failed: report.causes.some((it) => it.failure) }];

function traces(page: Page): HTMLElement {
  const all = page.reports.flatMap(runsOf), merged = page.reports.some((it) => it.merged);
  const found = (it: Run): boolean => (it.causes ?? it.instances ?? 0) > 0;
  const state = (it: Run): string =>
    it.predicted ? (found(it) ? "could be violated" : it.predicted.atomic ? "atomic" : "no violation predicted")
      : it.serializable === null ? (it.failed ? "failed" : "no violation") : it.serializable ? "serializable" : "not serializable";
  const heads = ["trace", "verdict", merged ? "violations" : "causes", "events", "engine", "seconds"];
  const title = merged ? "Runs" : all.length === 1 ? "Trace" : "Traces";
  return h("section", { class: "card" }, h("h2", {}, title),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": title }, h("table", { class: "plain" },
      h("thead", {}, h("tr", {}, ...heads.map((it) => h("th", { scope: "col" }, it)))),
      h("tbody", {}, ...all.slice(0, MOST_RUNS).map((it) => h("tr", {},
        h("td", {}, name(it.trace.path)),
        h("td", { class: it.serializable === false || found(it) ? "bad" : "good" }, state(it)),
        h("td", { class: "count" }, merged ? (it.instances == null ? "" : grouped(it.instances)) : grouped(it.causes ?? 0)),
        h("td", { class: "count" }, it.trace.events === null ? "" : grouped(it.trace.events)),
        h("td", {}, it.engine),
        h("td", { class: "count" }, it.seconds === undefined ? "" : it.seconds.toFixed(3))))))),
    all.length > MOST_RUNS && h("p", { class: "quiet" }, `and ${grouped(all.length - MOST_RUNS)} more`));
}

export function overview(page: Page, findings: Finding[], narrow: Narrow): HTMLElement {
  return h("article", { class: "overview" },
    verdict(page, findings), remarks(page), tiles(page), blockBars(page, narrow), patternBars(findings, narrow), traces(page),
    h("footer", { class: "quiet" },
      h("p", { class: "on-screen" }, h("kbd", {}, "j"), " next finding   ", h("kbd", {}, "/"), " filter   ", h("kbd", {}, "?"), " all keys"),
      h("p", {}, `Made by Omnium ${page.reports[0]?.version ?? ""}. Events are shown in the order of ${page.reports.some((it) => it.predicted) ? "an interleaving that could happen" : "the trace"}.`)));
}
