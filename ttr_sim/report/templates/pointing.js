"use strict";
// Pointing at a route, a city or a row marks the same thing everywhere; what has a tip shows it.
(() => {
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const tip = document.createElement("div");
tip.id = "tip";
tip.hidden = true;
tip.setAttribute("role", "tooltip");
document.querySelector("main").append(tip);

const byTarget = new Map();
all("[data-of]").forEach((thing) => thing.dataset.of.split(" ").forEach((target) => {
  if (!byTarget.has(target)) byTarget.set(target, []);
  byTarget.get(target).push(thing);
}));
// The tip takes the place of the browser's own.
all("svg title").forEach((title) => {
  const link = title.closest("a");
  const owner = title.closest("[data-of]") || title.parentNode;
  owner.dataset.tip = title.textContent;
  if (link) link.setAttribute("aria-label", title.textContent);
  title.remove();
});
// The board on top has the names only: the tip of a route on the map below is shown there, too.
all(".stage [data-of]").forEach((part) => {
  const told = (byTarget.get(part.dataset.of) || []).find((other) => other.closest("#map") && other.dataset.tip);
  if (told) part.dataset.tip = told.dataset.tip;
});
all("[title]").forEach((thing) => {
  thing.dataset.tip = thing.title;
  thing.removeAttribute("title");
});

let marked = [];
function mark(thing) {
  marked.forEach(([other, name]) => other.classList.remove(name));
  const find = (targets, name) => (targets || "").split(" ").flatMap((target) => (byTarget.get(target) || []).map((other) => [other, name]));
  marked = thing ? [...find(thing.dataset.way, "way"), ...find(thing.dataset.of, "on")] : [];
  marked.forEach(([other, name]) => other.classList.add(name));
}
function show(thing, x, y) {
  tip.hidden = !thing;
  if (!thing) return;
  tip.textContent = thing.dataset.tip;
  tip.style.left = `${Math.max(4, Math.min(x + 14, innerWidth - tip.offsetWidth - 6))}px`;
  tip.style.top = `${Math.max(4, y + 18 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 10 : y + 18)}px`;
}
const closest = (event, selector) => (event.target instanceof Element ? event.target.closest(selector) : null);
document.addEventListener("pointerover", (event) => {
  mark(closest(event, "[data-of]"));
  show(closest(event, "[data-tip]"), event.clientX, event.clientY);
});
document.addEventListener("pointermove", (event) => show(closest(event, "[data-tip]"), event.clientX, event.clientY));
document.addEventListener("focusin", (event) => {
  const told = closest(event, "[data-tip]");
  const box = told && told.getBoundingClientRect();
  mark(closest(event, "[data-of]"));
  show(told, box ? box.left : 0, box ? box.bottom - 14 : 0);
});
document.addEventListener("focusout", () => { mark(null); show(null); });
document.addEventListener("keydown", (event) => { if (event.key === "Escape") show(null); });

// In a map one route is in the tab order; arrows go from route to route, Enter goes to its row.
all(".valued svg").forEach((map) => {
  const links = all("a", map);
  links.forEach((link, index) => link.setAttribute("tabindex", index ? "-1" : "0"));
  map.addEventListener("keydown", (event) => {
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
    const index = links.indexOf(document.activeElement);
    if (!step || index < 0) return;
    event.preventDefault();
    const next = links[(index + step + links.length) % links.length];
    links[index].setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus({preventScroll: true});
  });
});
})();
