// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The cycle as a picture. The program that writes the report draws it, the same as in an SVG report (src/report/cycle.h),
// once for all cycles of one shape and without words: they are filled in here.
import type { Block, Picture } from "./data";
import { h, svg } from "./dom";
import { same } from "./findings";
import { brief, cellVerb, shortName, visible } from "./words";

export type Drawings = Record<string, { wide: string; tall: string }>;

let drawings = new Map<string, Drawings[string]>();

// Must be called before anything else of this file.
export function useDrawings(from: Drawings): void {
  drawings = new Map(Object.entries(from));
}

interface Edge {
  from: Block;
  step: number | null; // null: to a later transaction of the same thread
  object: string;
  verbs: string;
}

function edgesOf(picture: Picture): Edge[] {
  const steps = picture.sentences.length;
  return picture.sentences.flatMap((it, step) => {
    const next = picture.sentences[(step + 1) % steps]!.from;
    const edge: Edge = { from: it.from, step, object: it.first.object ?? it.second.object ?? "", verbs: `${cellVerb(it.first)} → ${cellVerb(it.second)}` };
    return same(it.to, next) ? [edge] : [edge, { from: it.to, step: null, object: "", verbs: "" }];
  });
}

// As Cycle::shape() writes it.
const shapeOf = (edges: Edge[], blamed: boolean): string =>
  edges.map((it, i) => (it.from.label === null ? "u" : i === 0 && blamed ? "B" : "b") + (it.step === null ? "o" : "s")).join("");

function filled(drawing: string, edges: Edge[]): SVGElement {
  const element = document.importNode(new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement, true) as unknown as SVGElement;
  const fill = (part: Element, kind: string, text: string): void => {
    const target = part.querySelector(`.${kind}`);
    if (!target) return;
    const longest = Number(target.getAttribute("data-longest"));
    target.textContent = brief(text, longest);
    if (text.length > longest) target.append(svg("title", {}, visible(text).slice(0, 400)));
  };
  element.querySelectorAll(".box").forEach((box, i) => {
    const { from } = edges[i]!;
    fill(box, "title", from.label === null ? "a single event" : shortName(from));
    fill(box, "thread", from.thread);
  });
  element.querySelectorAll(".edge").forEach((part, i) => {
    const edge = edges[i]!;
    if (edge.step === null) return;
    fill(part, "object", edge.object);
    fill(part, "verbs", edge.verbs);
  });
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", `cycle of ${edges.length} transactions`);
  return element;
}

// Null where there is no drawing of this shape.
export function cycle(picture: Picture, blamed: boolean): HTMLElement | null {
  const edges = edgesOf(picture), shape = shapeOf(edges, blamed);
  const drawing = drawings.get(shape);
  if (!drawing) return null;
  return h("div", {}, h("div", { class: "wide" }, filled(drawing.wide, edges)), h("div", { class: "tall" }, filled(drawing.tall, edges)));
}
