// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The page as a whole: what is open follows from the address, so that links survive copying.
import type { Finding, Page } from "./data";
import { h, icon } from "./dom";
import { findingPage } from "./finding";
import { findingsOf, patternOf, select, SORTS, type Query } from "./findings";
import { FindingList } from "./list";
import { overview } from "./overview";
import { brief, countOf, grouped, speak } from "./words";

const KEYS: [string, string][] = [
  ["/", "filter"], ["j  ↓", "next finding"], ["k  ↑", "previous finding"], ["o", "overview"],
  ["t", "toggle dark mode"], ["Esc", "leave the filter, or clear it"], ["?", "show these keys"],
];

class Viewer {
  private readonly findings: Finding[];
  private readonly query: Query = { text: "", pattern: "", block: "", news: false, sort: "shortest cycle" };
  private readonly list = new FindingList((finding) => this.open(finding.key));
  private readonly main = h("main", { tabindex: -1 });
  private readonly counter = h("p", { class: "counter", role: "status" });
  private readonly filter = h("input", {
    type: "search", placeholder: "Filter by name, id or place", "aria-label": "Filter findings", autocomplete: "off", spellcheck: "false",
    input: () => { this.query.text = this.filter.value; this.select(); },
  });
  private readonly chips = h("div", { class: "chips" });
  private readonly patterns = h("select", { "aria-label": "Pattern", change: () => { this.query.pattern = this.patterns.value; this.select(); } });
  private shown: string | null | undefined; // key of the finding that is open, null for the overview
  private readonly help = h("dialog", { class: "keys" });

  constructor(private readonly page: Page) {
    this.findings = findingsOf(page);
    document.body.append(this.top(), h("div", { class: "body" }, this.side(), this.main), this.help);
    this.help.append(h("h2", {}, "Keys"),
      h("dl", {}, ...KEYS.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])),
      h("form", { method: "dialog" }, h("button", {}, "Close")));
    this.select();
    this.show();
    addEventListener("hashchange", () => this.show());
    addEventListener("keydown", (event) => this.key(event));
  }

  private top(): HTMLElement {
    const { reports } = this.page;
    const path = reports.length === 1 ? brief(reports[0]!.trace.path, 80) : countOf(reports.length, "trace");
    return h("header", { class: "top" },
      h("a", { class: "brand", href: "#", "aria-label": "Omnium: overview" }, icon("M5 3.5h6a4.5 4.5 0 0 1 0 9H5a4.5 4.5 0 0 1 0-9zM5.5 6.5h5a1.5 1.5 0 0 1 0 3h-5a1.5 1.5 0 0 1 0-3z"), "Omnium"),
      h("span", { class: "path" }, path),
      h("button", { class: "plain-button", type: "button", title: "Keys (?)", "aria-label": "Keys", click: () => this.help.showModal() }, "?"),
      h("button", { class: "plain-button", type: "button", title: "Toggle dark mode (t)", "aria-label": "Toggle dark mode", click: () => this.turn() }, icon("M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11")));
  }

  private side(): HTMLElement {
    const counts = new Map<string, number>();
    for (const it of this.findings) counts.set(patternOf(it), (counts.get(patternOf(it)) ?? 0) + 1);
    this.patterns.append(h("option", { value: "" }, "all patterns"),
      ...[...counts].sort().map(([pattern, count]) => h("option", { value: pattern }, `${pattern} (${grouped(count)})`)));
    const sort = h("select", { "aria-label": "Order", change: () => { this.query.sort = sort.value as Query["sort"]; this.select(); } },
      ...Object.keys(SORTS).map((it) => h("option", { value: it }, `by ${it}`)));
    return h("nav", { class: "side", "aria-label": "Findings" },
      h("a", { class: "to-overview", href: "#" }, "Overview"),
      h("div", { class: "filters" }, this.filter, h("div", { class: "selects" }, this.patterns, sort), this.chips),
      this.counter, this.list.element);
  }

  // Narrows the list from the overview's bars.
  private narrow(by: { block?: string; pattern?: string }): void {
    Object.assign(this.query, by);
    this.patterns.value = this.query.pattern;
    this.select();
    document.body.classList.add("at-list");
    this.list.element.focus();
  }

  private select(): void {
    const shown = select(this.findings, this.query);
    this.list.show(shown);
    this.list.mark(this.linked());
    this.counter.textContent = shown.length === this.findings.length ? countOf(shown.length, "finding")
      : `${grouped(shown.length)} of ${countOf(this.findings.length, "finding")}`;
    this.chips.replaceChildren(...this.switches());
  }

  // What narrows the list besides the filter: shown only where it can be switched.
  private switches(): HTMLElement[] {
    const chip = (text: string, title: string, change: Partial<Query>): HTMLElement => h("button", {
      class: "chip", type: "button", title, click: () => { Object.assign(this.query, change); this.select(); },
    }, text);
    const chips: HTMLElement[] = [];
    if (this.query.block !== "") chips.push(chip(`block: ${brief(this.query.block, 40)} ×`, "Show all blocks", { block: "" }));
    const done = this.findings.filter((it) => it.done).length;
    if (done > 0) {
      chips.push(this.query.news ? chip(`${grouped(done)} hidden: show`, "Also show suppressed and known findings", { news: false })
        : chip(`hide ${grouped(done)} suppressed or known`, "Hide suppressed and known findings", { news: true }));
    }
    return chips;
  }

  private linked(): string | null {
    return location.hash.length > 1 ? location.hash.slice(1) : null;
  }

  private open(key: string): void {
    location.hash = key;
    this.show(); // At once: the browser tells of the new address only later.
  }

  private show(): void {
    const key = this.linked();
    if (key === this.shown) return;
    this.shown = key;
    const finding = key === null ? null : this.findings.find((it) => it.key === key);
    const missing = key !== null && !finding && h("p", { class: "card missing", role: "alert" }, `Finding ${brief(key)} is not in this report.`);
    document.title = finding ? `${finding.cause.id}: ${finding.title}` : "Omnium";
    document.body.classList.toggle("at-finding", finding != null);
    document.body.classList.remove("at-list");
    this.main.replaceChildren(...(finding ? [findingPage(finding, this.page.sources, this.page.reports.length > 1)]
      : [missing || "", overview(this.page, this.findings, (by) => this.narrow(by))]));
    this.main.scrollTop = 0;
    this.list.mark(finding ? key : null);
  }

  private turn(): void {
    const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
    document.documentElement.dataset.theme = dark ? "light" : "dark";
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key === "Escape") return this.escape();
    if (typing && !(event.target === this.filter && (event.key === "ArrowDown" || event.key === "Enter"))) return;
    const actions: Record<string, () => void> = {
      "/": () => { document.body.classList.add("at-list"); this.filter.focus(); this.filter.select(); },
      j: () => this.list.step(1), k: () => this.list.step(-1),
      o: () => this.open(""), t: () => this.turn(), "?": () => this.help.showModal(),
    };
    if (event.target === this.filter) {
      actions.ArrowDown = actions.Enter = () => { this.list.element.focus(); this.list.step(1); };
    }
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private escape(): void {
    if (document.activeElement === this.filter && this.filter.value === "") return this.filter.blur();
    this.filter.value = "";
    Object.assign(this.query, { text: "", pattern: "", block: "", news: false });
    this.patterns.value = "";
    this.select();
  }
}

const page = JSON.parse(document.getElementById("data")!.textContent!) as Page;
speak(page.words);
new Viewer(page);
