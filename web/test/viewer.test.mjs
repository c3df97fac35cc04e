// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { drawn } from "./page_checks.mjs";
import { bank, bankTrace, browser, lostUpdates, lucky, noise, pageOf, ring, textOf, trace, write } from "./reports.mjs";

let chrome;
before(async () => { chrome = await browser(); });
after(() => chrome.close());

const texts = (page, selector) => page.locator(selector).allTextContents();

// The page follows a click a moment later.
async function openEntry(page, entry) {
  const key = await entry.getAttribute("data-key");
  await entry.click();
  await page.waitForFunction((it) => document.querySelector("article").dataset.key === it, key);
}

test("the overview tells the verdict and how often blocks ran", async () => {
  const { page, problems, shot } = await chrome.open(bank(), { hash: "#overview" });
  assert.equal(await page.textContent("h1"), "1 finding");
  assert.deepEqual(await texts(page, ".bars .bar[data-label=transfer] .number"), ["1 of 1 run"]);
  assert.deepEqual(await texts(page, ".bars .bar[data-label=deposit] .number"), ["2 runs"]);
  await shot("overview-light");
  assert.deepEqual(problems, []);
});

test("a link leads to its finding, and the id is the one of the other formats", async () => {
  const { page, problems, shot } = await chrome.open(bank(), { hash: "#av-622b3423", height: 1900 });
  assert.equal(await page.textContent("h1"), "lost update on account.balance");
  assert.match(await page.textContent(".lead"), /^transfer bank\.cpp:42 was not atomic: deposit \(worker-5\) interfered\.$/);
  assert.deepEqual(await texts(page, ".claim"), [
    "transfer (worker-2) must come before deposit (worker-5)", "but deposit (worker-5) must come before transfer (worker-2)"]);
  assert.deepEqual(await texts(page, ".because"), [
    "worker-2 read account.balance bank.cpp:44, then worker-5 wrote it bank.cpp:71",
    "worker-5 wrote account.balance bank.cpp:71, then worker-2 wrote it bank.cpp:55"]);
  assert.deepEqual(await texts(page, ".paste code"), ["not-atomic transfer", "suppress av-622b3423 because REASON"]);
  assert.match(await page.textContent(".remedies"), /Every access held account\.mutex.*hold account\.mutex from bank\.cpp:44 to bank\.cpp:55/);
  assert.equal(await page.getAttribute(".entry[data-key=av-622b3423]", "aria-selected"), "true");
  await shot("finding-light");
  assert.deepEqual(problems, []);
});

test("the page tells a finding in the words of the text report", async () => {
  const plain = (text) => text.replace(/[(),:\s]+/g, " ").trim();
  const rings = ring(7);
  for (const [file, of] of [[bank(), bankTrace], [pageOf("ring-words", [rings]), rings]]) {
    const told = plain(textOf(of));
    const { page } = await chrome.open(file);
    const said = [...await texts(page, "h1"), ...await texts(page, ".claim"), ...await texts(page, ".because")];
    assert.ok(said.length >= 5, said);
    for (const it of said) assert.ok(told.includes(plain(it)), `'${plain(it)}' is not in '${told}'`);
    const cells = await page.locator(".event").evaluateAll((all) => all.map((it) => [it.children[0].textContent, it.children[1].textContent].join(" ")));
    for (const cell of cells) assert.ok(told.includes(cell), `'${cell}' is not in '${told}'`);
  }
});

