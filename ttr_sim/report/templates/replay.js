"use strict";
(() => {
const find = (id) => document.getElementById(id);
const game = JSON.parse(find("game").textContent);
const items = [...document.querySelectorAll("#turns li")];
const open = items.map((item) => [...item.querySelectorAll("span")].map((span) => span.textContent));
const names = items.map((item) => item.querySelector("b").textContent);
const marks = [...document.querySelectorAll("[data-from],[data-until]")];
const wants = [...document.querySelectorAll("[data-spans]")];
const last = items.length - 1;
let step = 0, timer = 0;

// A seat that is null in a scene is as it was in the scene before.
game.scenes.forEach((scene, at) => scene.seats.forEach((seat, number) => {
  if (!seat) scene.seats[number] = game.scenes[at - 1].seats[number];
}));

function make(tag, name, ...content) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  element.append(...content);
  return element;
}

const counted = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;
const viewed = () => find("view").value;
const sees = (seat) => viewed() === "all" || seat === Number(viewed());

// Setup has a line for each seat, in their order; of a turn all lines are the mover's, the secret ones last.
function lines(at) {
  const {closed, mover, secret} = game.scenes[at];
  if (viewed() === "all") return open[at];
  const shown = open[at].slice(0, open[at].length - secret);
  if (!closed) return shown;
  if (mover !== null) return sees(mover) ? shown : closed;
  return shown.map((line, seat) => sees(seat) ? line : closed[seat]);
}

function cards(letters) {
  const counts = new Map();
  for (const letter of letters) counts.set(letter, (counts.get(letter) || 0) + 1);
  return [...counts].map(([letter, count]) => {
    const {name, ink, on} = game.cards[letter];
    const chip = make("span", "card", `${count > 1 ? count : ""}${letter}`);
    chip.setAttribute("role", "img");
    chip.setAttribute("aria-label", `${count} ${name}`);
    chip.title = `${count} ${name}`;
    chip.style.background = ink;
    chip.style.color = on;
    return chip;
  });
}

function ticket(held) {
  const {name, cities} = game.tickets[held.ticket];
  const out = held.left === null;
  const state = held.done ? "✓ completed" : out ? "✗ out of reach" : step === last ? "✗ not completed" : `${counted(held.left, "train")} to go`;
  const button = make("button", held.done ? "done" : out || step === last ? "lost" : "", `${name}: ${state}`);
  button.type = "button";
  const places = [...held.way.map((route) => `route-${route}`), ...cities.flatMap((city) => [`city-${city}`, `name-${city}`])];
  const mark = (on) => places.forEach((place) => find(place)?.classList.toggle("way", on));
  for (const event of ["pointerenter", "focus"]) button.addEventListener(event, () => mark(true));
  for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => mark(false));
  return make("li", "", button);
}

function held(seat, number) {
  if (sees(number)) return make("ul", "tickets", ...seat.tickets.map(ticket));
  const done = seat.tickets.filter((entry) => entry.done);
  const hidden = game.openTickets ? seat.tickets.length - done.length : seat.tickets.length;
  const shown = step === last ? seat.tickets : game.openTickets ? done : [];
  return make("ul", "tickets", ...shown.map(ticket), ...(step === last ? [] : [make("li", "", counted(hidden, "hidden ticket"))]));
}

function player(seat, number) {
  const heading = make("h2", "", make("b", "badge", number + 1), game.names[number], make("em", "score", `${seat.score} ${game.unit}`));
  const facts = [counted(seat.trains, "train")];
  if (seat.stations !== null) facts.push(counted(seat.stations, "station"));
  if (seat.merchandise !== null) facts.push(counted(seat.merchandise, "merchandise card"));
  if (seat.bonus) facts.push("the bonus ticket");
  const box = make("div", `seat of${number}`, heading, make("p", "", `Has ${facts.join(", ")}`));
  const hand = sees(number) ? cards(seat.hand) : [counted(seat.hand.length, "card")];
  box.append(make("p", "", "Hand: ", ...(hand.length ? hand : ["no cards"])));
  if (seat.passengers !== null) box.append(make("p", "", "Passengers: ", ...(seat.passengers ? cards(seat.passengers) : ["none"])));
  box.append(held(seat, number));
  if (game.scenes[step].mover === number) box.classList.add("moves");
  return box;
}

