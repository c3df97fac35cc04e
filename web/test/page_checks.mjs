// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What can be said of any page from where things are on the screen: no label covers another, nothing is cut off, no
// line runs through a label, and axe has nothing to complain about. Each returns a list of problems.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const axe = readFileSync(fileURLToPath(new URL("../node_modules/axe-core/axe.min.js", import.meta.url)), "utf8");

// The browser has drawn what the page wants to show.
export const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

export async function accessibility(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations.flatMap((rule) => rule.nodes.map((it) => `${rule.id}: ${it.target.join(" ")}: ${it.failureSummary.split("\n").at(-1).trim()}`));
}

// Runs in the page. `root` says where to look.
function layoutOf(root) {
  const problems = [];
  const named = (it) => `'${it.text.slice(0, 40)}' (${it.element.parentElement?.className?.baseVal ?? it.element.className})`;
  const seen = (element) => {
    for (let it = element; it; it = it.parentElement) {
      const style = getComputedStyle(it);
      if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0" || it.classList.contains("unseen")) return false;
    }
    return true;
  };
  // Every line of text, without the space above and below its letters.
  const labels = [];
  const walk = document.createTreeWalker(document.querySelector(root), NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === "" || element.closest("title, option, noscript, script") || !seen(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const rects = element instanceof SVGElement ? [element.getBoundingClientRect()] : [...range.getClientRects()];
    for (const { left, right, top, bottom } of rects) {
      const inset = (bottom - top) * 0.18;
      if (right - left > 1) labels.push({ text: node.data.trim(), element, left: left + 0.5, right: right - 0.5, top: top + inset, bottom: bottom - inset });
    }
  }
  for (const element of document.querySelectorAll(`${root} circle`)) {
    if (!seen(element)) continue;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    labels.push({ text: `number ${element.nextElementSibling?.textContent}`, element, left: left + 1, right: right - 1, top: top + 1, bottom: bottom - 1 });
  }
  const covers = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const number = (a, b) => a.element.nextElementSibling === b.element || b.element.nextElementSibling === a.element;
  labels.forEach((a, i) => {
    for (const b of labels.slice(i + 1)) {
      if (a.element !== b.element && !number(a, b) && covers(a, b)) problems.push(`${named(a)} and ${named(b)} cover each other`);
    }
  });
  // Cut off by a box around it that cannot be scrolled, or outside the window.
  for (const label of labels) {
    let scrolls = false;
    for (let it = label.element; it && it !== document.documentElement; it = it.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(it);
      const box = it.getBoundingClientRect();
      if (["auto", "scroll"].includes(overflowX)) {
        if (it.scrollLeft === 0 && label.left < box.left - 1) problems.push(`${named(label)} is cut off at the left`);
        if (it.scrollWidth > it.clientWidth) scrolls = true;
      }
      if (["hidden", "clip"].includes(overflowX) && !scrolls && (label.left < box.left - 1 || label.right > box.right + 1)) problems.push(`${named(label)} is cut off at a side`);
      if (["hidden", "clip"].includes(overflowY) && (label.top < box.top - 1 || label.bottom > box.bottom + 1)) problems.push(`${named(label)} is cut off above or below`);
    }
    if (!scrolls && (label.left < 0 || label.right > innerWidth)) problems.push(`${named(label)} is outside the window`);
  }
  // A line of a drawing through a label.
  for (const line of document.querySelectorAll(`${root} .cycle .line`)) {
    if (!seen(line)) continue;
    const matrix = line.getScreenCTM(), length = line.getTotalLength();
    for (let at = 0; at <= length; at += 2) {
      const point = line.getPointAtLength(at).matrixTransform(matrix);
      const struck = labels.find((it) => it.element.closest(".cycle") && !(it.element instanceof SVGCircleElement) && !it.element.classList.contains("number") &&
        point.x > it.left && point.x < it.right && point.y > it.top && point.y < it.bottom);
      if (struck) { problems.push(`a line runs through ${named(struck)}`); break; }
    }
  }
  if (labels.length < 2) problems.push("there is no text");
  if (document.documentElement.scrollWidth > innerWidth) problems.push(`the page is ${document.documentElement.scrollWidth} pixels wide`);
  return [...new Set(problems)];
}

export async function layout(page, root = "main") {
  await drawn(page);
  return page.evaluate(`(${layoutOf})(${JSON.stringify(root)})`);
}
