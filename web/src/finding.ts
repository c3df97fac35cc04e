// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// One finding, in the order in which a person asks: what is broken, why no serial order exists, what happened when,
// what can I do.
import type { Block, Cause, EventView, Finding, Picture, Snippet } from "./data";
import { cycle } from "./cycle";
import { copyButton, h, name, type Child } from "./dom";
import { same } from "./findings";
import { source } from "./source";
import { lightUp, stepClass } from "./steps";
import { table } from "./table";
import { abridged, brief, countOf, glob, place, toldVerb } from "./words";

const where = (location: string | null | undefined): Child =>
  place(location) !== "" && name(place(location), "place", 80);

// "transfer (worker-2)", "unnamed block (t1)", "t2 (outside any block)"
function who(block: Block): HTMLElement {
  const thread = name(block.thread, "thread", 40);
  if (block.label === null) return h("span", {}, thread, " (outside any block)");
  if (block.label === "") return h("span", {}, "unnamed block (", thread, ")");
  return h("span", {}, name(block.label, "code strong", 60), " (", thread, ")");
}

// "worker-2 read account.balance bank.cpp:44"
function told(event: EventView, again: boolean): HTMLElement {
  let object: Child = again ? " it" : h("span", {}, " ", name(event.object ?? "", "code", 60));
  if (event.operation === "end" && !event.object) object = " a block";
  if (event.operation === undefined) object = null;
  const at = where(event.location);
  return h("span", {}, name(event.thread, "thread", 40), ` ${toldVerb(event)}`, object, at && " ", at);
}

function sentences(picture: Picture): HTMLElement {
  const steps = picture.sentences.length;
  const items: HTMLElement[] = [];
  picture.sentences.forEach((it, step) => {
    items.push(h("li", { class: stepClass(step, steps), "data-step": step },
      h("span", { class: "badge" }, String(step + 1)),
      h("div", {},
        h("p", { class: "claim" }, step > 0 && step + 1 === steps && h("em", {}, "but "), who(it.from), " must come before ", who(it.to)),
        h("p", { class: "because" }, told(it.first, false), ", then ", told(it.second, it.same_object)))));
    const next = picture.sentences[step + 1]?.from;
    if (next && !same(it.to, next) && (it.to.label !== null || next.label !== null)) {
      items.push(h("li", { class: "order" }, h("span", { class: "badge" }, "↓"),
        h("p", {}, "and ", who(it.to), " came before ", who(next), ", in the same thread")));
    }
  });
  return h("ol", { class: "sentences" }, ...items);
}

// "was not atomic: deposit (worker-5) interfered."
function notAtomic(cause: Cause): Child[] {
  const partners = new Map((cause.partners ?? []).map((it) => [JSON.stringify([it.label, it.thread]), it]));
  if (partners.size === 0) return ["was not atomic."];
  const names: Child[] = [...partners.values()].map(who);
  const shown = abridged(names);
  return ["was not atomic: ",
    ...shown.flatMap((it, i) => [i > 0 && (i + 1 === shown.length ? " and " : ", "), it]), " interfered."];
}

function blockLine(finding: Finding): HTMLElement {
  const { cause, report } = finding;
  if (finding.blameless) {
    return h("p", { class: "lead" }, "No single transaction is to blame, but together they have no serial order: ",
      ...report.cycle!.flatMap((it, i) => [i > 0 && " → ", who(it)]), " → ", who(report.cycle![0]!));
  }
  const block = cause.block.label === "" || cause.block.label === null
    ? h("span", {}, "unnamed block of ", name(cause.block.thread, "thread")) : name(cause.block.label, "code strong");
  const at = where(cause.locations.block);
  const outer = cause.outer ?? [];
  return h("p", { class: "lead" }, block, at && " ", at, " ",
    ...(cause.blamed ? notAtomic(cause) : ["is part of a cycle: no serial order exists."]),
    outer.length > 0 && ` Nor ${outer.length === 1 ? "was the block" : "were the blocks"} around it: `,
    ...outer.flatMap((it, i) => [i > 0 && ", ", it.label ? name(it.label, "code") : who(it)]));
}

function paste(question: string, text: string): HTMLElement {
  return h("div", { class: "paste" }, h("span", { class: "quiet" }, question), h("code", {}, text.length > 200 ? `${text.slice(0, 200)}…` : text),
    copyButton(text, "this line"));
}

function remedies(finding: Finding): HTMLElement {
  const { cause, picture } = finding;
  const parts: Child[] = [];
  if (cause.suppressed !== undefined) parts.push(h("p", {}, h("strong", {}, "Suppressed: "), name(cause.suppressed || "no reason given", "reason", 400)));
  if (finding.done === "known") parts.push(h("p", {}, h("strong", {}, "Known: "), "it is in the baseline."));
  if (!finding.blameless && picture?.held_lock) {
    const lock = (): HTMLElement => name(picture.held_lock!, "code", 60);
    parts.push(h("p", {}, "Every access held ", lock(), ": this is not a data race, and ThreadSanitizer cannot see it."));
    const from = place(picture.sentences[0]!.first.location);
    const to = place(picture.sentences[picture.sentences.length - 1]!.second.location);
    if (from && to) parts.push(h("p", { class: "hint" }, h("strong", {}, "Hint: "), "hold ", lock(), " from ", name(from, "place"), " to ", name(to, "place"), "."));
  }
  if (!finding.blameless && cause.block.label) parts.push(paste("Not meant to be atomic? Add to a specification:", `not-atomic ${glob(cause.block.label)}`));
  if (!finding.done) parts.push(paste("To suppress, add to a suppression file:", `suppress ${cause.id} because REASON`));
  return h("div", { class: "remedies" }, ...parts);
}

const section = (title: string, ...content: Child[]): HTMLElement | null =>
  content.every((it) => !it) ? null : h("section", { class: "card" }, h("h2", {}, title), ...content);

export function findingPage(finding: Finding, snippets: Snippet[], manyTraces: boolean): HTMLElement {
  const { cause, picture } = finding;
  const root = h("article", { class: "finding", "data-key": finding.key },
    h("header", {},
      h("p", { class: "kind" }, finding.blameless ? "Not serializable" : "Atomicity violation",
        h("a", { class: "id", href: `#${finding.key}` }, brief(cause.id, 40)), copyButton(cause.id, "the id"),
        finding.done && h("span", { class: "done" }, finding.done),
        h("span", { class: "seen" }, finding.count === 1 ? "seen once" : `seen ${countOf(finding.count, "time")}`),
        manyTraces && name(finding.report.trace.path, "quiet", 60),
        finding.traces.length > 1 && h("span", { class: "seen", title: finding.traces.slice(0, 50).map((it) => brief(it)).join("\n") }, `and ${countOf(finding.traces.length - 1, "more trace")}`)),
      h("h1", {}, finding.title),
      blockLine(finding)),
    picture ? section("Why no serial order exists", sentences(picture))
      : h("p", { class: "quiet" }, "There is no witness for this finding, so it cannot be drawn."),
    picture && picture.rows.length > 0 ? section("What happened", table(picture)) : null,
    picture ? section("The cycle", cycle(picture, !finding.blameless && cause.blamed)) : null,
    section("Source", source(finding, snippets)),
    section("What to do", remedies(finding)));
  lightUp(root);
  return root;
}
