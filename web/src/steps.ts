// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The steps of a cycle have numbers and colours, the same in sentences, arrows and the picture; the one that closes the
// cycle stands out. Pointing at a step anywhere lights it up everywhere.

const COLOURS = 7;

export const stepClass = (step: number, steps: number): string =>
  step > 0 && step + 1 === steps ? "step closing" : `step step-${step % COLOURS}`;

export function lightUp(root: HTMLElement): void {
  const light = (target: EventTarget | null, on: boolean): void => {
    const step = (target as Element | null)?.closest?.("[data-step]")?.getAttribute("data-step");
    root.classList.toggle("lighting", on && step != null);
    for (const it of root.querySelectorAll("[data-step]")) {
      it.classList.toggle("lit", on && it.getAttribute("data-step") === step);
    }
  };
  root.addEventListener("mouseover", (event) => light(event.target, true));
  root.addEventListener("mouseleave", () => light(null, false));
}
