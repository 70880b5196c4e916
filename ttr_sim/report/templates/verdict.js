"use strict";
// The verdict's page: copy the commands, follow the section in sight, open what a link leads into.
(() => {
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
document.documentElement.classList.add("js");

all("[data-copy]").forEach((button) => button.addEventListener("click", async () => {
  const commands = document.getElementById(button.dataset.copy);
  const words = button.textContent;
  const lines = all("code", commands).map((line) => line.textContent).join("\n");
  try {
    await navigator.clipboard.writeText(lines);
    button.textContent = "Copied ✓";
  } catch {
    getSelection().selectAllChildren(commands);
    button.textContent = "Press Ctrl+C";
  }
  setTimeout(() => { button.textContent = words; }, 1600);
}));

function open(hash) {
  const target = hash.length > 1 && document.getElementById(decodeURIComponent(hash.slice(1)));
  if (!target) return;
  const own = target.querySelector(":scope>details");
  if (own) own.open = true;
  for (let part = target.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
}
// Before any other listener: a row must be laid out when it is scrolled to.
addEventListener("click", (event) => {
  const link = event.target instanceof Element && event.target.closest("a[href^='#']");
  if (link) open(link.getAttribute("href"));
}, true);
addEventListener("hashchange", () => open(location.hash), true);
open(location.hash);

const links = all(".top nav a");
const places = links.map((link) => document.querySelector(link.getAttribute("href")));
function follow() {
  let last = 0;
  places.forEach((place, index) => { if (place && place.getBoundingClientRect().top < innerHeight / 3) last = index; });
  links.forEach((link, index) => (index === last ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
}
if (links.length) {
  follow();
  addEventListener("scroll", follow, {passive: true});
}
})();
