// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// How the page looks: on phones and wide screens, light and dark, on paper, for readers who cannot see it, and as SVG.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { accessibility, drawn, layout } from "./page_checks.mjs";
import { bank, browser, lostUpdates, lucky, modelPage, noise, outputOf, pageOf, ring, tangled, write } from "./reports.mjs";

let chrome;
before(async () => { chrome = await browser(); });
after(() => chrome.close());

const ONE_FINDING = "#av-622b3423";
const CASES = {
  "overview": () => [pageOf("noise", [noise()]), "#overview"],
  "finding": () => [bank(), ONE_FINDING],
  "step": () => [bank(), `${ONE_FINDING}&row=5`],
  "predicted": () => [pageOf("lucky", [lucky()], { command: "predict" }), ""],
  "variants": () => [pageOf("noise", [noise()]), "#av-010708bc"],
  "three": () => [pageOf("ring-3", [ring(3)]), ""],
  "seven": () => [pageOf("ring-7", [ring(7)]), ""],
  "tangled": () => [pageOf("tangled", [tangled()]), "#filter=inventory", true],
};

for (const [name, of] of Object.entries(CASES)) {
  test(`${name}: nothing covers anything, nothing is cut off, and axe finds nothing`, async () => {
    const [file, hash, first] = of();
    const { page, problems, shot } = await chrome.open(file, { hash, height: 2400 });
    if (first) await page.keyboard.press("j");
    for (const width of [390, 800, 1440]) {
      await page.setViewportSize({ width, height: 2400 });
      assert.deepEqual(await layout(page), [], `${name} at ${width} pixels`);
      for (const theme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
        if (width !== 800) assert.deepEqual(await accessibility(page), [], `${name} at ${width} pixels, ${theme}`);
        await shot(`${name}-${width}-${theme}`);
      }
    }
    assert.deepEqual(problems, []);
  });
}

// The checks can fail: a page with what they look for.
test("the checks notice labels on labels, cut labels and lines through labels", async () => {
  const { page } = await chrome.open(bank(), { hash: ONE_FINDING, height: 2400 });
  const broken = async (change) => {
    await page.evaluate(change);
    const found = await layout(page);
    await page.reload();
    return found.join("\n");
  };
  assert.match(await broken(() => { document.querySelectorAll(".event")[1].style.marginLeft = "-300px"; }), /outside|cover|cut/);
  assert.match(await broken(() => { document.querySelectorAll(".cell")[1].style.gridRow = "2"; }), /cover each other/);
  assert.match(await broken(() => { document.querySelector(".line .notes").parentElement.style.height = "12px"; document.querySelector(".line").style.overflow = "hidden"; }), /cut off|cover/);
  assert.match(await broken(() => { document.querySelector(".wide .object").setAttribute("y", document.querySelector(".wide circle").getAttribute("cy")); }), /a line runs through|cover/);
  await page.evaluate(() => { document.querySelector(".lead").style.color = "#ddd"; });
  assert.match((await accessibility(page)).join("\n"), /color-contrast/);
});

test("dialogs and an empty list are accessible too", async () => {
  const { page } = await chrome.open(bank(), { hash: "#overview" });
  await page.fill("input[type=search]", "no such finding");
  assert.deepEqual(await accessibility(page), []);
  for (const button of ["Keys", "Links to an editor"]) {
    await page.click(`header [aria-label='${button}']`);
    assert.deepEqual(await accessibility(page), []);
    await page.keyboard.press("Escape");
  }
});

