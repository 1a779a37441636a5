// SPDX-License-Identifier: Apache-2.0
// The HTML report in Chromium. COWBENCH_PAGE is the file, made of history.mjs;
// CHROMIUM the browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { leastContrast, smallest } from "./contrast.mjs";
import { hostile } from "./history.mjs";

const url = pathToFileURL(process.env.COWBENCH_PAGE).href;
let browser;
const complaints = [];
const requests = [];

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox"],
  });
});
after(() => browser?.close());

async function open(hash = "", options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) {
      complaints.push(message.text());
    }
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(url + hash);
  if (options.javaScriptEnabled !== false) {
    await page.waitForSelector("#contents");
  }
  return page;
}

// Brings every section near the screen, so that each is drawn.
async function drawAll(page) {
  // What the browser leaves out off the screen could hide a fault.
  await page.evaluate(() => {
    const rule = ".card { content-visibility: visible !important; }";
    document.styleSheets[0].insertRule(rule);
  });
  for (const section of await page.locator("main > section").all()) {
    await section.evaluate((element) => element.scrollIntoView());
    await page.waitForFunction(
      (element) => element.querySelector(".body").childNodes.length > 0,
      await section.elementHandle(),
    );
  }
}

const phone = {
  viewport: { width: 400, height: 800 },
  hasTouch: true,
  isMobile: true,
};

test("every section is drawn, and the contents lead to each", async () => {
  const page = await open();
  await drawAll(page);
  const links = page.locator("#contents a");
  assert.equal(await links.count(), 8);
  for (const link of await links.all()) {
    await link.click();
    const id = (await link.getAttribute("href")).slice(1);
    const top = await page
      .locator(`#${id}`)
      .evaluate((element) => element.getBoundingClientRect().top);
    const atEnd = await page.evaluate(
      () => innerHeight + scrollY >= document.documentElement.scrollHeight - 2,
    );
    assert.ok((top > -5 && top < 150) || atEnd, `${id} is at ${top}`);
    assert.ok(page.url().includes(`#${id}`));
  }
  await page.context().close();
});

test("a filter hides stacks, shows its state, and is in the address", async () => {
  const page = await open();
  const family = page.getByRole("group", { name: "Family" });
  assert.equal(
    await family.getByText("all").getAttribute("aria-pressed"),
    "true",
  );
  await family.getByRole("button", { name: "btrfs" }).click();
  assert.match(page.url(), /f=btrfs/);
  assert.match(await page.locator("#filters").innerText(), /2 of 6 stacks/);
  assert.doesNotMatch(await page.locator("#verdict").innerText(), /ext4/);
  const again = await open(new URL(page.url()).hash);
  assert.match(await again.locator("#filters").innerText(), /2 of 6 stacks/);
  assert.equal(
    await again
      .getByRole("group", { name: "Family" })
      .getByRole("button", { name: "btrfs" })
      .getAttribute("aria-pressed"),
    "true",
  );
  await page.context().close();
  await again.context().close();
});

test("a linked view comes back: group, highlight, metric, section", async () => {
  const page = await open("#trends&g=Latency&t=seqread_mbps&x=zfs%2Fmirror");
  await page.waitForSelector("#trends canvas");
  assert.match(await page.locator("#trends .readout").innerText(), /zfs\/mirror/);
  assert.match(await page.locator("#latest").innerText(), /Flush, 99th/);
  const top = await page
    .locator("#trends")
    .evaluate((element) => element.getBoundingClientRect().top);
  assert.ok(top > -5 && top < 150, `the section is at ${top}`);
  await page.context().close();
});

test("names that are markup are shown as text", async () => {
  const page = await open();
  await drawAll(page);
  assert.equal(await page.locator("img").count(), 0);
  assert.ok((await page.locator("#verdict").innerText()).includes(hostile));
  assert.ok((await page.locator("#latest").innerText()).includes(hostile));
  await page.context().close();
});

