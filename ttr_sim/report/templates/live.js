"use strict";
(() => {
  const bar = document.getElementById("live");
  const say = (words) => { bar.textContent = words; bar.hidden = !words; };
  if (location.protocol === "file:") {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Show the newest page";
    button.addEventListener("click", () => location.reload());
    bar.hidden = false;
    bar.append(button);
    return;
  }
  const look = async () => {
    let state;
    try {
      state = await (await fetch("state", { cache: "no-store" })).json();
    } catch {
      say("ttr-sim has ended; this page stays as it is.");
      return;
    }
    if (String(state.version) !== bar.dataset.version) { location.reload(); return; }
    say(state.message);
    setTimeout(look, 500);
  };
  look();
})();