test("on paper every finding is open, and nothing is cut off", async () => {
  const file = pageOf("printed", [ring(7), lostUpdates(3), noise()]);
  const { page, problems, shot } = await chrome.open(file, { hash: "#overview", width: 794, height: 1100 });
  await page.emulateMedia({ media: "print" });
  await page.waitForSelector(".paper .arrow");
  assert.equal(await page.isVisible(".side"), false);
  assert.equal(await page.locator(".paper .finding").count(), 6);
  assert.equal(await page.locator(".paper .overview").count(), 1);
  assert.equal(await page.locator(".paper .grid").count(), 6);
  assert.deepEqual(await layout(page, ".paper"), []);
  await shot("paper");
  await page.emulateMedia({ media: "screen" });
  await page.waitForSelector(".paper", { state: "detached" });
  // The real thing: what the browser sends to the printer has the words of every finding.
  const pdf = await page.pdf({ format: "A4" });
  assert.ok(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g).length >= 7, "a page for the overview and one per finding at least");
  await page.waitForSelector(".paper", { state: "detached" });
  // Only what the reader has filtered.
  await page.fill("input[type=search]", "update_1");
  await page.emulateMedia({ media: "print" });
  await page.waitForSelector(".paper .finding");
  assert.equal(await page.locator(".paper .finding").count(), 1);
  assert.deepEqual(problems, []);
});