test("a zero that is a failure is told in words, best stacks come first", async () => {
  const page = await open("#latest&g=Nearly+full");
  await page.getByRole("button", { name: "Nearly full" }).click();
  const full = page.locator("#metric-nearfull95_write_mbps");
  assert.match(await full.locator(".missing").innerText(), /Failed: .*full/);
  await page.getByRole("button", { name: "Latency" }).click();
  const first = page.locator("#metric-fsync_p99_ms .bars li").first();
  assert.match(await first.innerText(), /btrfs\/raid1/);
  assert.match(await first.innerText(), /n=\d/);
  await page
    .getByRole("group", { name: "Class" })
    .getByRole("button", { name: "mirror" })
    .click();
  await page
    .locator("#metric-fsync_p99_ms")
    .getByRole("link", { name: "over time" })
    .click();
  assert.match(page.url(), /#trends&c=mirror&g=Latency&t=fsync_p99_ms/);
  await page.context().close();
});

test("a change of method is marked, and what was before it is shown on demand", async () => {
  const page = await open("#trends&t=seqread_mbps");
  await page.waitForSelector("#trends canvas");
  assert.match(await page.locator("#trends .marks").innerText(), /M1 run 64/);
  const picture = () =>
    page.locator("#trends canvas").evaluate((canvas) => canvas.toDataURL());
  const since = await picture();
  await page.locator("#trends").getByRole("button", { name: "Show all" }).click();
  await page.waitForTimeout(100);
  assert.notEqual(await picture(), since);
  await page.context().close();
});

test("the chart answers to keys", async () => {
  const page = await open("#trends&t=seqwrite_mbps");
  const plot = page.locator("#trends .plot");
  await plot.focus();
  const read = () => page.locator("#trends .readout").innerText();
  const last = await read();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  assert.notEqual(await read(), last);
  const picture = () =>
    page.locator("#trends canvas").evaluate((canvas) => canvas.toDataURL());
  const whole = await picture();
  await page.keyboard.press("+");
  await page.waitForTimeout(100);
  assert.notEqual(await picture(), whole);
  await page.keyboard.press("0");
  await page.waitForTimeout(100);
  assert.equal(await picture(), whole);
  await page.context().close();
});

test("two fingers zoom the chart", async () => {
  const page = await open("#trends&t=seqwrite_mbps", phone);
  const over = page.locator("#trends .u-over");
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  const picture = () =>
    page.locator("#trends canvas").evaluate((canvas) => canvas.toDataURL());
  const whole = await picture();
  const session = await page.context().newCDPSession(page);
  const y = box.y + box.height / 2;
  const middle = box.x + box.width / 2;
  const touch = (type, apart) =>
    session.send("Input.dispatchTouchEvent", {
      type,
      touchPoints:
        type === "touchEnd"
          ? []
          : [
              { x: middle - apart, y, id: 1 },
              { x: middle + apart, y, id: 2 },
            ],
    });
  await touch("touchStart", 30);
  await touch("touchMove", 60);
  await touch("touchMove", 110);
  await touch("touchEnd", 110);
  await page.waitForTimeout(200);
  assert.notEqual(await picture(), whole);
  await page.context().close();
});

test("the compared stacks have verdicts in words", async () => {
  const page = await open("#compare&a=btrfs%2Fraid1&b=zfs%2Fmirror");
  const text = await page.locator("#compare").innerText();
  assert.match(text, /B 5.* better/);
  assert.match(text, /no difference detectable/);
  assert.match(text, /p<0\.001/);
  await page.context().close();
});

test("the table's head and first column stay, and it can be saved", async () => {
  const page = await open("#table&cols=seqwrite_mbps,seqread_mbps");
  const frame = page.locator(".table-frame");
  assert.equal(await frame.locator("thead th").count(), 3);
  await frame.evaluate((element) => {
    element.style.maxHeight = "150px";
    element.scrollTop = 100;
  });
  const offset = await frame.evaluate(
    (element) =>
      element.querySelector("thead th").getBoundingClientRect().top -
      element.getBoundingClientRect().top,
  );
  assert.ok(Math.abs(offset) < 3, `the head moved by ${offset}`);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const csv = readFileSync(await (await download).path(), "utf8");
  assert.match(csv, /^stack,family,class,machine,metric,unit/);
  assert.match(csv, /btrfs\/raid1,btrfs,mirror,.*nearfull95_write_mbps.*failed/);
  await page.context().close();
});

test("a phone needs no sideways scrolling, small print or small targets", async () => {
  const page = await open("", phone);
  await drawAll(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= 400, `the page is ${width} px wide`);
  const { text, target } = await page.evaluate(smallest);
  assert.ok(text >= 12, `text of ${text} px`);
  assert.ok(target >= 24, `a target of ${target} px`);
  await page.context().close();
});

for (const colorScheme of ["light", "dark"]) {
  test(`text is readable in ${colorScheme} colours`, async () => {
    const page = await open("", { colorScheme });
    await drawAll(page);
    const { ratio, text } = await page.evaluate(leastContrast);
    assert.ok(ratio >= 4.5, `${ratio.toFixed(2)}: ${text.slice(0, 80)}`);
    await page.context().close();
  });
}

test("without scripts the tables are there", async () => {
  const page = await open("", { javaScriptEnabled: false });
  const text = await page.locator("#tables").innerText();
  assert.match(text, /Survived/);
  assert.match(text, /Stream write/);
  assert.match(text, /n=\d/);
  assert.ok(text.includes(hostile));
  await page.context().close();
});

test("no page complained and nothing was asked for but the file", () => {
  assert.deepEqual(complaints, []);
  const file = url.split("#")[0];
  assert.deepEqual(
    requests.filter(
      (one) => one.split("#")[0] !== file && !one.startsWith("blob:"),
    ),
    [],
  );
  assert.ok(requests.length > 10);
});
