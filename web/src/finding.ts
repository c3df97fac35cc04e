// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// One finding, in the order in which a person asks: what is broken, why no serial order exists, what happened when,
// what can I do.
import type { Block, Cause, EventView, Failure, Finding, Picture, Snippet } from "./data";
import { cycle } from "./cycle";
import { copyButton, h, name, type Child } from "./dom";
import { placeLink } from "./editor";
import { same } from "./findings";
import { Player } from "./player";
import { source } from "./source";
import { lightUp, stepClass } from "./steps";
import { abridged, brief, countOf, grouped, howOften, listed, place, toldVerb, visible } from "./words";

const where = (location: string | null | undefined): Child =>
  place(location) !== "" && placeLink(place(location));

// "transfer (worker-2)", "unnamed block (t1)", "t2 (outside any block)"
function who(block: Block): HTMLElement {
  const thread = name(block.thread, "thread", 40);
  if (block.label === null) return h("span", {}, thread, " (outside any block)");
  if (block.label === "") return h("span", {}, "unnamed block (", thread, ")");
  return h("span", {}, name(block.label, "code strong", 60), " (", thread, ")");
}

// "worker-2 read account.balance bank.cpp:44"; "reads" if it did not happen
function told(event: EventView, again: boolean, predicted: boolean): HTMLElement {
  let object: Child = again ? " it" : h("span", {}, " ", name(event.object ?? "", "code", 60));
  if (event.operation === "end" && !event.object) object = " a block";
  if (event.operation === undefined) object = null;
  const at = where(event.location);
  return h("span", {}, name(event.thread, "thread", 40), ` ${toldVerb(event, predicted)}`, object, at && " ", at);
}

function sentences(picture: Picture, predicted: boolean): HTMLElement {
  const must = predicted ? " would have to come before " : " must come before ";
  const steps = picture.sentences.length;
  const items: HTMLElement[] = [];
  picture.sentences.forEach((it, step) => {
    items.push(h("li", { class: stepClass(step, steps), "data-step": step },
      h("span", { class: "badge" }, String(step + 1)),
      h("div", {},
        h("p", { class: "claim" }, step > 0 && step + 1 === steps && h("em", {}, "but "), who(it.from), must, who(it.to)),
        h("p", { class: "because" }, told(it.first, false, predicted), ", then ", told(it.second, it.same_object, predicted)))));
    const next = picture.sentences[step + 1]?.from;
    if (next && !same(it.to, next) && (it.to.label !== null || next.label !== null)) {
      items.push(h("li", { class: "order" }, h("span", { class: "badge" }, "↓"),
        h("p", {}, "and ", who(it.to), predicted ? " comes before " : " came before ", who(next), ", in the same thread")));
    }
  });
  return h("ol", { class: "sentences" }, ...items);
}

// "was not atomic: deposit (worker-5) interfered.", "could be interrupted by deposit (worker-5)."
function notAtomic(cause: Cause): Child[] {
  const partners = new Map((cause.partners ?? []).map((it) => [JSON.stringify([it.label, it.thread]), it]));
  if (partners.size === 0) return [cause.status ? "could be interrupted." : "was not atomic."];
  const names: Child[] = [...partners.values()].map(who);
  const shown = abridged(names);
  const list = shown.flatMap((it, i) => [i > 0 && (i + 1 === shown.length ? " and " : ", "), it]);
  return cause.status ? ["could be interrupted by ", ...list, "."] : ["was not atomic: ", ...list, " interfered."];
}

function partOfCycle(cause: Cause): string {
  return cause.status ? "could be part of a cycle without a serial order." : "is part of a cycle: no serial order exists.";
}

// "Nor was the block around it: ", "So could the block around it: "
function around(cause: Cause, outer: Block[]): string {
  const blocks = outer.length === 1 ? "block" : "blocks";
  if (cause.status) return ` So could the ${blocks} around it: `;
  return ` Nor ${outer.length === 1 ? "was" : "were"} the ${blocks} around it: `;
}

// "The program failed in use bank.cpp:44. The memory was freed at bank.cpp:12."
function failedLine(cause: Cause, failure: Failure): HTMLElement {
  const at = where(cause.locations.event), freed = where(failure.freed);
  return h("p", { class: "lead" }, "The program failed", cause.block.label && " in ", cause.block.label && name(cause.block.label, "code strong"),
    at && " ", at, ".", freed && " The memory was freed at ", freed, freed && ".");
}

function waits(failure: Failure): HTMLElement | null {
  if (!failure.waits) return null;
  return h("ul", {}, ...failure.waits.map((it) => h("li", {}, name(it.thread, "thread", 40), " waits for ", name(it.lock, "code", 60),
    ", which ", name(it.held_by, "thread", 40), " holds")));
}

