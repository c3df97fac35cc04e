// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The page as a whole: what it shows follows from its address.
import { addressOf, hashOf, isBare, nowhere, OVERVIEW, type Address } from "./address";
import { useDrawings } from "./cycle";
import type { Finding, Page } from "./data";
import { h, icon } from "./dom";
import { editorDialog, useEditor } from "./editor";
import { findingPage, type FindingPage } from "./finding";
import { findingsOf, patternOf, select, SORTS } from "./findings";
import { FindingList } from "./list";
import { overview } from "./overview";
import { printing } from "./paper";
import { brief, countOf, grouped, naturally, speak } from "./words";

const KEYS: [string, string][] = [
  ["/", "filter"], ["j  ↓", "next finding"], ["k  ↑", "previous finding"], ["o", "overview"],
  ["→", "next event of the finding"], ["←", "previous event"], ["p", "play the events, or pause"],
  ["t", "toggle dark mode"], ["Esc", "leave the filter, or clear it"], ["?", "show these keys"],
];
const ICONS = {
  brand: "M5 3.5h6a4.5 4.5 0 0 1 0 9H5a4.5 4.5 0 0 1 0-9zM5.5 6.5h5a1.5 1.5 0 0 1 0 3h-5a1.5 1.5 0 0 1 0-3z",
  editor: "M10.5 2.5l3 3-8 8h-3v-3zM8.5 4.5l3 3", theme: "M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11",
};

class Viewer {
  private readonly findings: Finding[];
  private address = nowhere();
  private readonly list = new FindingList((finding) => this.open(finding.key));
  private readonly main = h("main", { tabindex: -1 });
  private readonly counter = h("p", { class: "counter", role: "status" });
  private readonly filter = h("input", {
    type: "search", placeholder: "Filter by name, id or place", "aria-label": "Filter findings", autocomplete: "off", spellcheck: "false",
    input: () => this.change({ filter: this.filter.value }),
  });
  private readonly chips = h("div", { class: "chips" });
  private readonly patterns = h("select", { "aria-label": "Pattern", change: () => this.change({ pattern: this.patterns.value }) });
  private readonly sort = h("select", { "aria-label": "Order", change: () => this.change({ sort: this.sort.selectedIndex === 0 ? "" : this.sort.value }) },
    ...Object.keys(SORTS).map((it) => h("option", { value: it }, `by ${it}`)));
  private shown: string | undefined; // what is open: a key, or OVERVIEW
  private selected = ""; // the query that the list shows
  private listed: Finding[] = [];
  private page_of: FindingPage | null = null;
  private readonly help = h("dialog", { class: "keys", "aria-labelledby": "keys-title" });
  private editor: HTMLDialogElement | null = null;

