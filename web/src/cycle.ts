// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The cycle as a picture, as the Velodrome paper draws it: a box per transaction, the blamed one outlined, an arrow per
// dependency, the one that closes the cycle dashed.
import type { Block, Picture } from "./data";
import { h, svg } from "./dom";
import { nodesOf, same } from "./findings";
import { stepClass } from "./steps";
import { brief, cellVerb, shortName } from "./words";

const BOX = { width: 168, height: 46 };

interface Point {
  x: number;
  y: number;
}

interface Drawing {
  points: Point[];
  centre: Point;
  width: number;
  height: number;
}

// Two side by side, more on a ring that grows with their number.
function places(count: number): Drawing {
  const rx = Math.max(190, count * 42), ry = count === 2 ? 0 : Math.max(105, count * 30);
  const start = count === 2 ? Math.PI : -Math.PI / 2;
  const around = Array.from({ length: count }, (_, i) => {
    const angle = start + (2 * Math.PI * i) / count;
    return { x: rx * Math.cos(angle), y: ry * Math.sin(angle) };
  });
  const margin = { x: BOX.width / 2 + 40, y: BOX.height / 2 + (count === 2 ? 100 : 48) };
  const centre = {
    x: margin.x - Math.min(...around.map((it) => it.x)), y: margin.y - Math.min(...around.map((it) => it.y)),
  };
  return {
    centre, points: around.map((it) => ({ x: centre.x + it.x, y: centre.y + it.y })),
    width: centre.x + Math.max(...around.map((it) => it.x)) + margin.x,
    height: centre.y + Math.max(...around.map((it) => it.y)) + margin.y,
  };
}

// Where the line from the middle of a box towards `to` leaves it.
function edgeOf(box: Point, to: Point): Point {
  const dx = to.x - box.x, dy = to.y - box.y;
  const scale = Math.min(
    dx === 0 ? Infinity : (BOX.width / 2 + 3) / Math.abs(dx), dy === 0 ? Infinity : (BOX.height / 2 + 3) / Math.abs(dy));
  return { x: box.x + dx * scale, y: box.y + dy * scale };
}

// An arrow that bends outwards, and the middle of its bend.
function curve(from: Point, to: Point, centre: Point): { d: string; tip: string; middle: Point } {
  const mid = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  let out = { x: mid.x - centre.x, y: mid.y - centre.y };
  const flat = Math.hypot(out.x, out.y) < 1;
  if (flat) out = { x: (to.y - from.y), y: -(to.x - from.x) };
  const length = Math.hypot(out.x, out.y) || 1;
  const push = flat ? 110 : 34;
  const control = { x: mid.x + (out.x / length) * push, y: mid.y + (out.y / length) * push };
  const a = edgeOf(from, control), b = edgeOf(to, control);
  const angle = Math.atan2(b.y - control.y, b.x - control.x);
  const at = (turn: number): string => `${b.x - 9 * Math.cos(angle + turn)} ${b.y - 9 * Math.sin(angle + turn)}`;
  const stop = { x: b.x - 6 * Math.cos(angle), y: b.y - 6 * Math.sin(angle) };
  return {
    d: `M${a.x} ${a.y}Q${control.x} ${control.y} ${stop.x} ${stop.y}`,
    tip: `M${b.x} ${b.y}L${at(0.45)}L${at(-0.45)}Z`,
    middle: { x: (a.x + 2 * control.x + b.x) / 4, y: (a.y + 2 * control.y + b.y) / 4 },
  };
}

function box(block: Block, at: Point, blamed: boolean): SVGElement {
  const unary = block.label === null;
  return svg("g", { class: `box${blamed ? " blamed" : ""}${unary ? " unary" : ""}` },
    svg("rect", { x: at.x - BOX.width / 2, y: at.y - BOX.height / 2, width: BOX.width, height: BOX.height, rx: unary ? 23 : 9 }),
    svg("text", { class: "title", x: at.x, y: at.y - 2 }, brief(unary ? "a single event" : shortName(block), 20)),
    svg("text", { class: "thread", x: at.x, y: at.y + 14 }, brief(block.thread, 20)));
}

function caption(picture: Picture, step: number, at: Point, centre: Point): SVGElement {
  const { first, second } = picture.sentences[step]!;
  const from = { x: at.x - centre.x, y: at.y - centre.y };
  const aside = Math.abs(from.x) > Math.abs(from.y) * 0.9;
  const anchor = Math.abs(from.x) < 10 ? "middle" : from.x > 0 ? "start" : "end";
  const x = aside ? at.x + Math.sign(from.x) * 16 : at.x;
  const y = aside ? at.y - 2 : at.y + (from.y < 0 ? -30 : 25);
  const verbs = `${cellVerb(first)} → ${cellVerb(second)}`;
  return svg("text", { class: "caption", x, y, "text-anchor": anchor },
    svg("tspan", { class: "code", x }, brief(first.object ?? second.object ?? "", 22)), svg("tspan", { class: "quiet", x, dy: 13 }, verbs));
}

export function cycle(picture: Picture, blamed: boolean): HTMLElement {
  const nodes = nodesOf(picture);
  const { points, centre, width, height } = places(nodes.length);
  const point = (block: Block): Point => points[nodes.findIndex((it) => same(it, block))]!;
  const steps = picture.sentences.length;
  const arrows: SVGElement[] = [];
  picture.sentences.forEach((it, step) => {
    const { d, tip, middle } = curve(point(it.from), point(it.to), centre);
    arrows.push(svg("g", { class: `edge ${stepClass(step, steps)}`, "data-step": step },
      svg("path", { class: "line", d }), svg("path", { class: "tip", d: tip }),
      svg("circle", { cx: middle.x, cy: middle.y, r: 9.5 }), svg("text", { class: "number", x: middle.x, y: middle.y + 3.8 }, String(step + 1)),
      caption(picture, step, middle, centre)));
    const next = picture.sentences[(step + 1) % steps]!.from;
    if (!same(it.to, next)) {
      const order = curve(point(it.to), point(next), centre);
      arrows.push(svg("g", { class: "edge order" }, svg("path", { class: "line", d: order.d }), svg("path", { class: "tip", d: order.tip }),
        svg("text", { class: "caption", x: order.middle.x, y: order.middle.y - 6, "text-anchor": "middle" }, "same thread")));
    }
  });
  const start = picture.sentences[0]!.from;
  const drawing = svg("svg", { class: "cycle", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `cycle of ${nodes.length} transactions` },
    ...arrows, ...nodes.map((it, i) => box(it, points[i]!, blamed && same(it, start))));
  return h("div", { class: "scroll" }, drawing);
}
