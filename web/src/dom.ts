// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Elements from names, attributes and children. Text always becomes text nodes, never markup.
import { brief, visible } from "./words";

export type Child = Node | string | null | false | undefined;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: any) => void)>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, attributes, children);
  return element;
}

// Names are rather broken behind what joins their parts than inside of them.
function breakable(text: string): Child[] {
  const parts = text.match(/[^._:>/]*[._:>/]+|[^._:>/]+/g) ?? [];
  return parts.flatMap((it, i) => (i === 0 ? [it] : [h("wbr"), it]));
}

// A name from the program: cut where it is too long, whole on hovering.
export function name(text: string, kind = "code", longest?: number): HTMLElement {
  const short = brief(text, longest);
  return h("span", { class: kind, title: short === text ? null : visible(text).slice(0, 4000) }, ...breakable(short));
}

// A button that copies; where the browser does not let it, the text gets selected instead.
export function copyButton(text: string, label: string): HTMLElement {
  const button = h("button", {
    class: "copy", type: "button", title: `Copy ${label}`, "aria-label": `Copy ${label}`,
    click: async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.classList.add("done");
        setTimeout(() => button.classList.remove("done"), 1200);
      } catch {
        const beside = button.previousElementSibling;
        if (beside) getSelection()?.selectAllChildren(beside);
      }
    },
  }, icon("M5 2h8v9M3 5h7v9H3z"));
  return button;
}

export function icon(path: string): SVGElement {
  return svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: path }));
}