function output(failure: Failure): HTMLElement | null {
  if (!failure.output) return null;
  return h("pre", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The end of its output" }, failure.output.map(visible).join("\n"));
}

function blockLine(finding: Finding): HTMLElement {
  const { cause, report } = finding;
  if (cause.failure) return failedLine(cause, cause.failure);
  if (finding.blameless) {
    return h("p", { class: "lead" }, "No single transaction is to blame, but together they have no serial order: ",
      ...report.cycle!.flatMap((it, i) => [i > 0 && " → ", who(it)]), " → ", who(report.cycle![0]!));
  }
  const block = cause.block.label === "" || cause.block.label === null
    ? h("span", {}, "unnamed block of ", name(cause.block.thread, "thread")) : name(cause.block.label, "code strong");
  const at = where(cause.locations.block);
  const outer = cause.outer ?? [], waited = where(cause.locations.waited);
  return h("p", { class: "lead" }, block, at && " ", at, " ",
    ...(cause.blamed ? notAtomic(cause) : [partOfCycle(cause)]),
    waited && " This is about its part after waiting at ", waited, waited && ".",
    outer.length > 0 && around(cause, outer),
    ...outer.flatMap((it, i) => [i > 0 && ", ", it.label ? name(it.label, "code") : who(it)]));
}

function paste(question: string, text: string): HTMLElement {
  return h("div", { class: "paste" }, h("span", { class: "quiet" }, question), h("code", {}, text.length > 200 ? `${text.slice(0, 200)}…` : text),
    copyButton(text, "this line"));
}

// A sentence of the text report. How it begins says what it is; a command at its end can be copied.
function remark(sentence: string): HTMLElement {
  const command = /^(.*: )(omnium .+)$/s.exec(visible(sentence));
  if (command) return paste(command[1]!.trim(), command[2]!);
  const start = /^(Hint|Looks like|Also seen|Also possible|Certain|Possible)(?=[ :])/.exec(sentence)?.[0] ?? "";
  return h("p", { class: start === "Hint" ? "hint" : "" }, start !== "" && h("strong", {}, start), visible(sentence.slice(start.length)));
}

function remedies(finding: Finding): HTMLElement {
  const { cause } = finding;
  const parts: Child[] = [];
  if (cause.suppressed !== undefined) parts.push(h("p", {}, h("strong", {}, "Suppressed: "), name(cause.suppressed || "no reason given", "reason", 400)));
  if (finding.done === "known") parts.push(h("p", {}, h("strong", {}, "Known: "), "it is in the baseline."));
  // The variants have a table of their own.
  const remarks = (cause.remarks ?? []).filter((it) => !(cause.variants && /^Also (seen|possible): /.test(it)));
  parts.push(...remarks.map(remark));
  if (!finding.blameless && cause.rule) parts.push(paste("Not meant to be atomic? Add to a specification:", cause.rule));
  if (!finding.done) parts.push(paste("To suppress, add to a suppression file:", `suppress ${cause.id} because REASON`));
  return h("div", { class: "remedies" }, ...parts);
}

// "Also seen": the ways in which it happened, the one that is drawn first.
function variants(cause: Cause): HTMLElement | null {
  if (!cause.variants) return null;
  const partner = (label: string | null): string => (label === null ? "code outside any block" : label === "" ? "an unnamed block" : brief(label, 60));
  return h("div", { class: "scroll" }, h("table", { class: "plain variants" },
    h("thead", {}, h("tr", {}, ...["what", "with", "how often"].map((it) => h("th", { scope: "col" }, it)))),
    h("tbody", {}, ...cause.variants.map((it, i) => h("tr", {},
      h("td", {}, brief(it.pattern ?? "a cycle", 60), i === 0 && h("span", { class: "quiet" }, " (shown above)")),
      h("td", { class: "names" }, listed(it.partners.map(partner))), h("td", { class: "count" }, grouped(it.count)))))));
}

const harmless = (cause: Cause): Child => cause.looks_like && h("span", { class: "done" }, `probably harmless: ${visible(cause.looks_like)}`);

function kind({ cause, blameless }: Finding): string {
  if (cause.status) return `Could happen (${cause.status})`;
  if (cause.failure) return `Program failed: ${brief(cause.pattern ?? "", 40)}`;
  return blameless ? "Not serializable" : "Atomicity violation";
}

const section = (title: string, ...content: Child[]): HTMLElement | null =>
  content.every((it) => !it) ? null : h("section", { class: "card" }, h("h2", {}, title), ...content);

export interface FindingPage {
  element: HTMLElement;
  player: Player | null; // of its events, if there are any
}

// `moved` is told which row of the table the reader has stepped to.
export function findingPage(finding: Finding, snippets: Snippet[], manyTraces: boolean, moved: (row: number) => void): FindingPage {
  const { cause, picture } = finding;
  const predicted = cause.status !== undefined;
  const player = picture && picture.rows.length > 0 ? new Player(picture, predicted, moved) : null;
  const element = h("article", { class: "finding", "data-key": finding.key },
    h("header", {},
      h("p", { class: "kind" }, kind(finding),
        h("a", { class: "id", href: `#${finding.key}` }, brief(cause.id, 40)), copyButton(cause.id, "the id"),
        finding.done && h("span", { class: "done" }, finding.done),
        harmless(cause),
        h("span", { class: "seen" }, howOften(cause, finding.count)),
        manyTraces && name(finding.report.trace.path, "quiet", 60),
        finding.traces.length > 1 && h("span", { class: "seen", title: finding.traces.slice(0, 50).map((it) => brief(it)).join("\n") }, `and ${countOf(finding.traces.length - 1, "more trace")}`)),
      h("h1", {}, finding.title),
      blockLine(finding)),
    picture ? section(predicted ? "Why no serial order would exist" : "Why no serial order exists", sentences(picture, predicted))
      : !cause.failure && h("p", { class: "quiet" }, "There is no witness for this finding, so it cannot be drawn."),
    cause.failure && section("Who waits for whom", waits(cause.failure)),
    cause.failure && section("The end of its output", output(cause.failure)),
    player && section(predicted ? "What could happen" : "What happened", player.element),
    picture ? section("The cycle", cycle(picture, !finding.blameless && cause.blamed)) : null,
    section("Source", source(finding, snippets)),
    section(predicted ? "Also possible" : "Also seen", variants(cause)),
    section("What to do", remedies(finding)));
  lightUp(element);
  return { element, player };
}
