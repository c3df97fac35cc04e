// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The table of events, and a way to walk through it as people do who explain such a bug to each other: one event at a
// time, with what each thread holds and has read at that moment. Locks and values move where they go.
import type { Block, Picture, Sentence } from "./data";
import { h, icon, name, type Child } from "./dom";
import { placeLink } from "./editor";
import { momentsOf, reads, writes, type Moment, type Value } from "./moments";
import { glideFrom } from "./motion";
import { stepClass } from "./steps";
import { lockHue, table } from "./table";
import { brief, place, shortName, toldVerb } from "./words";

const PACE = 1400; // milliseconds per event
const ICONS = {
  first: "M4 3v10M13 3 6.5 8l6.5 5z", back: "M11 3 4.5 8l6.5 5z", play: "M5 3l8 5-8 5z", pause: "M5 3v10M11 3v10", on: "M5 3l6.5 5L5 13z", all: "M3 4h10M3 8h10M3 12h10",
};

// One of the things that move: a lock, or a value. The same wherever it is.
function token(kind: "lock" | "value", id: string, text: Child, title: string, more = ""): HTMLElement {
  return h("span", { class: `token ${kind} ${more}`, "data-token": id, title }, text);
}

export class Player {
  readonly element: HTMLElement;
  private readonly table;
  private readonly moments: Moment[];
  private readonly stage = h("div", { class: "stage" });
  private readonly told = h("div", { class: "told", role: "status" });
  private readonly counter = h("output", { class: "counter" });
  private readonly slider: HTMLInputElement;
  private readonly play: HTMLButtonElement;
  private at = 0; // events that are shown; 0: all, and nothing moves
  private timer: ReturnType<typeof setTimeout> | undefined;

  // `moved` is told where the reader is.
  constructor(private readonly picture: Picture, private readonly predicted: boolean, private readonly moved: (row: number) => void) {
    this.table = table(picture);
    this.moments = momentsOf(picture);
    this.slider = h("input", { type: "range", min: 0, max: picture.rows.length, value: 0, "aria-label": "Event", input: () => { this.pause(); this.go(Number(this.slider.value)); } });
    this.play = h("button", { class: "play", type: "button", click: () => this.toggle() });
    const button = (kind: keyof typeof ICONS, label: string, key: string, to: () => number): HTMLElement =>
      h("button", { type: "button", title: key ? `${label} (${key})` : label, "aria-label": label, click: () => { this.pause(); this.go(to()); } }, icon(ICONS[kind]));
    this.element = h("div", { class: "player", role: "group", "aria-label": "Step through the events" },
      this.stage, this.table.element,
      h("div", { class: "controls" },
        h("div", { class: "buttons" },
          button("first", "First event", "", () => 1), button("back", "Previous event", "←", () => Math.max(this.at - 1, 0)),
          this.play, button("on", "Next event", "→", () => Math.min(this.at + 1, this.last)), button("all", "Show all events", "", () => 0),
          this.slider, this.counter),
        this.told));
    this.draw();
  }

  private get last(): number {
    return this.picture.rows.length;
  }

  // One event on or back.
  step(by: number): void {
    this.pause();
    this.go(Math.min(Math.max(this.at + by, 0), this.last));
  }

  toggle(): void {
    if (this.timer !== undefined) return this.pause();
    this.go(this.at === this.last ? 1 : this.at + 1);
    this.wait();
  }

  // Also when the page is left.
  pause(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.drawPlay();
  }

