// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Places in source files are links into an editor: which one, and where the files are, is the reader's choice and stays
// in the browser.
import { h } from "./dom";
import { brief, splitPlace, visible } from "./words";

// {path} begins with a slash.
const EDITORS: Record<string, string> = {
  "VS Code": "vscode://file{path}:{line}",
  "VSCodium": "vscodium://file{path}:{line}",
  "Cursor": "cursor://file{path}:{line}",
  "Zed": "zed://file{path}:{line}",
  "CLion": "clion://open?file={path}&line={line}",
  "none": "",
};
const STORED = "omnium-editor";

interface Choice {
  template: string;
  folder: string; // of files with relative names; "": where they were when the report was written
}

let choice: Choice = { template: "", folder: "" };
let files = new Map<string, string>();

// A template of an editor's own scheme; nothing that a browser would run or open itself.
function isSafe(template: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(template)?.[1]?.toLowerCase();
  return scheme !== undefined && !["javascript", "data", "vbscript", "blob", "about"].includes(scheme);
}

function stored(): Partial<Choice> {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? "{}") as Partial<Choice>;
  } catch {
    return {}; // A browser may keep nothing for pages from files.
  }
}

// Must be called before anything else of this file. `found`: absolute paths of the files that the report shows.
export function useEditor(template: string, found: Record<string, string>): void {
  choice = { template: EDITORS[template] ?? template, folder: "", ...stored() };
  files = new Map(Object.entries(found));
}

function pathOf(file: string): string | null {
  if (file.startsWith("/")) return file;
  if (choice.folder !== "") return `${choice.folder.replace(/\/+$/, "")}/${file}`;
  return files.get(file) ?? null;
}

// null where it is not known which file that is.
function linkOf(location: string): string | null {
  const at = splitPlace(location);
  const path = at && pathOf(at.file);
  if (!path || !isSafe(choice.template)) return null;
  const encoded = (path.startsWith("/") ? path : `/${path}`).split("/").map(encodeURIComponent).join("/");
  return choice.template.replaceAll("{path}", encoded).replaceAll("{line}", String(at.line));
}

// A place, as `text` if that is shorter; it opens the editor where that is possible.
export function placeLink(location: string, text = brief(location, 80), kind = "place"): HTMLElement {
  const href = linkOf(location);
  const whole = visible(location).slice(0, 4000);
  if (!href) return h("span", { class: kind, title: text === whole ? null : whole }, text);
  return h("a", { class: `${kind} in-editor`, href, title: `Open ${whole} in the editor` }, text);
}

// The dialog in which it is chosen.
export function editorDialog(changed: () => void): HTMLDialogElement {
  const known = Object.entries(EDITORS);
  const custom = h("input", { id: "editor-template", type: "text", spellcheck: "false", value: choice.template });
  const names = h("select", { id: "editor-name", change: () => { custom.value = EDITORS[names.value] ?? custom.value; } },
    ...known.map(([name, template]) => h("option", { value: name, selected: template === choice.template }, name)),
    h("option", { value: "", selected: !known.some(([, it]) => it === choice.template) }, "another"));
  const folder = h("input", { id: "editor-folder", type: "text", spellcheck: "false", value: choice.folder, placeholder: "where they were when the report was written" });
  custom.addEventListener("input", () => { names.value = known.find(([, it]) => it === custom.value)?.[0] ?? ""; });
  const save = (): void => {
    choice = { template: custom.value.trim(), folder: folder.value.trim() };
    try {
      localStorage.setItem(STORED, JSON.stringify(choice));
    } catch { /* It holds for this visit. */ }
    changed();
  };
  const field = (element: HTMLElement, label: string): HTMLElement => h("p", {}, h("label", { for: element.id }, label), element);
  return h("dialog", { class: "settings", "aria-labelledby": "editor-title" }, h("h2", { id: "editor-title" }, "Links to source lines"),
    h("form", { method: "dialog", submit: save },
      field(names, "Editor"), field(custom, "Link, with {path} and {line}"), field(folder, "Folder of the source files"),
      h("button", {}, "Use")));
}
