// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Events in order: a column per thread, a row per event, bars where locks were held, an arrow per dependency.
import { arrowLayer } from "./arrows";
import type { Picture, Row } from "./data";
import { h, name } from "./dom";
import { placeLink } from "./editor";
import { glide } from "./motion";
import { givesBack, takes } from "./moments";
import { brief, cellVerb, countOf, place, splitPlace, visible } from "./words";

const WORTH_MENTIONING = 1000; // events that the table may pass over silently
const MOST_WIDE = 4; // columns; more of them are drawn closer together
const MOST_WRAPPED = 3; // columns that fit on a phone

interface Hold {
  lock: string;
  first: number; // row
  last: number;
  level: number; // how many bars of this column are to its left
  sure: boolean; // both ends are in the table
}

// Where a thread of the table held which lock, as far as the table's own rows show it.
export function holdsOf(picture: Picture, column: number): Hold[] {
  const rows = picture.rows.map((row, at) => ({ row, at })).filter(({ row }) => row.column === column);
  const lastRow = rows.length === 0 ? 0 : rows[rows.length - 1]!.at;
  const holds: Hold[] = [];
  const open: Hold[] = [];
  for (const { row, at } of rows) {
    const lock = row.object ?? "";
    if (takes(row)) {
      const used = new Set(open.map((it) => it.level));
      let level = 0;
      while (used.has(level)) ++level;
      const hold = { lock, first: at, last: lastRow, level, sure: false };
      open.push(hold);
      holds.push(hold);
    } else if (givesBack(row)) {
      const index = open.map((it) => it.lock).lastIndexOf(lock);
      if (index < 0) continue;
      const [hold] = open.splice(index, 1);
      hold!.last = at;
      hold!.sure = true;
    }
  }
  // Rows may be missing in the middle of a long table: then nothing is said about how long the first one lasted.
  for (const hold of open) {
    if (rows.some(({ row, at }) => at > hold.first && row.object === hold.lock && takes(row))) {
      hold.last = hold.first;
    }
  }
  return holds;
}

// The one file of all places, if there is one: then line numbers are enough.
function commonFile(rows: Row[]): string | null {
  const files = new Set<string>();
  for (const row of rows) {
    if (!place(row.location)) continue;
    const at = splitPlace(row.location);
    if (!at) return null;
    files.add(at.file);
  }
  return files.size === 1 ? [...files][0]! : null;
}

const lockHues = new Map<string, number>();
export function lockHue(lock: string): number {
  if (!lockHues.has(lock)) lockHues.set(lock, lockHues.size % 6);
  return lockHues.get(lock)!;
}

interface Lines {
  of: number[]; // grid line of each row
  opens: number; // line that says where the window opens, and closes; 0: there is none
  closes: number;
  end: number;
}

// Header is line 1. Rows that many events precede have a line above them that says so; so have the ends of the window.
function linesOf(picture: Picture): Lines {
  const lines: Lines = { of: [], opens: 0, closes: 0, end: 2 };
  const whole = picture.rows.some((it) => it.mark === "opens") && picture.rows.some((it) => it.mark === "closes");
  for (const row of picture.rows) {
    if ((row.skipped ?? 0) >= WORTH_MENTIONING) ++lines.end;
    if (whole && row.mark === "opens") lines.opens = lines.end++;
    lines.of.push(lines.end++);
    if (whole && row.mark === "closes") lines.closes = lines.end++;
  }
  return lines;
}

function put<Kind extends HTMLElement>(element: Kind, row: string, column: string): Kind {
  element.style.gridRow = row;
  element.style.gridColumn = column;
  return element;
}

const decoration = (kind: string): HTMLElement => h("div", { class: kind, "aria-hidden": "true" });

function eventCell(picture: Picture, at: number, file: string | null): HTMLElement {
  const event = picture.rows[at]!;
  const involved = picture.sentences.some((it) => it.first.event === event.event || it.second.event === event.event);
  const where = place(event.location);
  const short = file !== null && where.startsWith(file) ? where.slice(file.length) : brief(where, 32);
  return h("span", { class: `event ${event.operation ?? ""} ${involved ? "involved" : "aside"}`, "data-row": at + 1, "data-index": event.event,
    title: visible(`${cellVerb(event)} ${event.object ?? ""} ${where}`).slice(0, 400) },
    h("span", { class: "verb" }, cellVerb(event)), name(event.object ?? "", "code", 44),
    where !== "" && placeLink(where, short));
}

export interface Table {
  element: HTMLElement;
  // The events to row `count`, which stands out; all of them if that is 0.
  show: (count: number) => void;
}

class Grid {
  readonly root: HTMLElement;
  private readonly lines: Lines;
  private readonly holds: { hold: Hold; bar: HTMLElement; column: number }[] = [];
  private readonly rows: HTMLElement[] = [];
  private readonly now = decoration("now");