  go(to: number): void {
    const at = Math.min(to, this.last);
    if (at === this.at) return;
    const before = this.placesOfTokens();
    this.at = at;
    this.draw();
    this.fly(before);
    if (at > 0) this.element.querySelector(`.event[data-row="${at}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.moved(at);
  }

  private wait(): void {
    this.timer = setTimeout(() => {
      if (!this.element.isConnected || this.at === this.last) return this.pause();
      this.go(this.at + 1);
      this.wait();
    }, PACE);
    this.drawPlay();
  }

  private draw(): void {
    const { at } = this;
    this.element.classList.toggle("stepping", at > 0);
    this.table.show(at);
    this.slider.value = String(at);
    this.slider.setAttribute("aria-valuetext", at === 0 ? "all events" : `event ${at} of ${this.last}`);
    this.counter.textContent = at === 0 ? `${this.last} events` : `${at} of ${this.last}`;
    this.stage.replaceChildren(...(at === 0 ? [] : this.cards(this.moments[at]!)));
    this.told.replaceChildren(...(at === 0 ? [h("p", { class: "quiet" }, "Step through the events one by one: ", h("kbd", {}, "→"), " next, ", h("kbd", {}, "←"), " back, ", h("kbd", {}, "p"), " play.")] : this.narration()));
    this.drawPlay();
  }

  private drawPlay(): void {
    const playing = this.timer !== undefined;
    this.play.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.play.title = playing ? "Pause (p)" : "Play (p)";
    this.play.replaceChildren(icon(playing ? ICONS.pause : ICONS.play));
  }

  // What is where: a card per thread, and one for what they share.
  private cards(moment: Moment): HTMLElement[] {
    const current = this.picture.rows[this.at - 1]!.column;
    const threads = this.picture.columns.map((column, c) => {
      const held = [...moment.holders].filter(([, columns]) => columns.includes(c)).map(([lock]) => this.lock(lock));
      const known = [...moment.read[c]!].map(([object, value]) => {
        const old = value !== moment.values.get(object);
        return h("span", { class: `pair${old ? " old" : ""}` }, name(object, "code", 28), this.value(object, value),
          old && h("span", { class: "changed" }, "changed since"));
      });
      return h("div", { class: `card-of-thread${c === current ? " current" : ""}`, "data-column": c },
        h("p", { class: "owner" }, name(column.thread, "thread", 28), column.label ? name(column.label, "code quiet", 28) : null),
        held.length > 0 && h("p", { class: "has" }, h("span", { class: "quiet" }, "holds"), ...held),
        known.length > 0 && h("p", { class: "has" }, h("span", { class: "quiet" }, "last saw"), ...known));
    });
    const free = [...moment.holders].filter(([, columns]) => columns.length === 0).map(([lock]) => this.lock(lock));
    const values = [...moment.values].map(([object, value]) => h("span", { class: "pair" }, name(object, "code", 28), this.value(object, value, "shared")));
    const shared = h("div", { class: "card-of-thread shared" }, h("p", { class: "owner" }, h("span", { class: "thread" }, "shared")),
      values.length > 0 && h("p", { class: "has" }, h("span", { class: "quiet" }, "values"), ...values),
      free.length > 0 && h("p", { class: "has" }, h("span", { class: "quiet" }, "free locks"), ...free));
    return [...threads, shared];
  }

  private lock(lock: string): HTMLElement {
    return token("lock", `lock ${lock}`, brief(lock, 24), `lock ${brief(lock)}`, `hue-${lockHue(lock)}`);
  }

  private value(object: string, value: Value, where = "read"): HTMLElement {
    const by = value.row === null ? "as it was before these events" : `written in row ${value.row + 1} by ${brief(this.picture.columns[this.picture.rows[value.row]!.column]!.thread, 40)}`;
    return token("value", `${where} ${object}`, value.letter, `${brief(object)}: ${by}`, value.row === null ? "" : `by by-${this.picture.rows[value.row]!.column % 6}`);
  }

  private placesOfTokens(): Map<string, DOMRect> {
    const places = new Map<string, DOMRect>();
    for (const it of this.stage.querySelectorAll<HTMLElement>("[data-token]")) {
      const column = it.closest<HTMLElement>("[data-column]")?.dataset.column ?? "";
      const id = it.dataset.token!;
      places.set(id.startsWith("read ") ? `${id} ${column}` : id, it.getBoundingClientRect());
    }
    return places;
  }

  // A lock comes from where it was, what is read from where it is kept, what is written from who writes it.
  private fly(before: Map<string, DOMRect>): void {
    if (this.at === 0) return;
    const row = this.picture.rows[this.at - 1]!, object = row.object ?? "";
    const find = (id: string, inside = ""): HTMLElement | null =>
      [...this.stage.querySelectorAll<HTMLElement>(`${inside} [data-token]`)].find((it) => it.dataset.token === id) ?? null;
    const from = (id: string, element: HTMLElement | null): void => {
      const rect = before.get(id);
      if (rect && element) glideFrom(element, rect, 650);
    };
    for (const lock of this.moments[this.at]!.holders.keys()) from(`lock ${lock}`, find(`lock ${lock}`));
    const card = `[data-column="${row.column}"]`;
    if (writes(row)) {
      const writer = this.stage.querySelector<HTMLElement>(`${card} .owner`), shared = find(`shared ${object}`);
      if (writer && shared) glideFrom(shared, writer.getBoundingClientRect(), 650);
    } else if (reads(row)) {
      from(`shared ${object}`, find(`read ${object}`, card));
    }
  }

  // What the event does, and what follows from it.
  private narration(): HTMLElement[] {
    const at = this.at - 1, row = this.picture.rows[at]!, object = row.object ?? "";
    const before = this.moments[at]!, after = this.moments[at + 1]!;
    const thread = this.picture.columns[row.column]!.thread, where = place(row.location);
    const value = (it: Value): HTMLElement => h("b", { class: "letter" }, it.letter);
    const effect: Child[] = [];
    if (writes(row)) {
      effect.push(": ", value(before.values.get(object)!), this.predicted ? " becomes " : " became ", value(after.values.get(object)!));
      const known = before.read[row.column]!.get(object);
      if (known && known !== before.values.get(object)) effect.push(this.predicted ? ". What it last saw is " : ". What it last saw was ", value(known));
    } else if (reads(row)) {
      effect.push(this.predicted ? " and gets " : " and got ", value(after.values.get(object)!));
    }
    const object_shown = row.operation === undefined ? null : row.operation === "end" && !object ? " a block" : h("span", {}, " ", name(object, "code", 60));
    const event = h("p", {}, h("span", { class: "quiet" }, `${this.at}. `), name(thread, "thread", 40), ` ${toldVerb(row, this.predicted)}`, object_shown,
      where !== "" && " ", where !== "" && placeLink(where), ...effect, ".",
      row.mark && h("span", { class: "mark" }, row.mark === "opens" ? " The window opens." : " The window closes."));
    const follows = this.picture.sentences.flatMap((it, step) => (it.second.event === row.event ? [this.follows(it, step)] : []));
    return [event, ...follows];
  }

  private follows(sentence: Sentence, step: number): HTMLElement {
    const steps = this.picture.sentences.length, closes = step > 0 && step + 1 === steps;
    const who = (block: Block): Child => name(shortName(block), "code strong", 60);
    return h("p", { class: stepClass(step, steps) }, h("span", { class: "badge" }, String(step + 1)), closes ? " But so " : " So ", who(sentence.from),
      this.predicted ? " would have to come before " : " must come before ", who(sentence.to), closes ? (this.predicted ? ": no serial order would exist." : ": no serial order exists.") : ".");
  }
}
