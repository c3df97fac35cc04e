// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Reports to open: traces, the pages that omnium makes of them, and a browser.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const need = (name) => {
  if (!process.env[name]) throw new Error(`${name} is not set; run web/test.sh`);
  return process.env[name];
};
const omnium = need("OMNIUM");
const root = need("OMNIUM_SOURCE");
const scratch = need("OMNIUM_SCRATCH");
const screenshots = `${scratch}/screenshots`;
mkdirSync(screenshots, { recursive: true });

function run(command, args, folder, environment = {}) {
  const ran = spawnSync(omnium, [command, ...args], { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28, env: { ...process.env, ...environment } });
  if (![0, 66].includes(ran.status)) throw new Error(`omnium: ${ran.status} ${ran.stderr}`);
  return ran.stdout;
}

// A page about traces; `folder` is where omnium runs, so where it looks for source files.
export function pageOf(name, traces, { command = "check", folder = scratch, args = [], environment = {} } = {}) {
  const file = `${scratch}/${name}.html`;
  run(command, ["-f", "html", "-o", file, ...args, ...traces], folder, environment);
  return file;
}

export const outputOf = (command, args) => run(command, args, scratch);

export const textOf = (trace, command = "check") => run(command, [trace], scratch);

export function write(name, text) {
  const file = `${scratch}/${name}`;
  writeFileSync(file, text);
  return file;
}

export const trace = (name, events) => write(`${name}.std`, events.map((it) => it.join("|")).join("\n") + "\n");

export const bankTrace = `${root}/examples/traces/bank.std`;
export const bank = () =>
  pageOf("bank", [bankTrace], { folder: fileURLToPath(new URL("bank", import.meta.url)) });

export const modelPage = () => pageOf("model", [`${root}/examples/models/set_add.omp`], { command: "model", folder: root });

// Long names, a lock inside another, and a block with two causes.
export function tangled() {
  const cache = "inventory::warehouse::stock_by_article_number", lock = "inventory::warehouse::mutex_of_all_articles";
  const one = (thread, ...events) => events.map((it) => [thread, it]);
  const events = [
    ...one("payment-worker-thread-2", "begin(transfer_all)", "acq(registry.mutex)", `acq(${lock})`, `r(${cache})`, `rel(${lock})`),
    ...one("reconciliation-service-17", "begin(inventory::warehouse::reconcile_every_article)", `acq(${lock})`, `w(${cache})`, `rel(${lock})`,
      "end(inventory::warehouse::reconcile_every_article)"),
    ...one("payment-worker-thread-2", `acq(${lock})`, `w(${cache})`, `rel(${lock})`, "rel(registry.mutex)", "end(transfer_all)"),
    ...one("payment-worker-thread-2", "begin(transfer_all)", "r(total)"), ...one("auditor", "w(total)"), ...one("payment-worker-thread-2", "w(total)", "end(transfer_all)")];
  return trace("tangled", events.map(([thread, event], i) => [thread, event, `source/inventory/warehouse_reconciliation.cpp:${100 + i}`]));
}

// Each of `threads` threads hands a value on to the next one; the first waits for it in one block.
export function ring(threads) {
  const events = [];
  const block = (thread, line, accesses) => {
    for (const [i, access] of accesses.entries()) events.push([`worker-${thread}`, access, `ring.cpp:${line + i}`]);
  };
  block(0, 10, ["begin(stage_0)", "w(slot_0)"]);
  for (let i = 1; i < threads; ++i) {
    block(i, 10 + 10 * i, [`begin(stage_${i})`, `r(slot_${i - 1})`, `w(slot_${i})`, `end(stage_${i})`]);
  }
  block(0, 12, [`r(slot_${threads - 1})`, "end(stage_0)"]);
  return trace(`ring-${threads}`, events);
}

// A reference count, then a lost update that was seen in two ways.
export function noise() {
  const events = [["t1", "begin(share)"], ["t1", "rmw(refs)"], ["t2", "rmw(refs)"], ["t1", "rmw(refs)"], ["t1", "end(share)"],
    ["t1", "begin(pay)"], ["t1", "r(limit)"], ["t2", "begin(move)"], ["t2", "w(limit)"], ["t2", "w(note)"], ["t2", "end(move)"],
    ["t3", "begin(deposit)"], ["t3", "r(note)"], ["t3", "w(balance)"], ["t3", "end(deposit)"], ["t1", "w(balance)"], ["t1", "end(pay)"],
    ["t1", "begin(pay)"], ["t1", "r(balance)"], ["t2", "w(balance)"], ["t1", "w(balance)"], ["t1", "end(pay)"]];
  return trace("noise", events.map(([thread, access], i) => [thread, access, `pay.cpp:${10 + i}`]));
}

// A lost update that did not happen: the other thread came later.
export const lucky = () => trace("lucky", [
  ["t1", "begin(inc)", "a.cc:1"], ["t1", "r(x)", "a.cc:2"], ["t1", "w(x)", "a.cc:3"], ["t1", "end(inc)", "a.cc:4"], ["t2", "w(x)", "b.cc:7"]]);

export function lostUpdates(count) {
  const events = [];
  for (let i = 0; i < count; ++i) {
    const add = (thread, what, line) => events.push([thread, what, `service_${i % 100}.cpp:${line + (i % 700)}`]);
    add("a", `begin(service_${i % 100}::update_${i})`, 10);
    for (const [thread, access, line] of [["a", "r", 12], ["b", "w", 42], ["a", "w", 16]]) {
      add(thread, `acq(m${i % 50})`, line - 1);
      add(thread, `${access}(table[${i}])`, line);
      add(thread, `rel(m${i % 50})`, line + 1);
    }
    add("a", `end(service_${i % 100}::update_${i})`, 20);
  }
  return trace(`lost-updates-${count}`, events);
}

export async function browser() {
  const path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
  const started = await chromium.launch({ executablePath: process.env.CHROMIUM ?? path, args: ["--no-sandbox"] });
  return {
    close: () => started.close(),
    // Opens a file; anything on the console, any error and any request but for the file itself is a problem.
    // Nothing moves unless `motion`: a page that is looked at must stand still.
    async open(file, { hash = "", width = 1440, height = 1000, dark = false, motion = false } = {}) {
      const context = await started.newContext({
        viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: motion ? "no-preference" : "reduce" });
      const page = await context.newPage();
      const problems = [];
      page.on("console", (message) => problems.push(`console: ${message.text()}`));
      page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
      page.on("dialog", (dialog) => { problems.push("dialog"); dialog.dismiss(); });
      page.on("request", (request) => {
        if (request.url().split("#")[0] !== `file://${file}`) problems.push(`request: ${request.url()}`);
      });
      await page.goto(`file://${file}${hash}`);
      return { page, problems, shot: (name) => page.screenshot({ path: `${screenshots}/${name}.png`, fullPage: width < 800 }) };
    },
  };
}
