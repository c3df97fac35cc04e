// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// The source lines that a finding speaks of, with what happened at them.
import type { Finding, Snippet } from "./data";
import { h } from "./dom";
import { placeLink } from "./editor";
import { brief, cellVerb, splitPlace, visible } from "./words";

const AROUND = 3;

interface Note {
  text: string;
  involved: boolean;
}

type Marks = Map<number, Note[]>; // by line

// Which lines of which files, and what to say of each.
function marksOf(finding: Finding): Map<string, Marks> {
  const files = new Map<string, Marks>();
  const mark = (location: string | null | undefined, note: Note): void => {
    const at = splitPlace(location);
    if (!at) return;
    const marks = files.get(at.file) ?? new Map<number, Note[]>();
    const notes = marks.get(at.line) ?? [];
    if (!notes.some((it) => it.text === note.text)) notes.push(note);
    files.set(at.file, marks.set(at.line, notes));
  };
  if (!finding.blameless) mark(finding.cause.locations.block, { text: `${brief(finding.block, 40)} begins`, involved: false });
  const { failure } = finding.cause;
  if (failure) {
    mark(finding.cause.locations.event, { text: "failed here", involved: true });
    mark(failure.freed, { text: "freed here", involved: false });
  }
  const involved = new Set(finding.picture?.sentences.flatMap((it) => [it.first.event, it.second.event]));
  finding.picture?.rows.forEach((row, i) => mark(row.location, {
    text: `${i + 1} ${brief(finding.picture!.columns[row.column]!.thread, 40)} ${cellVerb(row)} ${brief(row.object ?? "", 60)}`,
    involved: involved.has(row.event),
  }));
  return files;
}

const TOKEN = new RegExp([
  String.raw`(?<comment>\/\/.*|\/\*.*?(?:\*\/|$))`,
  String.raw`(?<string>"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?)`,
  String.raw`(?<number>\b\d[\w.']*)`,
  String.raw`(?<word>\b(?:alignas|auto|bool|break|case|catch|char|class|const|constexpr|continue|default|delete|do|double|else|enum|extern|false|float|for|if|inline|int|long|mutable|namespace|new|noexcept|nullptr|operator|private|protected|public|return|short|signed|sizeof|static|struct|switch|template|this|throw|true|try|typedef|typename|union|unsigned|using|virtual|void|volatile|while)\b)`,
  String.raw`(?<preprocessor>^\s*#\s*\w+)`,
].join("|"), "g");

function highlighted(line: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let done = 0;
  for (const match of line.matchAll(TOKEN)) {
    const kind = Object.entries(match.groups!).find(([, text]) => text !== undefined)![0];
    parts.push(line.slice(done, match.index), h("span", { class: `token-${kind}` }, match[0]));
    done = match.index + match[0].length;
  }
  parts.push(line.slice(done));
  return parts;
}

function lineOf(file: string, number: number, text: string, notes: Note[] | undefined): HTMLElement {
  const state = !notes ? "" : notes.some((it) => it.involved) ? " marked involved" : " marked";
  return h("div", { class: `line${state}`, "data-line": number },
    placeLink(`${file}:${number}`, String(number), "line-number"),
    h("span", { class: "text" }, ...highlighted(visible(text.replace(/\t/g, "    ")))),
    notes && h("span", { class: "notes" }, ...notes.map((it) => h("span", { class: it.involved ? "involved" : "" }, it.text))));
}

// Null where no file of the finding could be read when the report was written.
export function source(finding: Finding, snippets: Snippet[]): HTMLElement | null {
  const files: HTMLElement[] = [];
  for (const [file, marks] of marksOf(finding)) {
    const wanted = (line: number): boolean => [...marks.keys()].some((it) => Math.abs(it - line) <= AROUND);
    const lines: HTMLElement[] = [];
    let last = 0;
    for (const snippet of snippets.filter((it) => it.file === file)) {
      snippet.lines.forEach((text, i) => {
        const number = snippet.first + i;
        if (!wanted(number)) return;
        if (last !== 0 && number !== last + 1) lines.push(h("div", { class: "gap" }, "⋯"));
        lines.push(lineOf(file, number, text, marks.get(number)));
        last = number;
      });
    }
    if (lines.length > 0) files.push(h("figure", { class: "source" }, h("figcaption", {}, placeLink(`${file}:${Math.min(...marks.keys())}`, brief(file), "file")), h("div", { class: "lines" }, ...lines)));
  }
  return files.length === 0 ? null : h("div", {}, ...files);
}
