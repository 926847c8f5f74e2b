"use strict";
(() => {
  const all = (query, from = document) => [...from.querySelectorAll(query)];
  const rows = all("details.requirement");
  const search = document.getElementById("search");
  const boxes = all("input[name=outcome]");
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let any = false;
    for (const row of rows) {
      const fits = shown.has(row.dataset.outcome) && words.every((word) => row.dataset.text.includes(word));
      row.hidden = !fits;
      any = any || fits;
    }
    for (const section of all("section.endpoint")) {
      section.hidden = !section.querySelector("details.requirement:not([hidden])");
    }
    document.getElementById("none").hidden = any;
  };
  search.addEventListener("input", apply);
  boxes.forEach((box) => box.addEventListener("change", apply));
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
  // An address names a requirement, whose rows are unfolded, and shown where a filter hides them.
  const go = () => {
    const named = rows.filter((row) => row.querySelector("code").textContent === location.hash.slice(1));
    if (named.length === 0) {
      return;
    }
    if (named.some((row) => row.hidden)) {
      search.value = "";
      const outcomes = named.map((row) => row.dataset.outcome);
      boxes.filter((box) => outcomes.includes(box.value)).forEach((box) => { box.checked = true; });
      apply();
    }
    named.forEach((row) => { row.open = true; });
    const [first] = named;
    first.scrollIntoView();
    // Rows that were never drawn have a height that is guessed; once these are drawn, the place is known.
    requestAnimationFrame(() => requestAnimationFrame(() => first.scrollIntoView()));
  };
  addEventListener("hashchange", go);
  go();
})();
