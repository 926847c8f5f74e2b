// Uses pages as a person does, in the browser that is named first: `browser.cjs BROWSER SOUND HOSTILE COMPARED WHOLE`.
"use strict";
const assert = require("node:assert/strict");
const { statSync } = require("node:fs");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");

const [executablePath, sound, hostile, compared, whole] = process.argv.slice(2);

/// A telephone, a tablet, a desk.
const WIDTHS = [360, 768, 1280];

/// What the page holds that is seen, and how; runs in the browser.
const look = () => {
  const rows = [...document.querySelectorAll("details.requirement")];
  const seen = (one) => one.checkVisibility();
  return {
    outcomes: rows.map((row) => row.dataset.outcome),
    shown: rows.filter(seen).map((row) => row.dataset.outcome),
    texts: rows.filter(seen).map((row) => row.querySelector("summary").textContent.toLowerCase()),
    open: rows.filter((row) => row.open).length,
    sections: [...document.querySelectorAll("section.contract")].filter(seen).length,
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
  const values = await Promise.all(boxes.map((box) => box.getAttribute("value")));
  assert.deepEqual(new Set(values), new Set(outcomes.flatMap((one) => one.split(" "))));
  for (const box of boxes) {
    const outcome = await box.getAttribute("value");
    await box.uncheck();
    const after = await page.evaluate(look);
    const others = outcomes.filter((one) => one.split(" ").some((other) => other !== outcome));
    assert.deepEqual(after.shown, others, `without ${outcome}`);
    assert.ok(page.url().includes(`hide=${outcome}`), "the address holds the filter");
    assert.equal(after.none, after.sections === 0, "`none` is said when there is none");
    assert.ok(after.sections > 0 || after.shown.length === 0, "no heading is over nothing");
    await box.focus();
    await page.keyboard.press("Space");
    assert.deepEqual((await page.evaluate(look)).shown, outcomes, `with ${outcome} again`);
  }
}

/// Search: all words, in any case, and nothing that lacks one.
async function searches(page) {
  const { outcomes, texts } = await page.evaluate(look);
  const field = page.getByRole("searchbox", { name: "Search" });
  const [, id, second] = texts[0].split(" ");
  await field.fill(`${second.toUpperCase()}  ${id}`);
  const found = (await page.evaluate(look)).texts;
  assert.deepEqual(found, texts.filter((text) => text.includes(id) && text.includes(second)));
  assert.ok(found.length > 0 && found.length < texts.length, "a search finds some");
  assert.equal(new URL(page.url()).searchParams.get("q"), `${second.toUpperCase()}  ${id}`, "the address holds the search");
  await page.reload();
  assert.deepEqual((await page.evaluate(look)).texts, found, "the address brings the search back");
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

/// What is too pale to be read: the contrast of a text with the page is less than 4.5 to 1 (WCAG 2.2, AA).
const pale = () => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (colour) => {
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((one) => {
      const share = one / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const back = light(getComputedStyle(document.body).backgroundColor);
  return [...document.querySelectorAll("body, .mark, .dim, .conclusion, td, dt, ins, del")].filter((one) => {
    const [low, high] = [back, light(getComputedStyle(one).color)].sort((left, right) => left - right);
    return (high + 0.05) / (low + 0.05) < 4.5;
  }).map((one) => `${one.tagName} ${one.className}`);
};

/// Light and dark at every width.
async function fits(page) {
  await unfold(page);
  const size = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const backgrounds = new Set();
    for (const colorScheme of ["dark", "light"]) {
      await page.emulateMedia({ colorScheme });
      const seen = await page.evaluate(() => ({
        background: getComputedStyle(document.body).backgroundColor,
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }));
      backgrounds.add(seen.background);
      assert.equal(seen.wide, 0, `the page fits ${width} pixels`);
      assert.deepEqual(await page.evaluate(pale), [], `what is too pale, ${colorScheme}`);
    }
    assert.equal(backgrounds.size, 2, "dark is another colour");
  }
  await page.setViewportSize(size);
}

/// By the keyboard alone, from the top: a violation, where there is one, then the search, a filter and a requirement. What has the
/// focus shows it.
async function keyboard(page, url) {
  await page.goto("about:blank");
  await page.goto(url);
  const focused = () => page.evaluate(() => {
    const one = document.activeElement;
    const kind = one.closest(".violations") ? "violation" : one.matches("summary") ? "summary" : one.type ?? one.tagName;
    const shows = one.type === "checkbox" || getComputedStyle(one).outlineStyle !== "none";
    return { kind, shows, hash: one.hash ?? "" };
  });
  const reached = [];
  for (let presses = 0; presses < 200 && !reached.includes("summary"); presses += 1) {
    await page.keyboard.press("Tab");
    const { kind, shows, hash } = await focused();
    assert.ok(shows, `${kind} shows that it has the focus`);
    if (kind === "violation" && !reached.includes(kind)) {
      await page.keyboard.press("Enter");
      assert.equal(new URL(page.url()).hash, hash);
      assert.ok(await page.evaluate((id) => document.getElementById(id).open, hash.slice(1)), "a link unfolds its requirement");
      await page.goto("about:blank");
      await page.goto(url);
      for (let again = 0; again <= presses; again += 1) await page.keyboard.press("Tab");
    }
    reached.push(kind);
  }
  for (const kind of ["search", "checkbox", "button", "summary"]) assert.ok(reached.includes(kind), `${kind}: ${reached}`);
  const violated = await page.locator(".violations a").count();
  assert.equal(reached.includes("violation"), violated > 0, "violations come before everything else");
}

/// Every width in both colours, and paper.
async function looks(page) {
  await fits(page);
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
  const is_shown = async (id) => page.waitForFunction((id) => {
    const { top } = document.getElementById(id).getBoundingClientRect();
    return document.getElementById(id).checkVisibility() && top >= 0 && top < innerHeight;
  }, id);
  for (const kind of ["details.requirement", ".cases li"]) {
    const ids = await page.locator(kind).evaluateAll((all) => all.map((one) => one.id));
    assert.ok(ids.every(Boolean) && new Set(ids).size === ids.length, `each ${kind} has an address`);
    await page.goto("about:blank");
    await page.goto(`${url}#${ids.at(-1)}`);
    await is_shown(ids.at(-1));
  }
  const dead = () => [...document.querySelectorAll("a[href^='#']")].map((one) => one.hash.slice(1)).filter((id) => !document.getElementById(id));
  assert.deepEqual(await page.evaluate(dead), [], "no link leads nowhere");
  await page.goto("about:blank");
  await page.goto(`${url}#%`);
}

/// A report: everything that it has.
async function report(page, url) {
  await filters(page);
  await searches(page);
  await folding(page);
  await looks(page);
  await keyboard(page, url);
  await addresses(page, url);
}

/// Runs side by side: every result leads to its evidence, which unfolds without a script.
async function comparison(page, url) {
  await fits(page);
  await page.goto("about:blank");
  await page.goto(url);
  const cells = page.locator("section td a[href^='#']:not([href^='#run'])");
  const kinds = new Map();
  for (const cell of await cells.all()) kinds.set(await cell.textContent(), cell);
  assert.ok(kinds.has("violated") && kinds.has("verified") && kinds.has("not judged"), [...kinds.keys()].join());
  for (const [kind, cell] of kinds) {
    await cell.focus();
    await page.keyboard.press("Enter");
    const id = new URL(page.url()).hash.slice(1);
    await page.waitForFunction((id) => document.getElementById(id).checkVisibility(), id);
    assert.ok((await page.locator(`[id="${id}"]`).textContent()).includes(kind), `the evidence of ${kind}`);
  }
}

/// The page of everything, of all contracts over all transports, stays small.
async function is_small(page) {
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  const bytes = statSync(whole).size;
  assert.ok(elements < 15_000 && bytes < 800_000, `${elements} elements, ${bytes} bytes`);
}

/// A page, and nothing but what was asked for: no message, no request, no dialog.
async function use(browser, file, title, steps) {
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
    const wanted = request.url().split(/[?#]/)[0] === url;
    if (!wanted) uninvited.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  for (const step of steps) await step(page, url);
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
    await use(browser, sound, /^reference: conforms$/, [report]);
    await use(browser, hostile, /^.*hostile.*: does not conform$/, [report, copies, is_text]);
    await use(browser, compared, /^Conformance side by side$/, [comparison, is_text]);
    await use(browser, whole, /^reference: conforms$/, [is_small]);
    console.log(`the pages work in ${executablePath} ${browser.version()}`);
  } finally {
    await browser.close();
  }
})().catch((error) => { console.error(error); process.exit(1); });
