"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  // Sorting: a button in each heading; a second press turns the order round.
  const number = (text) => {
    const found = /[−-]?\d[\d,]*\.?\d*/.exec(text);
    return found ? parseFloat(found[0].replace("−", "-").replaceAll(",", "")) : NaN;
  };
  const firstText = (cell) => (cell.firstChild ? cell.firstChild.textContent : "");
  const order = (column, numeric, up) => (a, b) => {
    const [x, y] = [a, b].map((row) => firstText(row.cells[column]));
    if (!numeric) return up * x.localeCompare(y);
    const [p, q] = [number(x), number(y)];
    if (Number.isNaN(p) || Number.isNaN(q)) return Number.isNaN(p) - Number.isNaN(q);
    return up * (p - q);
  };
  const sort = (heading) => {
    const up = heading.getAttribute("aria-sort") === "descending" ? 1 : -1;
    const first = heading.classList.contains("n") || heading.hasAttribute("aria-sort") ? up : 1;
    all("th", heading.parentNode).forEach((other) => other.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", first > 0 ? "ascending" : "descending");
    const body = heading.closest("table").tBodies[0];
    const numeric = heading.classList.contains("n");
    body.append(...[...body.rows].sort(order(heading.cellIndex, numeric, first)));
  };
  all("table.sorts thead th").forEach((heading) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => sort(heading));
  });

  // A box above each long table that keeps the rows with the words typed.
  all(".list").forEach((list) => {
    const rows = all("tbody tr", list);
    if (rows.length < 25) return;
    const box = document.createElement("input");
    box.type = "search";
    box.className = "filter";
    box.placeholder = "only rows with …";
    box.setAttribute("aria-label", "Only rows with these words");
    box.addEventListener("input", () => {
      const words = box.value.toLowerCase();
      rows.forEach((row) => { row.hidden = !row.textContent.toLowerCase().includes(words); row.style.display = row.hidden ? "none" : ""; });
    });
    list.before(box);
  });

  // Pointing at a route, a city or a row marks the same thing everywhere.
  const tip = document.createElement("div");
  tip.id = "tip";
  tip.hidden = true;
  document.body.append(tip);
  const things = all("[data-of]");
  const byTarget = new Map();
  things.forEach((thing) => {
    thing.dataset.of.split(" ").forEach((target) => {
      if (!byTarget.has(target)) byTarget.set(target, []);
      byTarget.get(target).push(thing);
    });
    const title = thing.querySelector(":scope > title");
    if (title) { thing.dataset.tip = title.textContent; thing.setAttribute("aria-label", title.textContent); title.remove(); }
  });
  let marked = [];
  const mark = (thing) => {
    marked.forEach((other) => other.classList.remove("on"));
    marked = thing ? thing.dataset.of.split(" ").flatMap((target) => byTarget.get(target)) : [];
    marked.forEach((other) => other.classList.add("on"));
  };
  const show = (thing, x, y) => {
    tip.hidden = !thing || !thing.dataset.tip;
    if (tip.hidden) return;
    tip.textContent = thing.dataset.tip;
    tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - tip.offsetWidth - 6))}px`;
    tip.style.top = `${y + 18 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 10 : y + 18}px`;
  };
  const thingAt = (event) => (event.target instanceof Element ? event.target.closest("[data-of]") : null);
  document.addEventListener("pointerover", (event) => { const thing = thingAt(event); mark(thing); show(thing, event.clientX, event.clientY); });
  document.addEventListener("pointermove", (event) => show(thingAt(event), event.clientX, event.clientY));
  document.addEventListener("focusin", (event) => {
    const thing = thingAt(event);
    mark(thing);
    const box = thing && thing.getBoundingClientRect();
    show(thing, box ? box.left : 0, box ? box.bottom - 14 : 0);
  });
  document.addEventListener("focusout", () => { mark(null); show(null); });

  // In a map one route is in the tab order; arrows go from route to route, Enter goes to its row.
  all(".valued svg").forEach((map) => {
    const links = all("a", map);
    links.forEach((link, index) => link.setAttribute("tabindex", index ? "-1" : "0"));
    map.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const index = links.indexOf(document.activeElement);
      if (!step || index < 0) return;
      event.preventDefault();
      const next = links[(index + step + links.length) % links.length];
      links[index].setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus({ preventScroll: true });
    });
  });
  // A row that points at the maps can be reached by keyboard too.
  all("table.sorts").forEach((table) => {
    const rows = all("tbody tr[data-of]", table);
    rows.forEach((row, index) => { row.tabIndex = index ? -1 : 0; });
    table.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step || !document.activeElement.matches("tbody tr[data-of]")) return;
      event.preventDefault();
      const seen = [...table.tBodies[0].rows].filter((row) => row.offsetParent);
      const next = seen[seen.indexOf(document.activeElement) + step];
      if (next) { document.activeElement.tabIndex = -1; next.tabIndex = 0; next.focus(); }
    });
  });

  // A link to a row that the chosen player count hides chooses the row's own.
  const reveal = () => {
    const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!row || row.offsetParent || !row.matches("tr[class^=q]")) return;
    const choice = document.getElementById(`p${/q(\d+)/.exec(row.className)[1]}`);
    if (choice) { choice.checked = true; row.scrollIntoView({ block: "center" }); }
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