function table(scene) {
  const parts = scene.row === null ? [] : ["Face up: ", ...cards(scene.row)];
  parts.push(` Deck: ${scene.deck}, discards: ${scene.discards}`);
  if (scene.merchandise !== null) parts.push(`, merchandise left: ${scene.merchandise}`);
  find("row").replaceChildren(...parts);
}

function tell(scene) {
  const told = find("told");
  told.className = scene.mover === null ? "" : `of${scene.mover}`;
  const [first, ...more] = lines(step);
  told.replaceChildren(make("p", "", make("b", "", names[step]), first || ""), ...more.map((line) => make("p", "", line)));
  find("slider").setAttribute("aria-valuetext", names[step]);
}

function list() {
  items.forEach((item, at) => {
    const button = item.firstElementChild;
    const current = at === step;
    button.tabIndex = current ? 0 : -1;
    if (current) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  });
  const box = items[0].parentElement;
  const top = items[step].offsetTop - box.offsetTop;
  if (top < box.scrollTop || top + items[step].offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - 40;
}

function place() {
  for (const mark of marks) {
    const from = Number(mark.dataset.from || 0), until = Number(mark.dataset.until || last + 1);
    const moment = mark.classList.contains("tried");
    mark.toggleAttribute("hidden", moment ? step !== from : step < from || step >= until);
    mark.classList.toggle("new", from === step);
  }
  for (const want of wants) {
    const planned = want.dataset.spans.split(" ").some((span) => {
      const [from, until] = span.split("-").map(Number);
      return from <= step && step < until;
    });
    want.toggleAttribute("hidden", !planned || !find("plans").checked || !sees(Number(want.dataset.seat)));
  }
  const line = find("moment");
  if (line) line.setAttribute("transform", `translate(${600 * Math.min(step, last - 1) / Math.max(last - 1, 1)} 0)`);
}

function show(to) {
  step = Math.min(Math.max(to, 0), last);
  const scene = game.scenes[step];
  document.querySelectorAll(".way").forEach((marked) => marked.classList.remove("way"));
  find("slider").value = step;
  find("players").replaceChildren(...scene.seats.map(player));
  table(scene);
  tell(scene);
  place();
  list();
  if (step === last) stop();
}

function stop() {
  clearInterval(timer);
  timer = 0;
  find("told").setAttribute("aria-live", "polite");
  find("play").textContent = "Play";
}

function play() {
  if (timer) return stop();
  if (step === last) show(0);
  find("told").setAttribute("aria-live", "off");
  find("play").textContent = "Stop";
  timer = setInterval(() => show(step + 1), 900);
}

function go(to) {
  stop();
  show(to);
}

function view() {
  items.forEach((item, at) => {
    const button = item.firstElementChild;
    button.replaceChildren(button.firstElementChild, ...lines(at).map((line) => make("span", "", line)));
  });
  show(step);
}

const keys = {ArrowRight: () => go(step + 1), ArrowLeft: () => go(step - 1), Home: () => go(0), End: () => go(last), " ": play};
document.addEventListener("keydown", (event) => {
  const {key, target} = event;
  const own = target.matches("select") || (key === " " && target.matches("button, a"));
  if (!keys[key] || own || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  keys[key]();
});

// #at-12 in the address opens the page there, without scrolling to the list.
const addressed = () => {
  const found = /^#at-(\d+)$/.exec(location.hash);
  if (found) go(Number(found[1]));
};
find("first").addEventListener("click", () => go(0));
find("back").addEventListener("click", () => go(step - 1));
find("play").addEventListener("click", play);
find("on").addEventListener("click", () => go(step + 1));
find("last").addEventListener("click", () => go(last));
find("slider").addEventListener("input", (event) => go(Number(event.target.value)));
find("view").addEventListener("change", view);
find("plans")?.addEventListener("change", place);
items.forEach((item, at) => item.addEventListener("click", () => go(at)));
addEventListener("hashchange", addressed);
let before = 0;
addEventListener("beforeprint", () => { before = step; go(last); });
addEventListener("afterprint", () => go(before));
find("controls").hidden = false;
show(0);
addressed();
})();
