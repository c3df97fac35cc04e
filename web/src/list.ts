// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The list of findings, grouped by block. Only what can be seen exists: ten thousand cost as much as twenty.
import type { Finding } from "./data";
import { h, name } from "./dom";
import { groupsOf, type Group } from "./findings";
import { countOf, grouped, howOften, visible } from "./words";

const HEAD = 32; // pixels; style.css has the same
const ROW = 50;
const AROUND = 400; // pixels drawn above and below what can be seen

interface Item {
  group: Group;
  finding: Finding | null; // null: the head of its group
  place: number; // of the finding in the whole list
  top: number;
  height: number;
}

function itemsOf(groups: Group[]): Item[] {
  const items: Item[] = [];
  let top = 0, place = 0;
  for (const group of groups) {
    items.push({ group, finding: null, place, top, height: HEAD });
    top += HEAD;
    for (const finding of group.findings) {
      items.push({ group, finding, place: place++, top, height: ROW });
      top += ROW;
    }
  }
  return items;
}

export class FindingList {
  readonly element: HTMLElement;
  private readonly space = h("div", { class: "space" });
  private items: Item[] = [];
  private shown: Item[] = []; // those with a finding
  private current: string | null = null;
  private first = -1;
  private last = -1;

  constructor(private readonly open: (finding: Finding) => void) {
    this.element = h("div", { class: "list", role: "listbox", tabindex: 0, "aria-label": "Findings",
      scroll: () => this.draw(), keydown: (event: KeyboardEvent) => this.key(event) }, this.space);
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(findings: Finding[]): void {
    this.items = itemsOf(groupsOf(findings));
    this.shown = this.items.filter((it) => it.finding);
    const end = this.items[this.items.length - 1];
    this.space.style.height = `${end ? end.top + end.height : 0}px`;
    this.element.scrollTop = 0;
    this.redraw();
  }

  // Marks the finding that is open and brings it into sight.
  mark(key: string | null): void {
    this.current = key;
    const at = this.shown.find((it) => it.finding!.key === key);
    if (at) {
      const top = at.place === 0 || at.finding === at.group.findings[0] ? at.top - HEAD : at.top;
      const height = this.element.clientHeight;
      if (top < this.element.scrollTop) this.element.scrollTop = top;
      else if (at.top + ROW > this.element.scrollTop + height) this.element.scrollTop = at.top + ROW - height;
    }
    this.redraw();
  }

  // The finding `by` places after the open one.
  step(by: number): void {
    if (this.shown.length === 0) return;
    const at = this.shown.findIndex((it) => it.finding!.key === this.current);
    const to = at < 0 ? (by > 0 ? 0 : this.shown.length - 1) : Math.min(Math.max(at + by, 0), this.shown.length - 1);
    this.open(this.shown[to]!.finding!);
  }

  private key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.element.clientHeight / ROW) - 1);
    const steps: Record<string, number> = {
      ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.shown.length, End: this.shown.length,
    };
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    this.step(by);
  }

  private redraw(): void {
    this.first = -1;
    this.draw();
  }

  // Where the first item is that ends below a height.
  private below(height: number): number {
    let low = 0, high = this.items.length;
    while (low < high) {
      const middle = (low + high) >> 1, it = this.items[middle]!;
      if (it.top + it.height > height) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  private draw(): void {
    const top = this.element.scrollTop;
    const first = this.below(top - AROUND), last = Math.min(this.items.length, this.below(top + this.element.clientHeight + AROUND) + 1);
    if (first === this.first && last === this.last) return;
    this.first = first;
    this.last = last;
    const groups = new Map<Group, HTMLElement>();
    for (const item of this.items.slice(first, last)) {
      const group = groups.get(item.group) ?? h("div", { role: "group", "aria-label": visible(item.group.block).slice(0, 300) });
      groups.set(item.group, group);
      const element = item.finding ? this.row(item.finding, item.place) : this.head(item.group);
      element.style.top = `${item.top}px`;
      group.append(element);
    }
    this.space.replaceChildren(...groups.values());
    this.element.setAttribute("aria-activedescendant", this.space.querySelector("[aria-selected=true]")?.id ?? "");
  }

  private head(group: Group): HTMLElement {
    const { length } = group.findings;
    return h("div", { class: "group-head", role: "presentation" }, name(group.block, "code", 60),
      length > 1 && h("span", { class: "number", title: countOf(length, "finding") }, grouped(length)));
  }

  private row(finding: Finding, at: number): HTMLElement {
    const selected = finding.key === this.current;
    return h("a", {
      class: "entry", href: `#${finding.key}`, role: "option", tabindex: -1, "aria-selected": String(selected), id: `entry-${at}`,
      "aria-setsize": this.shown.length, "aria-posinset": at + 1, "data-key": finding.key,
      "aria-label": visible(`${finding.title}, ${finding.block}`).slice(0, 300),
    },
      h("span", { class: "what", title: finding.title.length > 40 ? finding.title : null }, finding.title),
      h("span", { class: "facts" },
        name(finding.cause.id, "id", 40), finding.cause.status && h("span", { class: "grade" }, `could happen: ${finding.cause.status}`),
        finding.done && h("span", { class: "done" }, finding.done),
        finding.cause.looks_like && h("span", { class: "done" }, visible(finding.cause.looks_like)),
        finding.length > 2 && h("span", { class: "length" }, `${finding.length} transactions`),
        finding.count > 1 && h("span", { class: "times", title: howOften(finding.cause, finding.count) }, `×${grouped(finding.count)}`)));
  }
}
