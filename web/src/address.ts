// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// What the page shows is in the part of its address behind '#', so that links survive copying:
// #av-7f3a12c9&row=4&filter=balance&theme=dark. Only that part can be changed in a page from file://.

export const OVERVIEW = "overview";

export interface Address {
  open: string; // key of a finding or OVERVIEW; "" where nobody has chosen
  row: number; // of the table, to which the events are shown; 0 for all
  filter: string; // words that must all occur
  pattern: string; // "" for all
  block: string; // "" for all
  news: boolean; // without those that are suppressed or known
  sort: string; // "" for the order of the report
  theme: string; // "light" or "dark"; "" as the system has it
}

export const nowhere = (): Address => ({ open: "", row: 0, filter: "", pattern: "", block: "", news: false, sort: "", theme: "" });

export function addressOf(hash: string): Address {
  const parts = hash.replace(/^#/, "").split("&");
  const open = parts[0]!.includes("=") ? "" : parts.shift()!;
  const given = new URLSearchParams(parts.join("&"));
  const text = (name: string): string => given.get(name) ?? "";
  const row = Number(text("row"));
  return {
    open, row: Number.isSafeInteger(row) && row > 0 ? row : 0, filter: text("filter"), pattern: text("pattern"), block: text("block"),
    news: text("hide") === "known", sort: text("sort"), theme: ["light", "dark"].includes(text("theme")) ? text("theme") : "",
  };
}

export function hashOf(address: Address): string {
  const given = new URLSearchParams();
  const { open, row, filter, pattern, block, news, sort, theme } = address;
  if (row > 0) given.set("row", String(row));
  for (const [name, value] of Object.entries({ filter, pattern, block, sort, theme })) if (value !== "") given.set(name, value);
  if (news) given.set("hide", "known");
  const rest = given.toString();
  return `#${open}${rest && open ? "&" : ""}${rest}`;
}

// Does it only say what is open, as a link that somebody wrote by hand?
export const isBare = (hash: string): boolean => !hash.includes("=");
