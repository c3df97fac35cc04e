// SPDX-FileCopyrightText: The Omnium authors
// SPDX-License-Identifier: Apache-2.0
// Stepping through the events of a finding.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bank, browser, lucky, pageOf } from "./reports.mjs";

let chrome;
before(async () => { chrome = await browser(); });
after(() => chrome.close());

const FINDING = "#av-622b3423";
const told = (page) => page.locator(".told p").allTextContents();
const cards = (page) => page.locator(".card-of-thread").evaluateAll((all) => all.map((it) => it.innerText.replace(/\s+/g, " ").trim()));
const toCome = (page) => page.locator(".row.to-come").evaluateAll((all) => all.map((it) => Number(it.dataset.at)));

test("one event at a time: what it does, who holds the lock, and who saw which value", async () => {
  const { page, problems, shot } = await chrome.open(bank(), { hash: FINDING, height: 1400 });
  assert.equal(await page.locator(".card-of-thread").count(), 0);
  const seen = [];
  for (let row = 1; row <= 8; ++row) {
    await page.keyboard.press("ArrowRight");
    assert.deepEqual(await toCome(page), [2, 3, 4, 5, 6, 7, 8].filter((it) => it > row));
    assert.equal(await page.textContent(".buttons .counter"), `${row} of 8`);
    seen.push([await told(page), await cards(page)]);
    if (row === 5) await shot("step-5");
  }
  assert.deepEqual(seen[0], [["1. worker-2 locked account.mutex bank.cpp:43."],
    ["worker-2 transfer holds account.mutex", "worker-5 deposit", "shared values account.balance A"]]);
  assert.deepEqual(seen[1][0], ["2. worker-2 read account.balance bank.cpp:44 and got A."]);
  assert.deepEqual(seen[2][1], ["worker-2 transfer last saw account.balance A", "worker-5 deposit", "shared values account.balance A free locks account.mutex"]);
  assert.match(seen[2][0][0], /The window opens\.$/);
  assert.deepEqual(seen[4], [["5. worker-5 wrote account.balance bank.cpp:71: A became B.", "1 So transfer must come before deposit."],
    ["worker-2 transfer last saw account.balance A changed since", "worker-5 deposit holds account.mutex last saw account.balance B", "shared values account.balance B"]]);
  assert.deepEqual(seen[7][0], ["8. worker-2 wrote account.balance bank.cpp:55: B became C. What it last saw was A. The window closes.",
    "2 But so deposit must come before transfer: no serial order exists."]);
  assert.match(page.url(), /#av-622b3423&row=8$/);
  await page.keyboard.press("ArrowLeft");
  assert.deepEqual(await toCome(page), [8]);
  assert.deepEqual(problems, []);
});

test("bars of locks end where the reader is, and arrows come with their second event", async () => {
  const { page } = await chrome.open(bank(), { hash: `${FINDING}&row=2`, height: 1400 });
  await page.waitForSelector(".arrow");
  const bars = () => page.locator(".hold").evaluateAll((all) => all.map((it) => (it.hidden ? 0 : Math.round(it.getBoundingClientRect().height))));
  const arrows = () => page.locator(".arrow:not(.to-come)").count();
  const [open, ...others] = await bars();
  assert.ok(open > 20 && others.every((it) => it === 0), String([open, others]));
  assert.equal(await arrows(), 0);
  await page.keyboard.press("ArrowRight");
  const whole = (await bars())[0];
  assert.ok(whole > open + 10, `${whole} ${open}`);
  await page.fill("input[type=range]", "5");
  assert.deepEqual((await bars()).map((it) => it > 0), [true, false, true]);
  assert.equal((await bars())[0], whole);
  assert.equal(await arrows(), 1);
  await page.click("[aria-label='Show all events']");
  assert.equal(await arrows(), 2);
  assert.equal(await page.locator(".to-come").count(), 0);
  assert.doesNotMatch(page.url(), /row=/);
});

test("it plays by itself, and stops at the end or when asked", async () => {
  const { page } = await chrome.open(bank(), { height: 1400 });
  await page.clock.install();
  await page.goto(`${page.url().split("#")[0]}${FINDING}`);
  await page.reload();
  const at = () => page.textContent(".buttons .counter");
  await page.keyboard.press("p");
  assert.equal(await at(), "1 of 8");
  assert.equal(await page.getAttribute(".play", "aria-label"), "Pause");
  await page.clock.runFor(1500);
  assert.equal(await at(), "2 of 8");
  await page.keyboard.press("p");
  await page.clock.runFor(10000);
  assert.equal(await at(), "2 of 8");
  await page.click(".play");
  await page.clock.runFor(20000);
  assert.equal(await at(), "8 of 8");
  assert.equal(await page.getAttribute(".play", "aria-label"), "Play");
});

test("locks and values move, unless the reader wants no motion", async () => {
  for (const motion of [true, false]) {
    const { page } = await chrome.open(bank(), { hash: `${FINDING}&row=1`, height: 1400, motion });
    const moving = () => page.evaluate(() => document.getAnimations().filter((it) => !(it instanceof CSSTransition)).map((it) => it.effect.target.className.split(" ").slice(0, 2).join(" ")));
    await page.evaluate(() => {
      // Animations do not end while the test looks at them.
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...given) { const it = animate.apply(this, given); it.pause(); return it; };
    });
    await page.keyboard.press("ArrowRight"); // reads the balance
    assert.equal((await moving()).includes("token value"), motion);
    assert.equal((await moving()).includes("now"), motion);
    await page.keyboard.press("ArrowRight"); // unlocks
    assert.equal((await moving()).includes("token lock"), motion);
  }
});

test("what did not happen is stepped through in the conditional", async () => {
  const { page } = await chrome.open(pageOf("lucky-steps", [lucky()], { command: "predict" }), { height: 1400 });
  for (let i = 0; i < 3; ++i) await page.keyboard.press("ArrowRight");
  assert.deepEqual(await told(page), ["3. t1 writes x a.cc:3: B becomes C. What it last saw is A. The window closes.", "2 But so t2 would have to come before inc: no serial order would exist."]);
  await page.keyboard.press("ArrowLeft");
  assert.deepEqual(await told(page), ["2. t2 writes x b.cc:7: A becomes B.", "1 So inc would have to come before t2."]);
});
