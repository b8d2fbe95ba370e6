// What does it do? Pairs of games before and after the change, with progress, and what they show in sentences.

import { ask, id, on } from "./talk.js";
import { element, field } from "./page.js";

let place = null;

export async function compare(main, wanted, tools, index) {
  const variant = document.getElementById("variant").value;
  const body = element("div", { class: "compare", id: "compared" });
  place = body;
  const bots = element("select", { name: "bots" }, element("option", { value: "" }, "the bot that uses all of this game"), ...["greedy", "random", "mcts:50"].map((b) => element("option", { value: b }, b)));
  const games = element("select", { name: "games" }, ...[50, 100, 200, 1000].map((n) => element("option", { value: String(n), selected: n === 100 }, String(n))));
  const early = element("input", { type: "checkbox", name: "early", checked: true });
  const against = element("select", { name: "against" },
    ...(variant ? [element("option", { value: "base" }, `the game without ${variant}`)] : []),
    element("option", { value: "original" }, "the game as it was when it was first opened here"));
  main.replaceChildren(element("header", { class: "head" }, element("h2", {}, "What does it do?"),
    element("p", { class: "soft" }, "The same seeds are played before and after the change; what differs is the change, and luck that the intervals allow for.")),
  element("div", { class: "tools" }, field("Compare with", against), field("played by", bots), field("pairs of games", games),
    element("label", {}, early, " stop as soon as it is clear"),
    element("button", { type: "button", class: "main small", id: "start-compare", onclick: begin }, "Compare with the original"),
    element("button", { type: "button", class: "tool", id: "stop-compare", onclick: stop }, "Stop")), body);
  async function stop(event) {
    // a game that is being played is played to its end, if that takes no longer than a moment
    event.target.disabled = true;
    try {
      const last = await ask("compare", { stop: true });
      if (last.of) show(last);
    } finally {
      event.target.disabled = false;
    }
  }
  async function begin() {
    body.replaceChildren(element("p", { role: "status" }, "Reading the rules …"));
    try {
      show(await ask("compare", { against: against.value, bots: bots.value, games: Number(games.value), early: early.checked, variant, players: Number(document.getElementById("players").value) }));
    } catch (error) {
      body.replaceChildren(element("p", { class: "problem" }, error.message));
    }
  }
  const last = await ask("compare", { look: true });
  if (last.of) show(last);
}

on((event) => {
  if (event.type === "compare" && place && document.contains(place)) show(event);
});

function show(found) {
  if (found.problem) return place.replaceChildren(element("p", { class: "problem" }, found.problem));
  const number = (n) => (Number.isFinite(n) ? n.toFixed(2).replace("-", "−") : "?");
  const parts = [];
  parts.push(element("p", { role: "status", id: "compare-progress" }, found.running ? (found.text ? `${found.text} …` : `${found.done} of ${found.of} pairs of games`) : `${found.done} pairs of games${found.done < found.of ? (found.stopped ? ": stopped" : ": enough was seen") : ""}, played by ${found.bots}`));
  if (found.running) parts.push(element("progress", { max: String(found.of), value: String(found.done), "aria-label": "Progress" }));
  if (found.differences) parts.push(element("h3", {}, "What is different in the rules"), element("pre", { class: "diff" }, found.differences));
  if (found.measures?.length) {
    parts.push(element("h3", {}, "What it does"));
    parts.push(found.sentences.length ? element("ul", { class: "sentences", id: "sentences" }, ...found.sentences.map((s) => element("li", {}, s))) : element("p", { id: "sentences" }, "Nothing differs clearly so far."));
    parts.push(element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...["a game has", "before", "now", "difference", "95 %"].map((h) => element("th", { scope: "col" }, h)))),
      element("tbody", {}, ...found.measures.map((m) => element("tr", { class: m.clear ? "clear" : "" }, element("th", { scope: "row" }, m.measure), element("td", {}, number(m.a)), element("td", {}, number(m.b)), element("td", {}, number(m.difference)), element("td", {}, `${number(m.interval[0])} … ${number(m.interval[1])}`)))))));
    parts.push(element("p", { class: "soft" }, found.early ? "The intervals hold whenever the run is stopped." : "The intervals are for the whole number of games."));
  }
  if (found.chosen?.length) {
    parts.push(element("h3", {}, "Chosen more and less"), element("ul", {}, ...found.chosen.map((c) => element("li", {}, `${c.choice}: ${c.value} ${(100 * c.a).toFixed(1)} % → ${(100 * c.b).toFixed(1)} %`))));
  }
  if (found.seldom?.length) parts.push(element("p", { class: "soft" }, `These bots hardly ever do this, so the figures say little about it: ${found.seldom.join(", ")}.`));
  if (!found.running && found.done) parts.push(element("p", {}, element("a", { class: "tool", href: `/studio/${id}/compare.html`, download: "compare.html" }, "A page to share")));
  place.replaceChildren(...parts);
}