  constructor(private readonly picture: Picture) {
    const { columns } = picture;
    this.lines = linesOf(picture);
    const kind = columns.length > MOST_WIDE ? " compact" : columns.length <= MOST_WRAPPED ? " few" : "";
    this.root = h("div", { class: `grid${kind}`, role: "table", "aria-label": "Events in order", "aria-colcount": columns.length + 1 },
      ...this.background(), this.head(), ...this.body());
    this.root.style.setProperty("--columns", String(columns.length));
  }

  show(count: number): void {
    this.root.classList.toggle("stepping", count > 0);
    this.rows.forEach((it, at) => {
      it.classList.toggle("to-come", count > 0 && at >= count);
      it.classList.toggle("current", at === count - 1);
    });
    this.now.hidden = count === 0;
    glide(this.now, () => { if (count > 0) put(this.now, String(this.lines.of[count - 1]), "1 / -1"); });
    for (const { hold, bar, column } of this.holds) {
      const last = count === 0 ? hold.last : Math.min(hold.last, count - 1);
      bar.hidden = last < hold.first;
      bar.classList.toggle("still", last < hold.last);
      if (!bar.hidden) glide(bar, () => put(bar, `${this.lines.of[hold.first]} / ${this.lines.of[last]! + 1}`, String(column + 2)));
    }
  }

  // What lies behind the rows.
  private background(): HTMLElement[] {
    const { lines, picture } = this;
    const cells: HTMLElement[] = [];
    if (lines.opens > 0 && lines.closes > lines.opens) {
      cells.push(put(decoration("window"), `${lines.opens} / ${lines.closes + 1}`, "1 / -1"),
        put(h("div", { class: "note opens", "aria-hidden": "true" }, "window opens"), String(lines.opens), "1 / -1"),
        put(h("div", { class: "note closes", "aria-hidden": "true" }, "window closes"), String(lines.closes), "1 / -1"));
    }
    this.now.hidden = true;
    cells.push(this.now);
    picture.columns.forEach((_, c) => {
      cells.push(put(decoration("lane"), `1 / ${lines.end}`, String(c + 2)));
      for (const hold of holdsOf(picture, c)) {
        const bar = h("div", { class: `hold hue-${lockHue(hold.lock)}${hold.sure ? "" : " unsure"}`, title: `holds ${brief(hold.lock)}`, "data-lock": brief(hold.lock), "aria-hidden": "true" });
        bar.style.marginLeft = `${10 + 9 * hold.level}px`;
        this.holds.push({ hold, bar, column: c });
        cells.push(put(bar, `${lines.of[hold.first]} / ${lines.of[hold.last]! + 1}`, String(c + 2)));
      }
    });
    return cells;
  }

  private head(): HTMLElement {
    const corner = put(h("span", { class: "unseen", role: "columnheader", "aria-colindex": 1 }, "row"), "1", "1");
    return h("div", { class: "row", role: "row" }, corner, ...this.picture.columns.map((column, c) =>
      put(h("div", { class: "head", role: "columnheader", "aria-colindex": c + 2 }, name(column.thread, "thread", 40),
        column.label ? name(column.label, "code label", 40) : null), "1", String(c + 2))));
  }

  private body(): HTMLElement[] {
    const { picture, lines } = this;
    const file = commonFile(picture.rows);
    const levels = picture.columns.map((_, c) => Math.max(0, ...holdsOf(picture, c).map((it) => it.level + 1)));
    return picture.rows.flatMap((row, at) => {
      const line = lines.of[at]!;
      const cell = put(h("div", { class: "cell", role: "cell", "aria-colindex": row.column + 2 }, eventCell(picture, at, file),
        row.mark && h("span", { class: "unseen" }, row.mark === "opens" ? "the window opens here" : "and closes here")), String(line), String(row.column + 2));
      cell.style.setProperty("--bars", String(levels[row.column]));
      const number = put(h("div", { class: "row-number", role: "rowheader", "aria-colindex": 1 }, String(at + 1)), String(line), "1");
      const element = h("div", { class: "row", role: "row", "data-at": at + 1 }, number, cell);
      this.rows.push(element);
      if ((row.skipped ?? 0) < WORTH_MENTIONING) return [element];
      const above = line - (row.mark === "opens" && lines.opens > 0 ? 2 : 1);
      const skipped = put(h("div", { class: "skipped", role: "cell", "aria-colspan": picture.columns.length + 1 }, `⋮ ${countOf(row.skipped!, "other event")}`), String(above), "1 / -1");
      return [h("div", { class: "row", role: "row" }, skipped), element];
    });
  }
}

export function table(picture: Picture): Table {
  const grid = new Grid(picture);
  const arrows = arrowLayer(picture, grid.root);
  return {
    element: h("div", {}, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of events" }, grid.root), legend(picture)),
    show: (count) => { grid.show(count); arrows.show(count); },
  };
}

function legend(picture: Picture): HTMLElement | null {
  const locks = new Set(picture.columns.flatMap((_, column) => holdsOf(picture, column).map((it) => it.lock)));
  if (locks.size === 0) return null;
  return h("div", { class: "legend" }, ...[...locks].slice(0, 12).map((lock) =>
    h("span", { class: `hue-${lockHue(lock)}` }, h("i", {}), "holds ", name(lock, "code", 40))));
}
