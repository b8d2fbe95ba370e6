// A position set up by hand: all that the rules keep, each by its type; played from there, or the beginning of a scenario.

import { ask } from "./talk.js";
import { element } from "./page.js";
import { called, heap, input, pile } from "./values.js";
import { scenario } from "./scenario.js";

export async function position(tools, table, played) {
  const found = await ask("position", { table });
  // a copy in which things are changed, in the form of a save
  const now = JSON.parse(JSON.stringify({ state: found.save.state, zones: found.save.zones, pieces: found.save.pieces }));
  const was = JSON.stringify(now);
  const note = element("p", { role: "status", id: "position-note" });
  const members = { ...found.members, seats: found.seats };
  const row = (name, ...inputs) => element("tr", { "data-part": name }, element("th", { scope: "row" }, name.replaceAll("_", " ")), element("td", {}, ...inputs));
  const mark = (name) => table_.querySelector(`[data-part="${CSS.escape(name)}"]`)?.classList.add("changed");
  const states = Object.entries(found.types).map(([name, type]) => row(name, input(type, now.state[name], name, members, (value) => {
    now.state[name] = value;
    possible(value, now.state[`${name}.may_be`]);
    mark(name);
  })));
  const zones = found.families.flatMap((family) => family.zones.map((zone) => row(zone.name, heaps(family, zone, zone.keys || (zone.per ? [zone.per] : []), []))));

  // a zone, or each of those that there are for a kind or for several
  function heaps(family, zone, keys, path) {
    const at = path.reduce((part, key) => part[key], now.zones[zone.name]);
    const label = [zone.name, ...path.map((key, i) => called((zone.keys || [zone.per])[i], key, members))].join(" ");
    if (keys.length) {
      return element("div", { class: "map" }, ...Object.keys(at).map((key) => element("div", { class: "pair" }, element("span", { class: "key" }, called(keys[0], key, members)),
        heaps(family, zone, keys.slice(1), [...path, key]))));
    }
    const kind = family.kind.kind;
    const put = (all, name, next) => {
      const inside = [name, ...path];
      inside.slice(0, -1).reduce((part, key) => part[key], all)[inside.at(-1)] = next;
      mark(zone.name);
    };
    const order = zone.order && path.reduce((part, key) => part[key], now.state[`${zone.name}.order`]);
    if (order?.length ? order.every((piece) => piece !== null) : order && !zone.seen) {
      return pile(kind, order, label, members, (next) => {
        put(now.state, `${zone.name}.order`, next);
        if (zone.seen) put(now.state, `${zone.name}.seen`, next.map(() => []));
        const counts = {};
        for (const piece of next) counts[piece] = (counts[piece] || 0) + 1;
        put(now.zones, zone.name, counts);
      });
    }
    return heap(kind, at, label, members, (next) => {
      put(now.zones, zone.name, next);
      if (!zone.order) return;
      // what lies there is known, and nothing of what lies where
      const places = Object.entries(next).flatMap(([piece, n]) => Array(n).fill(zone.seen ? null : piece));
      put(now.state, `${zone.name}.order`, places);
      if (zone.seen) put(now.state, `${zone.name}.seen`, places.map(() => []));
    });
  }
  const standing = found.families.filter((f) => f.standing).map((family) => pieces(family, now, members, found, () => mark(family.standing.name)));
  const play = async () => {
    try {
      // which options there are follows from the position; those of the save were those of another one
      const at = { ...found.save.at };
      if (JSON.stringify(now) !== was) delete at.options;
      const seats = ["human", ...Array(found.players - 1).fill("greedy")];
      played(await ask("play", { players: found.players, variants: own(found.variants), seats, position: { ...found.save, ...now, at } }));
    } catch (error) {
      note.textContent = error.message;
      note.classList.add("problem");
    }
  };
  const table_ = element("table", { class: "position grid" }, element("tbody", {}, ...states, ...zones, ...standing));
  tools.beside(element("h2", {}, "Set up a position"),
    element("p", { class: "soft" }, "What the rules keep, as it is at the table. To be played from, it is looked at as a save is; a scenario may hold what no game leads to."),
    element("p", { class: "tools" }, element("button", { type: "button", class: "main small", id: "play-position", onclick: play }, "Play from here"),
      element("button", { type: "button", class: "main small", id: "write-scenario", onclick: () => scenario(tools, found, now, own(found.variants), () => position(tools, table, played)) }, "Write a scenario from here")), note, table_);
}

// what is set by hand is possible for those who can't look, too
function possible(value, known) {
  if (Array.isArray(known)) {
    if (!known.includes(value)) known.push(value);
  } else if (known) for (const key of Object.keys(known)) possible(value[key], known[key]);
}

// standing pieces, one line for each
function pieces(family, now, members, found, changed) {
  const { name, types } = family.standing;
  const list = element("div", { class: "pieces" });
  const everybody = 2 ** found.players - 1;
  const draw = () => list.replaceChildren(...Object.entries(now.pieces[name]).map(([handle, piece]) => {
    const part = (key, type) => element("label", {}, `${key} `, input(type, piece[key], `${name} ${handle} ${key}`, members, (value) => {
      piece[key] = value;
      changed();
    }));
    return element("div", { class: "piece" }, element("b", {}, `${handle} `), part("value", family.kind), family.per ? part("owner", family.per) : null,
      ...Object.entries(types).map(([key, type]) => part(key, type)),
      element("label", {}, "known to all ", element("input", { type: "checkbox", checked: piece.known === everybody, onchange: (e) => {
        piece.known = e.target.checked ? everybody : family.per ? 2 ** piece.owner : 0;
        changed();
      } })),
      element("button", { type: "button", class: "mini", "aria-label": `Take away ${name} ${handle}`, onclick: () => {
        delete now.pieces[name][handle];
        changed();
        draw();
      } }, "✕"));
  }), element("button", { type: "button", class: "tool", onclick: () => {
    let free = 1;
    while (now.pieces[name][free]) free++;
    const first = (type) => (type.t === "kind" ? (["Player"].includes(type.kind) ? 0 : members[type.kind][0]) : type.t === "bool" ? false : type.t === "int" ? type.low || 0 : type.t === "opt" ? null : []);
    now.pieces[name][free] = { value: members[family.kind.kind][0], known: everybody, guess: String(2 ** family.kind.size - 1), ...(family.per ? { owner: 0 } : {}), ...Object.fromEntries(Object.entries(types).map(([k, t]) => [k, first(t)])) };
    changed();
    draw();
  } }, `Put one more ${name}`));
  draw();
  return element("tr", { "data-part": name }, element("th", { scope: "row" }, name), element("td", {}, list));
}

const own = (variants) => {
  const chosen = document.getElementById("variant").value;
  return variants.includes(chosen) ? [chosen] : [];
};
