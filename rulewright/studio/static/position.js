// A position set up by hand: everything that the rules keep, by name; played from there, or kept as a scenario.

import { ask, saved } from "./talk.js";
import { element, field } from "./page.js";

// values are shown and read as JSON without quotes around plain words
const shown = (value) => JSON.stringify(value).replace(/"([A-Za-z_][\w.-]*|\d+)"/g, "$1").replace(/([:,])(?=\S)/g, "$1 ");

export function parse(text) {
  const quoted = text.replace(/'([^']*)'|"([^"]*)"|([A-Za-z_][\w.-]*)/g, (all, a, b, word) => {
    if (word === undefined) return JSON.stringify(a ?? b);
    return ["true", "false", "null"].includes(word) ? word : JSON.stringify(word);
  }).replace(/([{,]\s*)(\d+)(\s*:)/g, '$1"$2"$3');
  return JSON.parse(quoted);
}

export async function position(tools, table, played) {
  const found = await ask("position", { table });
  const inputs = {};
  const row = (group, name, value) => {
    const area = element("textarea", { rows: "1", spellcheck: "false", "aria-label": name, name: `${group}/${name}` });
    area.value = shown(value);
    inputs[`${group}/${name}`] = { area, before: area.value, group, name };
    return element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, area));
  };
  const note = element("p", { role: "status", id: "position-note" });
  const read = () => {
    const out = { state: {}, zones: {}, changed: {} };
    for (const { area, before, group, name } of Object.values(inputs)) {
      try {
        out[group][name] = parse(area.value);
        area.classList.remove("refused");
      } catch {
        area.classList.add("refused");
        throw new Error(`${name}: this is no value; write numbers, names, [lists] and {keys: values}`);
      }
      if (area.value !== before) out.changed[name] = out[group][name];
    }
    return out;
  };
  const does = (what) => async () => {
    try {
      await what();
    } catch (error) {
      note.textContent = error.message;
    }
  };
  const play = does(async () => {
    const now = read();
    const save = { ...found.save, state: { ...found.save.state, ...now.state }, zones: now.zones };
    const seats = ["human", ...Array(found.players - 1).fill("greedy")];
    played(await ask("play", { players: found.players, variants: own(found.variants), seats, position: save }));
  });
  const text = (label, name, value = "", size = "44") => field(label, element("input", { name, value, size, "aria-label": label }));
  const form = element("form", { onsubmit: (e) => e.preventDefault() },
    text("Name", "name"), text("Clauses that it covers", "covers"), text("Procedure to run, such as turn(0); empty: the game as it begins", "call"),
    text("Decisions, as {label: value}, {label: value}", "when"), text("Expected in the end", "then", "{decides: nobody}"),
    element("button", { type: "button", class: "main small", id: "keep-scenario", onclick: does(keep) }, "Keep it as a scenario"));
  async function keep() {
    const now = read();
    const data = new FormData(form);
    const given = { ...now.changed };
    const answer = await ask("keep", {
      name: data.get("name"), covers: data.get("covers").split(",").map((c) => c.trim()).filter(Boolean), players: found.players, variants: own(found.variants), given,
      call: data.get("call"), when: data.get("when").trim() ? parse(`[${data.get("when")}]`) : [], then: parse(data.get("then")),
    });
    note.replaceChildren("Kept in ", element("button", { type: "button", class: "link", onclick: () => tools.text(answer.file, answer.line) }, `${answer.file}:${answer.line}`), ". Run the scenarios under Clauses to see whether it holds.");
    saved("Saved");
  }
  tools.beside(element("h2", {}, "Set up a position"),
    element("p", { class: "soft" }, "What the rules keep, as it is at the table. A scenario may hold what no play leads to; to be played from, it is looked at as a save is."),
    element("p", { class: "tools" }, element("button", { type: "button", class: "main small", id: "play-position", onclick: play }, "Play from here")), note,
    element("table", { class: "position grid" }, element("tbody", {}, ...Object.entries(found.state).map(([k, v]) => row("state", k, v)), ...Object.entries(found.zones).map(([k, v]) => row("zones", k, v)))),
    element("h3", {}, "As a scenario"), element("p", { class: "soft" }, "What you changed above is its position."), form);
}

const own = (variants) => {
  const chosen = document.getElementById("variant").value;
  return variants.includes(chosen) ? [chosen] : [];
};