  constructor(private readonly page: Page) {
    this.findings = findingsOf(page);
    document.body.append(this.top(), h("div", { class: "body" }, this.side(), this.main), this.help);
    this.help.append(h("h2", { id: "keys-title" }, "Keys"),
      h("dl", {}, ...KEYS.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])),
      h("form", { method: "dialog" }, h("button", {}, "Close")));
    printing(page, this.findings, () => this.listed);
    this.follow();
    addEventListener("hashchange", () => this.follow());
    addEventListener("keydown", (event) => this.key(event));
  }

  private top(): HTMLElement {
    const { reports } = this.page;
    const path = reports.length === 1 ? brief(reports[0]!.trace.path, 80) : countOf(reports.length, "trace");
    const button = (label: string, key: string, content: Node | string, click: () => void): HTMLElement =>
      h("button", { class: "plain-button", type: "button", title: key ? `${label} (${key})` : label, "aria-label": label, click }, content);
    return h("header", { class: "top" },
      h("a", { class: "brand", href: `#${OVERVIEW}`, "aria-label": "Omnium: overview" }, icon(ICONS.brand), "Omnium"),
      h("span", { class: "path" }, path),
      button("Keys", "?", "?", () => this.help.showModal()),
      button("Links to an editor", "", icon(ICONS.editor), () => this.chooseEditor()),
      button("Toggle dark mode", "t", icon(ICONS.theme), () => this.turn()));
  }

  private side(): HTMLElement {
    const counts = new Map<string, number>();
    for (const it of this.findings) counts.set(patternOf(it), (counts.get(patternOf(it)) ?? 0) + 1);
    this.patterns.append(h("option", { value: "" }, "all patterns"),
      ...[...counts].sort((a, b) => naturally(a[0], b[0])).map(([pattern, count]) => h("option", { value: pattern }, `${pattern} (${grouped(count)})`)));
    return h("nav", { class: "side", "aria-label": "Findings" },
      h("a", { class: "to-overview", href: `#${OVERVIEW}` }, "Overview"),
      h("div", { class: "filters" }, this.filter, h("div", { class: "selects" }, this.patterns, this.sort), this.chips),
      this.counter, this.list.element);
  }

  // The address changed: from outside, or by a link of the page.
  private follow(): void {
    const to = addressOf(location.hash);
    this.address = isBare(location.hash) ? { ...this.address, open: to.open, row: 0 } : to;
    if (this.address.open === "") this.address.open = this.findings.length === 1 && !this.findings[0]!.done ? this.findings[0]!.key : OVERVIEW;
    if (isBare(location.hash)) this.write();
    this.draw();
  }

  private write(): void {
    const hash = hashOf(this.address);
    if (hash === location.hash || (location.hash === "" && this.address.open === OVERVIEW && hash === `#${OVERVIEW}`)) return;
    history.replaceState(null, "", hash);
  }

  private change(by: Partial<Address>): void {
    Object.assign(this.address, by);
    this.write();
    this.draw();
  }

  private open(key: string): void {
    if (key === this.address.open) return;
    Object.assign(this.address, { open: key, row: 0 });
    history.pushState(null, "", hashOf(this.address));
    this.draw();
  }

  private draw(): void {
    const { theme } = this.address;
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    this.select();
    this.show();
    this.page_of?.player?.go(this.address.row);
  }

  // Narrows the list from the overview's bars.
  private narrow(by: { block?: string; pattern?: string }): void {
    this.change(by);
    document.body.classList.add("at-list");
    this.list.element.focus();
  }

  private select(): void {
    const { filter, pattern, block, news, sort } = this.address;
    const query = JSON.stringify([filter, pattern, block, news, sort]);
    if (query === this.selected) return;
    this.selected = query;
    if (this.filter.value !== filter) this.filter.value = filter;
    this.patterns.value = pattern;
    this.sort.value = sort in SORTS ? sort : Object.keys(SORTS)[0]!;
    this.listed = select(this.findings, this.address);
    this.list.show(this.listed);
    this.list.mark(this.address.open);
    this.counter.textContent = this.listed.length === this.findings.length ? countOf(this.listed.length, "finding")
      : `${grouped(this.listed.length)} of ${countOf(this.findings.length, "finding")}`;
    this.chips.replaceChildren(...this.switches());
  }

  // What narrows the list besides the filter: shown only where it can be switched.
  private switches(): HTMLElement[] {
    const chip = (text: string, title: string, change: Partial<Address>): HTMLElement =>
      h("button", { class: "chip", type: "button", title, click: () => this.change(change) }, text);
    const chips: HTMLElement[] = [];
    if (this.address.block !== "") chips.push(chip(`block: ${brief(this.address.block, 40)} ×`, "Show all blocks", { block: "" }));
    const done = this.findings.filter((it) => it.done).length;
    if (done > 0) {
      chips.push(this.address.news ? chip(`${grouped(done)} hidden: show`, "Also show suppressed and known findings", { news: false })
        : chip(`hide ${grouped(done)} suppressed or known`, "Hide suppressed and known findings", { news: true }));
    }
    return chips;
  }

  private show(): void {
    const key = this.address.open;
    if (key === this.shown) return;
    this.shown = key;
    this.page_of?.player?.pause();
    const finding = this.findings.find((it) => it.key === key);
    const missing = !finding && key !== OVERVIEW && h("p", { class: "card missing", role: "alert" }, `Finding ${brief(key)} is not in this report.`);
    document.title = finding ? `${finding.cause.id}: ${finding.title}` : "Omnium";
    document.body.classList.toggle("at-finding", finding != null);
    document.body.classList.remove("at-list");
    this.page_of = finding ? findingPage(finding, this.page.sources, this.page.reports.length > 1, (row) => this.change({ row })) : null;
    this.main.replaceChildren(...(this.page_of ? [this.page_of.element]
      : [missing || "", overview(this.page, this.findings, (by) => this.narrow(by))]));
    this.main.scrollTop = 0;
    this.list.mark(finding ? key : null);
  }

  private turn(): void {
    const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
    this.change({ theme: dark ? "light" : "dark" });
  }

  private chooseEditor(): void {
    this.editor?.remove();
    this.editor = editorDialog(() => { this.shown = undefined; this.draw(); });
    document.body.append(this.editor);
    this.editor.showModal();
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open || this.editor?.open) return;
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key === "Escape") return this.escape();
    if (typing && !(event.target === this.filter && (event.key === "ArrowDown" || event.key === "Enter"))) return;
    const player = this.page_of?.player;
    const actions: Record<string, () => void> = {
      "/": () => { document.body.classList.add("at-list"); this.filter.focus(); this.filter.select(); },
      j: () => this.list.step(1), k: () => this.list.step(-1),
      o: () => this.open(OVERVIEW), t: () => this.turn(), "?": () => this.help.showModal(),
    };
    if (player) Object.assign(actions, { ArrowRight: () => player.step(1), ArrowLeft: () => player.step(-1), p: () => player.toggle() });
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
    this.change({ filter: "", pattern: "", block: "", news: false });
  }
}

const page = JSON.parse(document.getElementById("data")!.textContent!) as Page;
speak(page.words);
useEditor(page.editor, page.files);
useDrawings(page.drawings);
new Viewer(page);
