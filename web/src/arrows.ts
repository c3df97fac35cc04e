// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The arrows over a table of events, one per dependency, each with the number of its sentence.
import type { Picture } from "./data";
import { svg } from "./dom";
import { stepClass } from "./steps";

const HEAD = 6; // pixels of an arrow's head
const RADIUS = 9; // of the number

interface Point {
  x: number;
  y: number;
}

interface Box {
  left: number;
  right: number;
  middle: number;
}

interface Arrow {
  step: number;
  from: number; // event
  to: number;
  start: Box;
  end: Box;
}

// Coordinates are those of the table, however much it is scaled.
class Measure {
  private readonly outer: DOMRect;
  private readonly scale: number;

  constructor(private readonly root: HTMLElement) {
    this.outer = root.getBoundingClientRect();
    this.scale = root.offsetWidth > 0 ? this.outer.width / root.offsetWidth : 1;
  }

  rect(element: Element): DOMRect {
    const { left, top, width, height } = element.getBoundingClientRect();
    const k = this.scale;
    return new DOMRect((left - this.outer.left) / k, (top - this.outer.top) / k, width / k, height / k);
  }

  boxOf(event: number): Box | null {
    const chip = this.root.querySelector<HTMLElement>(`.event[data-index="${event}"]`);
    if (!chip) return null;
    const it = this.rect(chip);
    return { left: it.left, right: it.right, middle: it.top + it.height / 2 };
  }
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

// From the side of one event to the nearer side of the other, as the four points of a curve.
function curve(from: Box, to: Box): { points: [Point, Point, Point, Point]; way: number } {
  const way = to.left > from.left ? 1 : -1;
  const x1 = way > 0 ? from.right : from.left, x2 = way > 0 ? to.left : to.right;
  const end = x2 - way * (2 + HEAD);
  const bend = Math.max(26, Math.abs(end - x1) * 0.45);
  const at = (x: number, y: number): Point => ({ x, y });
  return { way, points: [at(x1, from.middle), at(x1 + way * bend, from.middle), at(end - way * bend, to.middle), at(end, to.middle)] };
}

function along([a, b, c, d]: [Point, Point, Point, Point], t: number): Point {
  const s = 1 - t;
  const mix = (of: (point: Point) => number): number => s * s * s * of(a) + 3 * s * s * t * of(b) + 3 * s * t * t * of(c) + t * t * t * of(d);
  return { x: mix((it) => it.x), y: mix((it) => it.y) };
}

// How deep a number at a point would lie in what must stay readable.
function covered({ x, y }: Point, taken: DOMRect[]): number {
  return taken.reduce((most, it) => {
    const deep = Math.min(x + RADIUS - it.left, it.right - x + RADIUS, y + RADIUS - it.top, it.bottom - y + RADIUS);
    return Math.max(most, deep);
  }, 0);
}

// The place for its number: near the middle, and over no other label.
function numberAt(points: [Point, Point, Point, Point], taken: DOMRect[]): Point {
  let best = along(points, 0.5), least = covered(best, taken);
  for (let i = 1; i <= 23 && least > 0; ++i) {
    for (const t of [0.5 - i * 0.02, 0.5 + i * 0.02]) {
      const here = along(points, t), deep = covered(here, taken);
      if (deep < least) [best, least] = [here, deep];
    }
  }
  return best;
}

function drawn(from: Box, to: Box, step: number, steps: number, taken: DOMRect[]): SVGElement {
  const { points, way } = curve(from, to);
  const [a, b, c, d] = points;
  const path = `M${a.x} ${a.y}C${b.x} ${b.y} ${c.x} ${c.y} ${d.x} ${d.y}`;
  const head = `M${d.x + way * HEAD} ${d.y}L${d.x - way} ${d.y - HEAD * 0.75}L${d.x - way} ${d.y + HEAD * 0.75}Z`;
  const { x, y } = numberAt(points, taken);
  taken.push(new DOMRect(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS));
  return svg("g", { class: `arrow ${stepClass(step, steps)}`, "data-step": step },
    svg("path", { class: "halo", d: path }), svg("path", { class: "line", d: path }), svg("path", { class: "tip", d: head }),
    svg("circle", { cx: x, cy: y, r: RADIUS - 0.5 }), svg("text", { x, y: y + 3.6 }, String(step + 1)));
}

export interface Arrows {
  draw: () => void;
  // Those whose second event is in the first `count` rows; all if that is 0.
  show: (count: number) => void;
}

export function arrowLayer(picture: Picture, root: HTMLElement): Arrows {
  const layer = svg("svg", { class: "arrows", "aria-hidden": "true" });
  root.append(layer);
  let shown = 0;
  const show = (count: number): void => {
    shown = count;
    const rowOf = (event: number): number => picture.rows.findIndex((it) => it.event === event);
    for (const it of layer.querySelectorAll<SVGElement>("[data-step]")) {
      const { second } = picture.sentences[Number(it.dataset.step)]!;
      it.classList.toggle("to-come", count > 0 && rowOf(second.event) >= count);
    }
  };
  const draw = (): void => {
    const measure = new Measure(root);
    layer.setAttribute("width", String(root.scrollWidth));
    layer.setAttribute("height", String(root.scrollHeight));
    const arrows = picture.sentences.flatMap((it, step): Arrow[] => {
      const start = measure.boxOf(it.first.event), end = measure.boxOf(it.second.event);
      return start && end ? [{ step, from: it.first.event, to: it.second.event, start, end }] : [];
    });
    const shifts = spread(arrows);
    const taken = [...root.querySelectorAll(".event, .head > *, .note")].map((it) => measure.rect(it));
    layer.replaceChildren(...arrows.map((it, i) => drawn(
      { ...it.start, middle: it.start.middle + shifts[i]!.start }, { ...it.end, middle: it.end.middle + shifts[i]!.end },
      it.step, picture.sentences.length, taken)));
    show(shown);
  };
  drawing.set(root, draw);
  new ResizeObserver(draw).observe(root);
  return { draw, show };
}

const drawing = new WeakMap<HTMLElement, () => void>();

// Draws the arrows of all tables below `root` for the sizes that they have right now.
export function drawArrows(root: ParentNode): void {
  for (const it of root.querySelectorAll<HTMLElement>(".grid")) drawing.get(it)?.();
}
