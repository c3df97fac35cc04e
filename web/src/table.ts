// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Events in order: a column per thread, a row per event, bars where locks were held, an arrow per dependency.
import type { Picture, Row } from "./data";
import { h, name, svg } from "./dom";
import { stepClass } from "./steps";
import { brief, cellVerb, countOf, place, splitPlace, visible } from "./words";

const WORTH_MENTIONING = 1000; // events that the table may pass over silently
const MOST_WIDE = 4; // columns; more of them are drawn closer together
const HEAD = 6; // pixels of an arrow's head

interface Hold {
  lock: string;
  first: number; // row
  last: number;
  level: number; // how many bars of this column are to its left
  sure: boolean; // both ends are in the table
}

const TAKES = new Set(["acquire", "shared acquire", "resume"]);
const GIVES_BACK = new Set(["release", "shared release", "wait"]);
const takes = (row: Row): boolean => TAKES.has(row.operation ?? "");

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
    } else if (GIVES_BACK.has(row.operation ?? "")) {
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
function lockHue(lock: string): number {
  if (!lockHues.has(lock)) lockHues.set(lock, lockHues.size % 6);
  return lockHues.get(lock)!;
}

interface Lines {
  of: number[]; // grid line of each row
  end: number;
}

// Header is line 1; rows that many events precede have a line above them that says so.
function linesOf(picture: Picture): Lines {
  let next = 2;
  const of = picture.rows.map((row) => ((row.skipped ?? 0) >= WORTH_MENTIONING ? (next += 2) : ++next) - 1);
  return { of, end: next };
}

function put(element: HTMLElement, row: string, column: string): HTMLElement {
  element.style.gridRow = row;
  element.style.gridColumn = column;
  return element;
}

function eventCell(picture: Picture, at: number, file: string | null): HTMLElement {
  const event = picture.rows[at]!;
  const steps = picture.sentences.flatMap((it, i) => (it.first.event === event.event || it.second.event === event.event ? [i] : []));
  const where = place(event.location);
  const short = file !== null && where.startsWith(file) ? where.slice(file.length) : brief(where, 32);
  const important = steps.length > 0;
  return h("span", { class: `event ${event.operation ?? ""} ${important ? "involved" : "aside"}`, "data-row": at + 1, "data-index": event.event,
    title: visible(`${cellVerb(event)} ${event.object ?? ""} ${where}`).slice(0, 400) },
    h("span", { class: "verb" }, cellVerb(event)), name(event.object ?? "", "code", 44),
    where !== "" && h("span", { class: "place" }, short));
}

function grid(picture: Picture): HTMLElement {
  const lines = linesOf(picture);
  const file = commonFile(picture.rows);
  const holds = picture.columns.map((_, column) => holdsOf(picture, column));
  const cells: HTMLElement[] = [];
  const opens = picture.rows.findIndex((it) => it.mark === "opens");
  const closes = picture.rows.findIndex((it) => it.mark === "closes");
  if (opens >= 0 && closes >= opens) {
    cells.push(put(h("div", { class: "window" }), `${lines.of[opens]} / ${lines.of[closes]! + 1}`, "1 / -1"));
  }
  picture.columns.forEach((column, c) => {
    cells.push(put(h("div", { class: "lane" }), `1 / ${lines.end}`, String(c + 2)));
    cells.push(put(h("div", { class: "head", role: "columnheader" }, name(column.thread, "thread", 40),
      column.label ? name(column.label, "code label", 40) : null), "1", String(c + 2)));
    for (const hold of holds[c]!) {
      const bar = h("div", { class: `hold hue-${lockHue(hold.lock)}${hold.sure ? "" : " unsure"}`, title: `holds ${brief(hold.lock)}`, "data-lock": brief(hold.lock) });
      bar.style.marginLeft = `${10 + 9 * hold.level}px`;
      cells.push(put(bar, `${lines.of[hold.first]} / ${lines.of[hold.last]! + 1}`, String(c + 2)));
    }
  });
  picture.rows.forEach((row, at) => {
    const line = String(lines.of[at]);
    if ((row.skipped ?? 0) >= WORTH_MENTIONING) {
      cells.push(put(h("div", { class: "skipped" }, `⋮ ${countOf(row.skipped!, "other event")}`), String(lines.of[at]! - 1), "1 / -1"));
    }
    cells.push(put(h("div", { class: "row-number" }, String(at + 1)), line, "1"));
    const cell = put(h("div", { class: "cell" }, eventCell(picture, at, file)), line, String(row.column + 2));
    const levels = Math.max(0, ...holds[row.column]!.map((it) => it.level + 1));
    cell.style.paddingLeft = `${14 + 9 * levels}px`;
    cells.push(cell);
    if (row.mark) {
      cells.push(put(h("div", { class: `note ${row.mark}` }, row.mark === "opens" ? "◄ window opens" : "◄ window closes"), line, String(picture.columns.length + 2)));
    }
  });
  const element = h("div", { class: `grid${picture.columns.length > MOST_WIDE ? " compact" : ""}`, role: "table", "aria-label": "Events in order" }, ...cells);
  element.style.gridTemplateColumns = `2.6rem repeat(${picture.columns.length}, minmax(max-content, 1fr)) max-content`;
  return element;
}

interface Box {
  left: number;
  right: number;
  middle: number;
}

function boxOf(root: HTMLElement, event: number): Box | null {
  const chip = root.querySelector<HTMLElement>(`.event[data-index="${event}"]`);
  if (!chip) return null;
  const outer = root.getBoundingClientRect(), inner = chip.getBoundingClientRect();
  return { left: inner.left - outer.left, right: inner.right - outer.left, middle: inner.top - outer.top + inner.height / 2 };
}

interface Arrow {
  step: number;
  from: number; // event
  to: number;
  start: Box;
  end: Box;
}

// Where arrows meet at the same side of an event, they keep apart: by how much, for both ends of each.
function spread(arrows: Arrow[]): { start: number; end: number }[] {
  const ends = arrows.flatMap((it, i) => {
    const rightwards = it.end.left > it.start.left;
    return [
      { i, key: `${it.from} ${rightwards}`, name: "start" as const, other: it.end.middle },
      { i, key: `${it.to} ${!rightwards}`, name: "end" as const, other: it.start.middle },
    ];
  });
  const shifts = arrows.map(() => ({ start: 0, end: 0 }));
  for (const key of new Set(ends.map((it) => it.key))) {
    const here = ends.filter((it) => it.key === key).sort((a, b) => a.other - b.other);
    const gap = Math.min(10, 20 / here.length);
    here.forEach((it, at) => { shifts[it.i]![it.name] = (at - (here.length - 1) / 2) * gap; });
  }
  return shifts;
}

// From the side of one event to the nearer side of the other.
function arrow(from: Box, to: Box, step: number, steps: number): SVGElement {
  const rightwards = to.left > from.left;
  const x1 = rightwards ? from.right : from.left, x2 = rightwards ? to.left : to.right;
  const way = rightwards ? 1 : -1;
  const tip = x2 - way * 2, end = tip - way * HEAD;
  const bend = Math.max(26, Math.abs(end - x1) * 0.45);
  const path = `M${x1} ${from.middle}C${x1 + way * bend} ${from.middle} ${end - way * bend} ${to.middle} ${end} ${to.middle}`;
  const head = `M${tip} ${to.middle}L${end - way} ${to.middle - HEAD * 0.75}L${end - way} ${to.middle + HEAD * 0.75}Z`;
  const x = (x1 + end) / 2, y = (from.middle + to.middle) / 2;
  return svg("g", { class: `arrow ${stepClass(step, steps)}`, "data-step": step },
    svg("path", { class: "halo", d: path }), svg("path", { class: "line", d: path }), svg("path", { class: "tip", d: head }),
    svg("circle", { cx: x, cy: y, r: 8.5 }), svg("text", { x, y: y + 3.6 }, String(step + 1)));
}

export function table(picture: Picture): HTMLElement {
  const root = grid(picture);
  const layer = svg("svg", { class: "arrows", "aria-hidden": "true" });
  root.append(layer);
  const draw = (): void => {
    layer.setAttribute("width", String(root.scrollWidth));
    layer.setAttribute("height", String(root.scrollHeight));
    const arrows = picture.sentences.flatMap((it, step): Arrow[] => {
      const start = boxOf(root, it.first.event), end = boxOf(root, it.second.event);
      return start && end ? [{ step, from: it.first.event, to: it.second.event, start, end }] : [];
    });
    const shifts = spread(arrows);
    layer.replaceChildren(...arrows.map((it, i) => arrow(
      { ...it.start, middle: it.start.middle + shifts[i]!.start }, { ...it.end, middle: it.end.middle + shifts[i]!.end },
      it.step, picture.sentences.length)));
  };
  new ResizeObserver(draw).observe(root);
  return h("div", {}, h("div", { class: "scroll" }, root), legend(picture));
}

function legend(picture: Picture): HTMLElement | null {
  const locks = new Set(picture.columns.flatMap((_, column) => holdsOf(picture, column).map((it) => it.lock)));
  if (locks.size === 0) return null;
  return h("div", { class: "legend" }, ...[...locks].slice(0, 12).map((lock) =>
    h("span", { class: `hue-${lockHue(lock)}` }, h("i", {}), "holds ", name(lock, "code", 40))));
}
