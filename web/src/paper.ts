// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// On paper nothing can be opened: while the page is printed it has the overview and every finding of the list in full.
import { drawArrows } from "./arrows";
import type { Finding, Page } from "./data";
import { h, name } from "./dom";
import { findingPage } from "./finding";
import { overview } from "./overview";
import { countOf, grouped } from "./words";

const MOST_IN_FULL = 200;
const MOST_LISTED = 2000;

function rest(findings: Finding[]): HTMLElement | null {
  if (findings.length === 0) return null;
  return h("section", { class: "card" }, h("h2", {}, `${countOf(findings.length, "more finding")}`),
    h("table", { class: "plain" },
      h("thead", {}, h("tr", {}, ...["id", "what", "block", "times"].map((it) => h("th", { scope: "col" }, it)))),
      h("tbody", {}, ...findings.slice(0, MOST_LISTED).map((it) => h("tr", {},
        h("td", {}, it.cause.id), h("td", {}, it.title), h("td", { class: "names" }, name(it.block, "code", 80)), h("td", { class: "count" }, grouped(it.count)))))),
    findings.length > MOST_LISTED && h("p", {}, `and ${grouped(findings.length - MOST_LISTED)} more`));
}

// Wide tables become smaller: on paper nothing can be scrolled.
function fit(paper: HTMLElement): void {
  for (const it of paper.querySelectorAll<HTMLElement>(".grid, table.plain")) {
    const room = it.parentElement!.clientWidth;
    if (it.scrollWidth > room) it.style.setProperty("zoom", String(room / it.scrollWidth));
  }
}

// `listed`: what the reader has filtered.
export function printing(page: Page, all: Finding[], listed: () => Finding[]): void {
  let paper: HTMLElement | null = null;
  const lay = (): void => {
    if (paper) return;
    const findings = listed();
    paper = h("div", { class: "paper" }, overview(page, all, () => {}),
      ...findings.slice(0, MOST_IN_FULL).map((it) => findingPage(it, page.sources, page.reports.length > 1, () => {}).element),
      rest(findings.slice(MOST_IN_FULL)));
    document.body.append(paper);
    fit(paper);
    drawArrows(paper);
  };
  const clear = (): void => {
    paper?.remove();
    paper = null;
  };
  addEventListener("beforeprint", lay);
  addEventListener("afterprint", clear);
  matchMedia("print").addEventListener("change", (event) => (event.matches ? lay() : clear()));
}
