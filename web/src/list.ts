// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The list of findings. Rows are all of one height, and only those that can be seen exist: ten thousand cost as
// much as twenty.
import type { Finding } from "./data";
import { h, name } from "./dom";
import { grouped, howOften, visible } from "./words";

const ROW = 68; // pixels; style.css has the same
const AROUND = 6; // rows drawn above and below what can be seen

export class FindingList {
  readonly element: HTMLElement;
  private readonly space = h("div", { class: "space" });
  private shown: Finding[] = [];
  private current: string | null = null;
  private first = -1;
  private last = -1;

  constructor(private readonly open: (finding: Finding) => void) {
    this.element = h("div", { class: "list", role: "listbox", tabindex: 0, "aria-label": "Findings",
      scroll: () => this.draw(), keydown: (event: KeyboardEvent) => this.key(event) }, this.space);
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(findings: Finding[]): void {
    this.shown = findings;
    this.space.style.height = `${findings.length * ROW}px`;
    this.element.scrollTop = 0;
    this.redraw();
  }

  // Marks the finding that is open and brings it into sight.
  mark(key: string | null): void {
    this.current = key;
    const at = this.shown.findIndex((it) => it.key === key);
    if (at >= 0) {
      const top = at * ROW, height = this.element.clientHeight;
      if (top < this.element.scrollTop) this.element.scrollTop = top;
      else if (top + ROW > this.element.scrollTop + height) this.element.scrollTop = top + ROW - height;
    }
    this.redraw();
  }

  // The finding `by` places after the open one.
  step(by: number): void {
    if (this.shown.length === 0) return;
    const at = this.shown.findIndex((it) => it.key === this.current);
    const to = at < 0 ? (by > 0 ? 0 : this.shown.length - 1) : Math.min(Math.max(at + by, 0), this.shown.length - 1);
    this.open(this.shown[to]!);
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

  private draw(): void {
    const top = this.element.scrollTop;
    const first = Math.max(0, Math.floor(top / ROW) - AROUND);
    const last = Math.min(this.shown.length, Math.ceil((top + this.element.clientHeight) / ROW) + AROUND);
    if (first === this.first && last === this.last) return;
    this.first = first;
    this.last = last;
    this.space.replaceChildren(...this.shown.slice(first, last).map((it, i) => this.row(it, first + i)));
  }

  private row(finding: Finding, at: number): HTMLElement {
    const selected = finding.key === this.current;
    const row = h("a", {
      class: "entry", href: `#${finding.key}`, role: "option", tabindex: -1, "aria-selected": String(selected),
      "aria-setsize": this.shown.length, "aria-posinset": at + 1, "data-key": finding.key,
    },
      h("span", { class: "what", title: finding.title.length > 40 ? finding.title : null }, finding.title),
      h("span", { class: "where" }, name(finding.block, "code", 60)),
      h("span", { class: "facts" },
        name(finding.cause.id, "id", 40), finding.cause.status && h("span", { class: "grade" }, finding.cause.status), finding.done && h("span", { class: "done" }, finding.done),
        finding.cause.looks_like && h("span", { class: "done" }, visible(finding.cause.looks_like)),
        finding.length > 2 && h("span", { class: "length" }, `${finding.length} transactions`),
        finding.count > 1 && h("span", { class: "times", title: howOften(finding.cause, finding.count) }, `×${grouped(finding.count)}`)));
    row.style.top = `${at * ROW}px`;
    row.setAttribute("aria-label", visible(`${finding.title}, ${finding.block}`).slice(0, 300));
    return row;
  }
}
