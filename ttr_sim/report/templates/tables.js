"use strict";
// Long tables: sorting by their headings, a box that keeps rows, arrows from row to row, links that find their row.
(() => {
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const lists = all(".list");
const rowsOf = (list) => all("tbody tr", list);
const chosen = () => (document.querySelector(".players:checked") || {id: ""}).id.slice(1);

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

function sort(heading) {
  const numeric = heading.classList.contains("n");
  const descending = heading.getAttribute("aria-sort") === "descending";
  const up = descending || (!numeric && !heading.hasAttribute("aria-sort")) ? 1 : -1;
  all("th", heading.parentNode).forEach((other) => other.removeAttribute("aria-sort"));
  heading.setAttribute("aria-sort", up > 0 ? "ascending" : "descending");
  const body = heading.closest("table").tBodies[0];
  body.append(...[...body.rows].sort(order(heading.cellIndex, numeric, up)));
  enter(heading.closest(".list"));
}

// A button in each heading sorts; a second press turns the order round.
all("table.sorts thead th").forEach((heading) => {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...heading.childNodes);
  heading.append(button);
  button.addEventListener("click", () => sort(heading));
});

// Keys scroll what is wider than its place, as on a phone.
function letScroll() {
  all(".wide:not(.list)").forEach((place) => {
    if (place.scrollWidth > place.clientWidth) place.tabIndex = 0;
    else place.removeAttribute("tabindex");
  });
}
letScroll();
addEventListener("resize", letScroll);
addEventListener("toggle", letScroll, true);

// The box keeps rows that have all its words, in any order and with or without accents.
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const texts = new Map();
const textOf = (row) => texts.get(row) || texts.set(row, plain(row.textContent)).get(row);
const unsure = (row) => row.classList.contains("minor") && row.closest(".block").querySelector(".unsure").checked;
const belongs = (row) => !/^q|minor/.test(row.className) || unsure(row) || row.classList.contains(`q${chosen()}`)
  || (chosen() === "0" && row.closest("table").classList.contains("every"));

function keep(list) {
  const {box, shown, clear} = list.filter;
  const words = plain(box.value).split(/\s+/);
  const rows = rowsOf(list);
  rows.forEach((row) => { row.hidden = !words.every((word) => textOf(row).includes(word)); });
  const mine = rows.filter(belongs);
  shown.textContent = box.value.trim() ? `${mine.filter((row) => !row.hidden).length} of ${mine.length}` : "";
  clear.hidden = !box.value.trim();
  enter(list);
}

function make(tag, values) {
  return Object.assign(document.createElement(tag), values);
}

lists.filter((list) => rowsOf(list).filter(belongs).length >= 20).forEach((list) => {
  const box = make("input", {type: "search", className: "filter", placeholder: "only rows with …", spellcheck: false});
  box.setAttribute("aria-label", `Only rows of “${list.getAttribute("aria-label")}” with these words`);
  const shown = make("output", {});
  const clear = make("button", {type: "button", className: "clear", textContent: "show all", hidden: true});
  list.filter = {box, shown, clear};
  box.addEventListener("input", () => keep(list));
  clear.addEventListener("click", () => { box.value = ""; keep(list); box.focus(); });
  const bar = make("div", {className: "bar"});
  bar.append(box, shown, clear);
  list.before(bar);
});

// One row of a table is in the tab order, the first that shows; arrows go on from there.
const reached = (list) => rowsOf(list).filter((row) => row.dataset.of);
function enter(list) {
  reached(list).forEach((row) => { row.tabIndex = -1; });
  const first = reached(list).find((row) => row.offsetParent);
  if (first) first.tabIndex = 0;
}
lists.forEach((list) => {
  enter(list);
  list.addEventListener("keydown", (event) => {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (!step || !document.activeElement.matches("tbody tr")) return;
    event.preventDefault();
    const rows = reached(list).filter((row) => row.offsetParent);
    const next = rows[rows.indexOf(document.activeElement) + step];
    if (!next) return;
    document.activeElement.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
});
addEventListener("toggle", () => lists.forEach(enter), true);
document.addEventListener("change", (event) => {
  if (event.target.matches(".players, .unsure")) lists.forEach((list) => list.filter ? keep(list) : enter(list));
});

// A link to a row shows it: unfiltered, at its player count, below the headings.
function reveal(row) {
  for (let part = row.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
  const list = row.closest(".list");
  if (row.hidden && list.filter) { list.filter.box.value = ""; keep(list); }
  if (!row.offsetParent) {
    const own = document.getElementById(`p${(/\bq(\d+)/.exec(row.className) || [])[1]}`);
    if (own) { own.checked = true; own.dispatchEvent(new Event("change", {bubbles: true})); }
  }
  if (row.classList.contains("minor")) row.closest(".block").querySelector(".unsure").checked = true;
  all(".here").forEach((other) => other.classList.remove("here"));
  row.classList.add("here");
  row.scrollIntoView({block: "center"});
  reached(list).forEach((other) => { other.tabIndex = -1; });
  row.tabIndex = 0;
  row.focus({preventScroll: true});
}
const rowAt = (hash) => {
  const row = document.getElementById(decodeURIComponent(hash.slice(1)));
  return row && row.matches(".list tr") ? row : null;
};
// A route's link goes to its row at the player count that is chosen.
function ownRow(link, row) {
  const part = link.closest("[data-of]");
  return part && rowsOf(row.closest(".list")).find((other) => other.dataset.of === part.dataset.of && belongs(other)) || row;
}
addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a[href^='#']");
  const row = link && rowAt(link.getAttribute("href"));
  if (!row) return;
  event.preventDefault();
  history.pushState(null, "", link.getAttribute("href"));
  reveal(ownRow(link, row));
});
const addressed = () => {
  const row = rowAt(location.hash);
  if (row) reveal(row);
};
addEventListener("hashchange", addressed);
addressed();
})();