test("what is probably harmless comes last, says so, and has the remarks of the text report", async () => {
  const traces = noise();
  const { page, problems, shot } = await chrome.open(pageOf("noise", [traces]), { height: 1500 });
  assert.match(await page.textContent(".verdict p"), /1 finding is probably harmless and comes last\.$/);
  assert.deepEqual(await texts(page, ".entry .what"), ["lost update on balance", "dirty write on refs"]);
  assert.deepEqual(await texts(page, ".entry .done"), ["reference count"]);
  const told = textOf(traces).replace(/\s+/g, " ");
  await openEntry(page, page.locator(".entry").nth(0));
  assert.match(told, /Also seen: cycle of 3 transactions with move and deposit \(once\)\./);
  assert.deepEqual(await page.locator(".variants tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((it) => it.textContent))),
    [["lost update (shown above)", "code outside any block", "1"], ["cycle of 3 transactions", "move and deposit", "1"]]);
  await shot("noise-0");
  await openEntry(page, page.locator(".entry").nth(1));
  const said = await texts(page, ".remedies p");
  assert.ok(said.some((it) => it.startsWith("Looks like a reference count: ")), said);
  for (const it of said) assert.ok(told.includes(it), `'${it}' is not in '${told}'`);
  await shot("noise-1");
  assert.deepEqual(problems, []);
});

test("what did not happen is told in the conditional, in the words of the text report", async () => {
  const plain = (text) => text.replace(/[(),:\s]+/g, " ").trim();
  const told = plain(textOf(lucky(), "predict"));
  const { page, problems, shot } = await chrome.open(pageOf("lucky", [lucky()], { command: "predict" }), { hash: "#overview", height: 1700 });
  assert.equal(await page.textContent("h1"), "1 finding could happen");
  assert.match(await page.textContent(".entry .grade"), /^could happen: (certain|possible)$/);
  await shot("predicted-overview");
  await openEntry(page, page.locator(".entry").first());
  assert.match(await page.textContent(".kind"), /^Could happen \((certain|possible)\).*in 1 transaction/);
  assert.match(await page.textContent(".lead"), /^inc a\.cc:1 could be interrupted by t2 \(outside any block\)\.$/);
  for (const it of [...await texts(page, ".claim"), ...await texts(page, ".because")]) {
    assert.ok(told.includes(plain(it)), `'${plain(it)}' is not in '${told}'`);
  }
  assert.match(await page.textContent(".remedies"), /^(Certain: the program can do this|Possible: t2 reads x)/);
  assert.doesNotMatch(await page.textContent("main"), /was not atomic|interfered|wrote|seen|What happened|confirmed/);
  await shot("predicted-finding");
  assert.deepEqual(problems, []);
});

test("a page about what happened has nothing in the conditional", async () => {
  const { page } = await chrome.open(bank(), { hash: "#av-622b3423" });
  assert.doesNotMatch(await page.textContent("main"), /could|would/i);
  assert.equal(await page.locator(".grade").count(), 0);
});

test("an unknown link says so and shows the overview", async () => {
  assert.match(await (await chrome.open(bank(), { hash: "#%" })).page.textContent("[role=alert]"), /Finding % is not in this report/);
  const { page } = await chrome.open(bank(), { hash: "#av-00000000" });
  assert.match(await page.textContent("[role=alert]"), /Finding av-00000000 is not in this report/);
  assert.equal(await page.locator(".overview").count(), 1);
});

// Which events an arrow really touches, from where its ends are on the screen.
const ends = (page) => page.evaluate(() => [...document.querySelectorAll(".arrow .line")].map((line) => {
  const origin = line.ownerSVGElement.getBoundingClientRect();
  const near = (point) => {
    const x = origin.left + point.x, y = origin.top + point.y;
    const chip = [...document.querySelectorAll(".event")].find((it) => {
      const box = it.getBoundingClientRect();
      return y >= box.top && y <= box.bottom && x >= box.left - 12 && x <= box.right + 12;
    });
    return chip ? Number(chip.dataset.row) : null;
  };
  return [near(line.getPointAtLength(0)), near(line.getPointAtLength(line.getTotalLength()))];
}));

test("arrows join the right rows, also after the window became narrower", async () => {
  const { page } = await chrome.open(bank(), { hash: "#av-622b3423" });
  await page.waitForSelector(".arrow");
  assert.deepEqual(await ends(page), [[2, 5], [5, 8]]);
  await page.setViewportSize({ width: 1000, height: 900 });
  await drawn(page);
  assert.deepEqual(await ends(page), [[2, 5], [5, 8]]);
});

// The rows beside each bar.
const heldRows = (page) => page.evaluate(() => [...document.querySelectorAll(".hold")].map((bar) => {
    const box = bar.getBoundingClientRect();
    return [...document.querySelectorAll(".event")].filter((it) => {
      const other = it.getBoundingClientRect(), middle = (other.top + other.bottom) / 2;
      return middle > box.top && middle < box.bottom && Math.abs(other.left - box.left) < 40;
    }).map((it) => Number(it.dataset.row));
  }));

test("locks are bars from where they are taken to where they are released", async () => {
  const { page } = await chrome.open(bank(), { hash: "#av-622b3423" });
  assert.deepEqual(await heldRows(page), [[1, 2, 3], [7, 8], [4, 5, 6]]);
});

test("shared sides and waits are where bars begin and end, too", async () => {
  const events = [["t1", "begin(get)"], ["t1", "racq(m)"], ["t1", "r(x)"], ["t1", "rrel(m)"], ["t2", "acq(m)"], ["t2", "w(x)"], ["t2", "rel(m)"],
    ["t1", "racq(m)"], ["t1", "r(x)"], ["t1", "rrel(m)"], ["t1", "end(get)"],
    ["t1", "begin(hand)"], ["t1", "acq(n)"], ["t1", "w(y)"], ["t1", "wait(n)"], ["t2", "acq(n)"], ["t2", "w(y)"], ["t2", "rel(n)"],
    ["t1", "resume(n)"], ["t1", "w(y)"], ["t1", "rel(n)"], ["t1", "end(hand)"]];
  const file = pageOf("sides", [trace("sides", events.map(([thread, event], i) => [thread, event, `get.cpp:${10 + i}`]))], { args: ["--waits", "keep"] });
  const { page, shot } = await chrome.open(file);
  for (const at of [0, 1]) {
    await openEntry(page, page.locator(".entry").nth(at));
    assert.deepEqual(await heldRows(page), [[1, 2, 3], [7, 8], [4, 5, 6]]);
    await shot(`sides-${at}`);
  }
});

test("source lines are shown with what happened there", async () => {
  const { page } = await chrome.open(bank(), { hash: "#av-622b3423" });
  assert.match(await page.textContent(".line[data-line='44']"), /long before = account\.balance;2 worker-2 read account\.balance/);
  assert.equal(await page.locator(".line.marked.involved").count(), 3);
});

test("no source is taken from files that are not source files", () => {
  const secret = trace("secret", [
    ["a", "begin(f)", "/etc/passwd:1"], ["a", "r(x)", "/etc/passwd:1"], ["b", "w(x)", "/etc/passwd:2"], ["a", "w(x)", "/etc/hostname:1"]]);
  assert.match(readFileSync(pageOf("secret", [secret]), "utf8"), /"sources":\[\]/);
});

test("three, eight and twelve threads", async () => {
  for (const threads of [3, 8, 12]) {
    const { page, problems, shot } = await chrome.open(pageOf(`ring-${threads}`, [ring(threads)]), { height: 2600 });
    await page.waitForSelector(".arrow");
    assert.equal(await page.textContent("h1").then((it) => it.startsWith(`cycle of ${threads} transactions on slot_0`)), true);
    assert.deepEqual(await ends(page), Array.from({ length: threads }, (_, i) => [2 * i + 1, 2 * i + 2]));
    assert.equal(await page.locator(".wide .cycle .box").count(), threads);
    assert.equal(await page.locator(".wide .cycle .box.blamed").count(), 1);
    assert.equal(await page.locator(".wide .cycle .edge.closing").count(), 1);
    await shot(`threads-${threads}`);
    assert.deepEqual(problems, []);
  }
});

test("a cycle without a block to blame has a page too", async () => {
  const blameless = trace("no-blame", [
    ["t1", "begin(a)", "x.cc:1"], ["t2", "begin(b)", "x.cc:2"], ["t1", "w(x)", "x.cc:3"], ["t2", "w(y)", "x.cc:4"],
    ["t1", "r(y)", "x.cc:5"], ["t2", "r(x)", "x.cc:6"], ["t1", "end(a)", "x.cc:7"], ["t2", "end(b)", "x.cc:8"]]);
  const { page, problems } = await chrome.open(pageOf("no-blame", [blameless]), {});
  assert.match(page.url(), /#ns-[0-9a-f]+$/);
  assert.equal(await page.textContent("h1"), "cycle of 2 transactions on y and x");
  assert.match(await page.textContent(".lead"), /b \(t2\) → a \(t1\) → b \(t2\)$/);
  assert.equal(await page.locator(".cycle .box.blamed").count(), 0);
  assert.deepEqual(problems, []);
});

test("a serializable trace says so", async () => {
  const fine = trace("fine", [["t1", "begin(a)", "-"], ["t1", "w(x)", "-"], ["t1", "end(a)", "-"]]);
  const { page, problems } = await chrome.open(pageOf("fine", [fine]));
  assert.equal(await page.textContent("h1"), "Serializable");
  assert.equal(await page.textContent(".counter"), "0 findings");
  assert.deepEqual(problems, []);
});

test("what nobody counted is not shown", async () => {
  const file = write("uncounted.html", readFileSync(bank(), "utf8").replace(/"(events|variables|locks|transactions)":\d+/g, '"$1":null'));
  const { page, problems } = await chrome.open(file, { hash: "#overview" });
  assert.deepEqual(await texts(page, ".tiles dt"), ["violation", "cause", "blocks", "threads"]);
  assert.deepEqual(problems, []);
});

test("filter, patterns, order and bars narrow the list", async () => {
  const { page, problems, shot } = await chrome.open(pageOf("several", [ring(3), lostUpdates(300)]));
  assert.equal(await page.textContent(".counter"), "301 findings");
  await page.keyboard.press("/");
  await page.keyboard.type("update_7 table[77]");
  assert.equal(await page.textContent(".counter"), "1 of 301 findings");
  assert.deepEqual(await texts(page, ".group-head .code"), ["service_77::update_77"]);
  await page.keyboard.press("Escape");
  assert.equal(await page.textContent(".counter"), "301 findings");
  await page.selectOption("select[aria-label=Pattern]", "cycle of 3 transactions");
  assert.deepEqual(await texts(page, ".group-head .code"), ["stage_0"]);
  await page.selectOption("select[aria-label=Pattern]", "");
  await page.selectOption("select[aria-label=Order]", "block");
  const natural = [...Array(5)].map((_, i) => [0, 100, 200].map((it) => `service_${i}::update_${i + it}`)).flat();
  assert.deepEqual((await texts(page, ".group-head .code")).slice(0, 9), natural.slice(0, 9));
  await page.click(".bar[data-label='service_2::update_2']");
  assert.equal(await page.textContent(".counter"), "1 of 301 findings");
  await page.click(".chip");
  assert.equal(await page.textContent(".counter"), "301 findings");
  await shot("several");
  assert.deepEqual(problems, []);
});

test("what several traces have is listed once; what is suppressed is marked and can be hidden", async () => {
  const suppressions = write("known.supp", "suppress block stage_0 because it only draws\n");
  const { page, problems } = await chrome.open(
    pageOf("again", [lostUpdates(2), lostUpdates(2), ring(3)], { args: ["--suppressions", suppressions] }));
  assert.equal(await page.textContent(".counter"), "3 findings");
  assert.deepEqual(await texts(page, ".entry .times"), ["×2", "×2"]);
  assert.deepEqual(await texts(page, ".entry .done"), ["suppressed"]);
  await page.click(".chip");
  assert.equal(await page.textContent(".counter"), "2 of 3 findings");
  await page.keyboard.press("j");
  assert.match(await page.textContent(".kind"), /seen 2 times.*and 1 more trace/);
  await page.click(".chip");
  await openEntry(page, page.locator(".entry:has(.done)"));
  assert.match(await page.textContent(".remedies"), /Suppressed: it only draws/);
  assert.deepEqual(problems, []);
});

test("when everything is suppressed, the overview says so", async () => {
  const suppressions = write("all.supp", "suppress block * because this is a test\n");
  const { page } = await chrome.open(pageOf("suppressed", [ring(3)], { args: ["--suppressions", suppressions] }));
  assert.equal(await page.textContent("h1"), "Nothing new");
  assert.match(await page.textContent(".verdict p"), /^1 finding, all suppressed or in the baseline/);
});

test("everything can be reached with the keyboard", async () => {
  const { page } = await chrome.open(pageOf("keys", [lostUpdates(30)]));
  const open = () => page.evaluate(() => document.querySelector("article").dataset.key ?? "overview");
  const order = await page.evaluate(() => [...document.querySelectorAll(".entry")].map((it) => it.dataset.key));
  await page.keyboard.press("j");
  assert.equal(await open(), order[0]);
  await page.keyboard.press("j");
  assert.equal(await open(), order[1]);
  await page.keyboard.press("k");
  assert.equal(await open(), order[0]);
  await page.focus(".list");
  await page.keyboard.press("End");
  assert.match(await page.textContent(".lead"), /update_29/);
  assert.equal(await page.locator(".entry[aria-selected=true]").count(), 1);
  await page.keyboard.press("o");
  assert.equal(await open(), "overview");
  await page.keyboard.press("?");
  assert.equal(await page.locator("dialog[open]").count(), 1);
});

const LONG = "n".repeat(10000);
const HOSTILE = [
  "<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "<!--<script>", "\"'`&quot;<b>", "\u2028\u202e\u0007rtl", LONG,
];

test("names from the trace are only ever text", async () => {
  for (const [i, name] of HOSTILE.entries()) {
    const file = trace(`hostile-${i}`, [
      [`t${name}`, `begin(f${name})`, `p${name}:1`], [`t${name}`, `r(x${name})`, `p${name}:2`], [`u${name}`, `w(x${name})`, `p${name}:3`],
      [`t${name}`, `w(x${name})`, `p${name}:4`], [`t${name}`, `end(f${name})`, `p${name}:5`]]);
    const { page, problems, shot } = await chrome.open(pageOf(`hostile-${i}`, [file]));
    await page.waitForSelector(".arrow");
    assert.deepEqual(problems, [], name.slice(0, 40));
    assert.equal(await page.locator("img, main script, main b").count(), 0);
    assert.equal((await page.textContent(".lead")).includes("\u202e"), false);
    if (name.startsWith("<script>")) assert.match(await page.textContent(".lead"), /^f<script>alert\(1\)<\/script>/);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page stays inside the window");
    await shot(`hostile-${i}`);
  }
});

// Time of the processor that the page took so far: what others do meanwhile does not count.
async function cpuOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find((it) => it.name === "TaskDuration").value;
  };
}

