// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Things that change their place or size do so in a moment that the eye can follow, unless the reader wants no motion.

const TIME = 320; // milliseconds

export const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

// Plays the way from where something was to where it is now.
export function glideFrom(element: HTMLElement, before: DOMRect, time = TIME): void {
  const after = element.getBoundingClientRect();
  if (still() || before.height === 0 || after.height === 0) return;
  const dx = before.left - after.left, dy = before.top - after.top, scale = before.height / after.height;
  if (Math.abs(dx) + Math.abs(dy) < 1 && Math.abs(scale - 1) < 0.01) return;
  element.animate([{ transformOrigin: "top left", transform: `translate(${dx}px, ${dy}px) scaleY(${scale})` }, { transformOrigin: "top left", transform: "none" }],
    { duration: time, easing: "ease-in-out" });
}

export function glide(element: HTMLElement, change: () => void): void {
  const before = element.getBoundingClientRect();
  change();
  glideFrom(element, before);
}
