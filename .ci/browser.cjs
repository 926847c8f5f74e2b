// Uses a report as a person does, in the browser that is named first: `browser.cjs BROWSER SOUND HOSTILE`.
"use strict";
const assert = require("node:assert/strict");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");

const [executablePath, sound, hostile] = process.argv.slice(2);

/// What the page holds that is seen, and how; runs in the browser.
const look = () => {
  const rows = [...document.querySelectorAll("details.requirement")];
  const seen = (one) => one.checkVisibility();
  return {
    outcomes: rows.map((row) => row.dataset.outcome),
    shown: rows.filter(seen).map((row) => row.dataset.outcome),
    texts: rows.filter(seen).map((row) => row.dataset.text),
    open: rows.filter((row) => row.open).length,
    sections: [...document.querySelectorAll("section.endpoint")].filter(seen).length,
    none: seen(document.getElementById("none")),
    background: getComputedStyle(document.body).backgroundColor,
    wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  };
};

/// Opens everything, the evidence too.
const unfold = (page) => page.evaluate(() => document.querySelectorAll("details").forEach((one) => { one.open = true; }));

/// Filters: each box hides its outcome alone.
async function filters(page) {
  const { outcomes } = await page.evaluate(look);
  assert.ok(outcomes.length > 0, "there are requirements");
  const boxes = await page.getByRole("checkbox").all();
  assert.deepEqual(new Set(await Promise.all(boxes.map((box) => box.getAttribute("value")))), new Set(outcomes));
  for (const box of boxes) {
    const outcome = await box.getAttribute("value");
    await box.uncheck();
    const after = await page.evaluate(look);
    assert.deepEqual(after.shown, outcomes.filter((one) => one !== outcome), `without ${outcome}`);
    assert.equal(after.none, after.shown.length === 0, "`none` is said when there is none");
    assert.equal(after.sections > 0, after.shown.length > 0, "no heading stands over nothing");
    await box.focus();
    await page.keyboard.press("Space");
    assert.deepEqual((await page.evaluate(look)).shown, outcomes, `with ${outcome} again`);
  }
}

/// Search: all words, in any case, and nothing that lacks one.
async function searches(page) {
  const { outcomes, texts } = await page.evaluate(look);
  const field = page.getByRole("searchbox", { name: "Search" });
  const [id, second] = texts[0].split(" ");
  await field.fill(`${second.toUpperCase()}  ${id}`);
  const found = (await page.evaluate(look)).texts;
  assert.deepEqual(found, texts.filter((text) => text.includes(id) && text.includes(second)));
  assert.ok(found.length > 0 && found.length < texts.length, "a search finds some");
  await field.fill("there-is-no-such-requirement");
  await field.press("Enter");
  const nothing = await page.evaluate(look);
  assert.deepEqual([nothing.shown.length, nothing.sections, nothing.none], [0, 0, true]);
  await field.fill("");
  const again = await page.evaluate(look);
  assert.deepEqual([again.shown, again.none], [outcomes, false]);
}

/// Folding: all at once, and one by the keyboard.
async function folding(page) {
  const all = (await page.evaluate(look)).outcomes.length;
  await page.getByRole("button", { name: "Unfold all" }).click();
  assert.equal((await page.evaluate(look)).open, all);
  await page.getByRole("button", { name: "Fold all", exact: true }).click();
  assert.equal((await page.evaluate(look)).open, 0);
  const row = page.locator("details.requirement").first();
  await row.locator("> summary").focus();
  for (const [key, open] of [["Enter", 1], ["Space", 0], ["Enter", 1]]) {
    await page.keyboard.press(key);
    assert.equal((await page.evaluate(look)).open, open, `${key} folds`);
  }
}

/// Copying the command that repeats a request, and selecting it where the clipboard is closed.
async function copies(page) {
  await unfold(page);
  const repeat = page.locator(".repeat:visible").first();
  const command = await repeat.locator("pre").textContent();
  assert.match(command, /curl|sh /);
  const press = async (says) => {
    await repeat.getByRole("button").click();
    await repeat.getByText(says, { exact: true }).waitFor();
  };
  await press("Copied");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), command);
  await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error("closed")); });
  await repeat.getByText("Copy", { exact: true }).waitFor();
  await press("Selected");
  assert.equal(await page.evaluate(() => String(getSelection())), command);
}