test("ten thousand findings need less than five seconds of a busy processor", async () => {
  const file = pageOf("many", [lostUpdates(10000)]);
  const { page, problems, shot } = await chrome.open(file);
  const spent = await cpuOf(page);
  const before = await spent();
  await page.reload();
  assert.equal(await page.textContent(".counter"), "10,000 findings");
  const opened = await spent();
  assert.ok(opened - before < 5, `${opened - before} s`);
  await page.fill("input[type=search]", "update_9999");
  assert.equal(await page.textContent(".counter"), "1 of 10,000 findings");
  const typed = await spent() - opened;
  assert.ok(typed < 1, `${typed} s`);
  assert.ok((await page.locator(".entry").count()) < 60);
  await page.keyboard.press("Escape");
  await shot("many");
  assert.deepEqual(problems, []);
});

test("dark and narrow", async () => {
  const dark = await chrome.open(bank(), { dark: true, hash: "#av-622b3423", height: 1900 });
  assert.notEqual(await dark.page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(246, 246, 243)");
  await dark.shot("finding-dark");
  await dark.page.keyboard.press("t");
  assert.equal(await dark.page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(246, 246, 243)");
  const narrow = await chrome.open(bank(), { width: 400, height: 800, hash: "#av-622b3423" });
  assert.ok(await narrow.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await narrow.shot("finding-narrow");
});

test("nothing from outside can be loaded", async () => {
  const { page } = await chrome.open(bank());
  const refused = await page.evaluate(() => new Promise((resolve) => {
    document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective), { once: true });
    const image = new Image();
    image.src = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
    image.onload = () => resolve("nothing");
  }));
  assert.equal(refused, "img-src");
});

test("a program that failed has its own entry: what happened, where, who waits, its output, and how to run it again", async () => {
  const cause = {
    id: "fl-0123abcd", pattern: "use after free", objects: [], block: { thread: "", label: "use_it", begin: null }, count: 4, blamed: true,
    locations: { event: "bank.cpp:9" },
    failure: { what: "use after free: read at bank.cpp:9 in use_it", freed: "bank.cpp:4", output: ["first", "<last>"],
      waits: [{ thread: "thread 1", lock: "left", held_by: "thread 2" }] },
    found_by: "Found in run 3, again in 5 of 5 replays. To run it again: omnium replay failure-1.omh",
  };
  const stored = write("failed.json", JSON.stringify({
    tool: "omnium", version: "0", trace: { path: "./bank", events: null, threads: 2, blocks: 0 }, engine: "reach", conflicts: "data", waits: "split",
    serializable: null, violations: [], causes: [cause], cycle: null, seconds: 1, peak_bytes: 0,
  }));
  const { page, problems, shot } = await chrome.open(pageOf("failed", [stored], { command: "report" }), { hash: "#fl-0123abcd" });
  assert.equal(await page.textContent("h1"), cause.failure.what);
  assert.match(await page.textContent(".kind"), /^Program failed: use after free/);
  assert.match(await page.textContent(".lead"), /^The program failed in use_it bank\.cpp:9\. The memory was freed at bank\.cpp:4\.$/);
  assert.deepEqual(await texts(page, ".finding pre"), ["first\n<last>"]);
  assert.deepEqual(await texts(page, ".finding ul li"), ["thread 1 waits for left, which thread 2 holds"]);
  assert.deepEqual(await texts(page, ".paste code"), ["omnium replay failure-1.omh", "suppress fl-0123abcd because REASON"]);
  assert.ok(!/atomic|witness/.test(await page.textContent("article")), await page.textContent("article"));
  await shot("failed");
  await page.evaluate(() => { location.hash = "#overview"; });
  await page.waitForSelector(".overview");
  assert.equal(await page.textContent(".verdict h1"), "1 finding");
  assert.equal(await page.textContent(".verdict p"), "The program failed in some interleavings.");
  assert.deepEqual(problems, []);
});
