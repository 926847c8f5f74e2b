"use strict";
(() => {
  const all = (query, from = document) => [...from.querySelectorAll(query)];
  const sections = all("section.contract");
  const rows = all("details.requirement");
  const search = document.getElementById("search");
  const boxes = all("input[name=outcome]");
  // What a search looks through: the requirement, and the names of the cases that check it.
  const texts = new Map();
  for (const section of sections) {
    const cases = all(".cases li", section);
    const names = cases.map((one) => one.querySelector("code").textContent);
    cases.forEach((one, at) => texts.set(one, names[at].toLowerCase()));
    for (const row of all("details.requirement", section)) {
      const of = row.dataset.cases.split(" ").filter(Boolean).flatMap((range) => {
        const [first, last = first] = range.split("-").map(Number);
        return names.slice(first, last + 1);
      });
      texts.set(row, [row.querySelector("summary").textContent, ...of].join(" ").toLowerCase());
    }
  }
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const has = (one) => words.every((word) => texts.get(one).includes(word));
    let any = false;
    for (const row of rows) {
      row.hidden = !(row.dataset.outcome.split(" ").some((outcome) => shown.has(outcome)) && has(row));
      any = any || !row.hidden;
    }
    for (const section of sections) {
      const cases = all(".cases li", section);
      cases.forEach((one) => { one.hidden = !has(one); });
      section.querySelector(".cases").hidden = shown.size === 0 || cases.every((one) => one.hidden);
      section.hidden = all("details.requirement, .cases", section).every((one) => one.hidden);
      any = any || !section.hidden;
    }
    document.getElementById("none").hidden = any;
  };
  // The address holds the search and the filters, beside the place on the page.
  const keep = () => {
    const kept = new URLSearchParams();
    const hidden = boxes.filter((box) => !box.checked).map((box) => box.value);
    if (search.value) {
      kept.set("q", search.value);
    }
    if (hidden.length > 0) {
      kept.set("hide", hidden.join(","));
    }
    try {
      history.replaceState(null, "", `${location.pathname}${kept.size > 0 ? `?${kept}` : ""}${location.hash}`);
    } catch {
      // A page within another one may have no address of its own.
    }
  };
  const read = () => {
    const kept = new URLSearchParams(location.search);
    const hidden = (kept.get("hide") ?? "").split(",");
    search.value = kept.get("q") ?? "";
    boxes.forEach((box) => { box.checked = !hidden.includes(box.value); });
    show();
  };
  const change = () => { show(); keep(); };
  search.addEventListener("input", change);
  boxes.forEach((box) => box.addEventListener("change", change));
  document.querySelector("form").addEventListener("submit", (event) => event.preventDefault());
  const fold = (open) => () => rows.filter((row) => !row.hidden).forEach((row) => { row.open = open; });
  document.getElementById("open").addEventListener("click", fold(true));
  document.getElementById("close").addEventListener("click", fold(false));
  for (const button of all("button.copy")) {
    button.addEventListener("click", async () => {
      const text = button.parentElement.querySelector("pre").textContent;
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        const selection = getSelection();
        selection.selectAllChildren(button.parentElement.querySelector("pre"));
        button.textContent = "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }
  // An address names a requirement or a case, which is unfolded, and shown where a filter hides it.
  const go = () => {
    const name = location.hash.slice(1);
    const is_named = (row) => row.querySelector("code").textContent === name;
    const named = document.getElementById(name) ?? rows.find(is_named);
    if (!named || !texts.has(named)) {
      return;
    }
    if (named.closest("[hidden]")) {
      search.value = "";
      const outcomes = (named.dataset.outcome ?? "").split(" ");
      boxes.filter((box) => outcomes.includes(box.value)).forEach((box) => { box.checked = true; });
      if (outcomes[0] === "" && boxes.every((box) => !box.checked)) {
        boxes.forEach((box) => { box.checked = true; });
      }
      change();
    }
    for (let at = named; at; at = at.parentElement) {
      if (at.tagName === "DETAILS") {
        at.open = true;
      }
    }
    named.scrollIntoView();
    // Rows that were never drawn have a height that is guessed; once these are drawn, the place is known.
    const again = () => { if (location.hash.slice(1) === name) named.scrollIntoView(); };
    requestAnimationFrame(() => requestAnimationFrame(again));
  };
  // Going back changes the place alone.
  addEventListener("popstate", () => { keep(); go(); });
  addEventListener("hashchange", go);
  read();
  go();
})();