/// Light and dark, a telephone, paper.
async function looks(page) {
  const light = (await page.evaluate(look)).background;
  await page.emulateMedia({ colorScheme: "dark" });
  assert.notEqual((await page.evaluate(look)).background, light, "dark is another colour");
  await page.emulateMedia({ colorScheme: "light" });
  await unfold(page);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 640 });
  assert.equal((await page.evaluate(look)).wide, 0, "the page fits a telephone");
  await page.setViewportSize(size);
  await page.emulateMedia({ media: "print" });
  const seen = (query) => [...document.querySelectorAll(query)].filter((one) => one.checkVisibility()).length;
  assert.equal(await page.evaluate(seen, ".controls, button"), 0, "paper has no controls");
  assert.ok(await page.evaluate(seen, "details.requirement") > 0, "paper has the requirements");
  await page.emulateMedia({ media: "screen" });
}

/// An address with a requirement's name opens the page there, below the controls, and so does another one on the open page,
/// even where a filter hides the place; another name does no harm.
async function addresses(page, url) {
  const rows = page.locator("details.requirement");
  const name = async (share) => rows.nth(Math.floor((await rows.count()) * share)).locator("code").first().textContent();
  const is_there = async (id) => {
    const row = rows.filter({ has: page.locator("summary code", { hasText: new RegExp(`^${id}$`) }) }).first();
    assert.notEqual(await row.getAttribute("open"), null, `the row of ${id} is open`);
    const in_view = (one) => {
      const { top } = one.getBoundingClientRect();
      return top >= document.querySelector(".controls").getBoundingClientRect().bottom - 1 && top < innerHeight;
    };
    await page.waitForFunction(in_view, await row.locator("> summary").elementHandle());
  };
  const [middle, early, late] = [await name(0.5), await name(0.2), await name(0.8)];
  await page.goto("about:blank");
  await page.goto(`${url}#${middle}`);
  await is_there(middle);
  await page.getByRole("button", { name: "Fold all", exact: true }).click();
  await page.evaluate((id) => { location.hash = id; }, early);
  await is_there(early);
  await page.getByRole("searchbox", { name: "Search" }).fill("there-is-no-such-requirement");
  for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
  await page.evaluate((id) => { location.hash = id; }, late);
  await is_there(late);
  await page.goBack();
  await is_there(early);
  await page.goto("about:blank");
  await page.goto(`${url}#%`);
}

/// Everything, and nothing but what was asked for: no message, no request, no dialog.
async function use(browser, file, title, more) {
  const url = pathToFileURL(file).href;
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 }, colorScheme: "light" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const uninvited = [];
  page.on("console", (message) => uninvited.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => uninvited.push(`exception: ${error}`));
  page.on("dialog", (dialog) => { uninvited.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("popup", () => uninvited.push("a window"));
  page.on("request", (request) => {
    const wanted = request.url().split("#")[0] === url;
    if (!wanted) uninvited.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  await filters(page);
  await searches(page);
  await folding(page);
  await looks(page);
  await addresses(page, url);
  await more(page);
  assert.match(await page.title(), title);
  assert.deepEqual(uninvited, []);
}

/// Evidence that tries to act is in the page, as text.
async function is_text(page) {
  const found = await page.evaluate(() => ({
    text: document.body.textContent.includes("<script>document.title='pwned'</script><img src=x"),
    odd: document.querySelectorAll("img, svg, iframe, object, [onerror], [onload], body script ~ script").length,
  }));
  assert.deepEqual(found, { text: true, odd: 0 });
}

(async () => {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath, args, timeout: 60_000 });
  try {
    await use(browser, sound, /^reference: conforms$/, async () => {});
    await use(browser, hostile, /^.*hostile.*: does not conform$/, async (page) => {
      await copies(page);
      await is_text(page);
    });
    console.log(`the page works in ${executablePath} ${browser.version()}`);
  } finally {
    await browser.close();
  }
})().catch((error) => { console.error(error); process.exit(1); });