test("filter, order and theme are in the address, and a link brings them back", async () => {
  const file = pageOf("several", [ring(3), lostUpdates(30)]);
  const { page } = await chrome.open(file);
  await page.fill("input[type=search]", "update_1");
  await page.selectOption("select[aria-label=Order]", "block");
  await page.keyboard.press("Escape"); // still in the select: nothing to leave
  await page.fill("input[type=search]", "update_1");
  await page.locator("main").focus();
  await page.keyboard.press("t");
  await page.locator(".entry").first().click();
  await page.waitForSelector("article.finding");
  const { url, key } = await page.evaluate(() => ({ url: location.href, key: document.querySelector("article").dataset.key }));
  assert.match(url, /#av-[0-9a-f]+&filter=update_1&sort=block&theme=dark$/);
  const again = await chrome.open(file, { hash: url.slice(url.indexOf("#")) });
  assert.equal(await again.page.textContent(".counter"), "11 of 31 findings");
  assert.equal(await again.page.inputValue("input[type=search]"), "update_1");
  assert.equal(await again.page.inputValue("select[aria-label=Order]"), "block");
  assert.equal(await again.page.evaluate(() => document.documentElement.dataset.theme), "dark");
  assert.equal(await again.page.evaluate(() => document.querySelector("article").dataset.key), key);
  await page.goBack();
  await page.waitForSelector("article.overview");
  assert.equal(await page.textContent(".counter"), "11 of 31 findings");
});

test("a lone finding opens at once, and the overview can be reached", async () => {
  const { page } = await chrome.open(bank());
  assert.equal(await page.textContent("h1"), "lost update on account.balance");
  assert.match(page.url(), /#av-622b3423$/);
  await page.click(".to-overview");
  await page.waitForSelector("article.overview");
  await page.reload();
  assert.equal(await page.textContent("h1"), "1 finding");
  const several = await chrome.open(pageOf("noise", [noise()]));
  assert.equal(await several.page.textContent("h1"), "2 findings");
});

test("findings are grouped by block, in natural order", async () => {
  const { page } = await chrome.open(pageOf("grouped", [tangled(), lostUpdates(12)]), { hash: "#sort=block" });
  const groups = await page.locator(".list [role=group]").evaluateAll((all) => all.map((it) => [it.ariaLabel, it.querySelectorAll(".entry").length]));
  assert.deepEqual(groups.slice(0, 3), [["service_0::update_0", 1], ["service_1::update_1", 1], ["service_2::update_2", 1]]);
  assert.deepEqual(groups.at(-1), ["transfer_all", 2]);
  assert.equal(groups.findIndex(([it]) => it === "service_10::update_10"), 10);
});

test("places are links into an editor of the reader's choice", async () => {
  const { page } = await chrome.open(bank(), { hash: ONE_FINDING });
  const link = () => page.getAttribute(".line[data-line='44'] .line-number", "href");
  assert.match(await link(), /^vscode:\/\/file\/.*\/test\/bank\/bank\.cpp:44$/);
  assert.match(await page.getAttribute(".because .place", "href"), /bank\.cpp:44$/);
  const choose = async (template, folder) => {
    await page.click("[aria-label='Links to an editor']");
    await page.fill("#editor-template", template);
    await page.fill("#editor-folder", folder);
    await page.click(".settings button");
  };
  await choose("clion://open?file={path}&line={line}", "/home/me/my bank");
  assert.equal(await link(), "clion://open?file=/home/me/my%20bank/bank.cpp&line=44");
  await choose("javascript:alert(1)//{path}{line}", "");
  assert.equal(await page.locator("a.in-editor").count(), 0);
  const named = pageOf("editor", [lucky()], { command: "predict", environment: { OMNIUM_EDITOR: "zed://file{path}:{line}" } });
  assert.ok(readFileSync(named, "utf8").includes('"editor":"zed://file{path}:{line}"'));
});

test("a model's run has the lines of the model", async () => {
  const { page, problems, shot } = await chrome.open(modelPage(), { height: 1600 });
  assert.ok(await page.locator(".line.marked.involved").count() >= 2);
  assert.deepEqual(await layout(page), []);
  await shot("model");
  assert.deepEqual(problems, []);
});

test("a merged result lists its runs, and a finding says in which of them it was seen", async () => {
  const stored = ["a", "b"].map((it) => write(`${it}.json`, outputOf("check", ["-f", "json", lostUpdates(it === "a" ? 2 : 1)])));
  const { page, problems, shot } = await chrome.open(pageOf("merged", stored, { command: "merge" }), { height: 1500 });
  assert.equal(await page.locator("h2", { hasText: "Runs" }).count(), 1);
  assert.equal(await page.locator(".plain tbody tr").count(), 2);
  await shot("merged-overview");
  await page.locator(".entry").first().click();
  await page.waitForSelector("article.finding");
  assert.match(await page.textContent(".remedies"), /Seen in 2 of 2 runs/);
  assert.deepEqual(await layout(page), []);
  assert.deepEqual(problems, []);
});

test("what a hunt found says how, and has the line that runs it again", async () => {
  const result = JSON.parse(outputOf("check", ["-f", "json", lostUpdates(1)]));
  result.causes[0].found_by = "Found in run 7 of 40 (perturbed, seed 7), again in 10 of 10 replays. To run it again: omnium replay 'my hunts/av-1.omh'";
  const { page, problems, shot } = await chrome.open(pageOf("hunted", [write("hunted.json", JSON.stringify(result))], { command: "report" }), { height: 1500 });
  const [said, line] = [page.locator(".paste .quiet", { hasText: "Found in run 7 of 40" }), page.locator(".paste code", { hasText: "omnium replay" })];
  assert.equal(await said.textContent(), "Found in run 7 of 40 (perturbed, seed 7), again in 10 of 10 replays. To run it again:");
  assert.equal(await line.textContent(), "omnium replay 'my hunts/av-1.omh'");
  assert.deepEqual(await layout(page), []);
  await shot("hunted");
  assert.deepEqual(problems, []);
});

test("a stored result gives the same page", () => {
  const stored = write("stored.json", outputOf("check", ["-f", "json", noise()]));
  const without = (file) => readFileSync(file, "utf8").replace(/"(seconds|peak_bytes)":[^,}]*/g, "");
  assert.ok(without(pageOf("stored", [stored], { command: "report" })) === without(pageOf("direct", [noise()])));
});

test("an SVG report has the drawing of the page, and no line runs through a label", async () => {
  for (const [name, trace] of [["two", lostUpdates(2)], ["three", ring(3)], ["eight", ring(8)]]) {
    const file = write(`${name}.svg`, outputOf("check", ["-f", "svg", trace]));
    const { page, problems, shot } = await chrome.open(file, { height: 1400 });
    assert.deepEqual(await layout(page, "svg"), [], name);
    await shot(`svg-${name}`);
    const edges = await page.locator(".cycle .line").evaluateAll((all) => all.map((it) => it.getAttribute("d")));
    const inPage = await chrome.open(pageOf(`svg-${name}`, [trace]), { height: 1400 });
    await inPage.page.keyboard.press("j");
    await drawn(inPage.page);
    const drawing = await inPage.page.locator(".wide .line").evaluateAll((all) => all.map((it) => it.getAttribute("d")));
    assert.ok(drawing.length >= 2);
    assert.deepEqual(edges.slice(0, drawing.length), drawing);
    assert.deepEqual(problems, []);
  }
});
