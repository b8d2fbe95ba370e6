// The board as data: places dragged in the table's own picture, linked, and added.

import { ask, change, on, saved, state } from "./talk.js";
import { calmly } from "/static/calm.js";
import { askFor, element, field } from "./page.js";

let now = null;

export async function board(main, wanted, tools) {
  now = { main, wanted, tools, mode: now?.mode || "move", picked: null };
  main.replaceChildren(element("p", { class: "soft" }, "Drawing the board …"));
  await load();
}

export function leave() {
  now = null;
}

async function load() {
  const mine = now;
  const { version } = state;
  const found = await ask("board", { players: Number(document.getElementById("players").value) || null });
  calmly("board", () => {
    if (now !== mine) return;
    mine.found = found;
    mine.version = version;
    draw();
  });
}

on((event) => {
  if (now && event.type === "problems" && !event.errors && now.version !== state.version) load().catch((error) => saved(error.message, true));
});

function draw() {
  const { main, found, mode } = now;
  const told = main.querySelector("#picked")?.textContent || "";
  const focused = main.contains(document.activeElement) && document.activeElement.dataset.member;
  if (!document.querySelector(`link[href="${found.style}"]`)) document.head.append(element("link", { rel: "stylesheet", href: found.style }));
  const ways = { move: "Drag places, or move them with the arrow keys.", link: "Click two places: what links them is made, or taken away.", add: "Click a place to copy, then where the new one goes." };
  const picker = element("fieldset", { class: "modes" }, element("legend", { class: "hidden-words" }, "What a click does"),
    ...Object.keys(ways).map((name) => element("label", {}, element("input", { type: "radio", name: "mode", value: name, checked: name === mode, onchange: () => setMode(name) }), ` ${name}`)));
  const frame = element("div", { class: "frame studio-board" });
  frame.innerHTML = found.picture;
  main.replaceChildren(element("header", { class: "head" }, element("h2", {}, "The board"), picker, element("p", { class: "soft", id: "mode-help" }, ways[mode]),
    element("p", { id: "picked", role: "status" }, told), found.old ? element("p", { class: "problem" }, "There are mistakes in the rules: the picture is that of the last ones that were right.") : null), frame);
  if (!found.layers.length) main.querySelector("#mode-help").textContent = "No place of this board stands in a column of a table, so nothing can be dragged.";
  for (const layer of found.layers) {
    for (const name of Object.keys(layer.places)) {
      const g = frame.querySelector(`[data-member="${CSS.escape(`${layer.kind}/${name}`)}"]`);
      if (!g) continue;
      g.classList.add("place");
      g.setAttribute("tabindex", "0");
      g.setAttribute("role", "button");
      g.addEventListener("pointerdown", (event) => down(event, g, layer, name));
      g.addEventListener("keydown", (event) => key(event, g, layer, name));
    }
  }
  frame.addEventListener("click", (event) => place(event, frame));
  // who moves a place by keys goes on with it
  if (focused) frame.querySelector(`[data-member="${CSS.escape(focused)}"].place`)?.focus({ preventScroll: true });
  function setMode(name) {
    now.mode = name;
    now.picked = null;
    main.querySelector("#mode-help").textContent = ways[name];
    tell("");
  }
}

function tell(text) {
  // whoever was answered too late looks at something else by now
  const line = now?.main.querySelector("#picked");
  if (line) line.textContent = text;
}

function spot(event, svg) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [Math.round(point.x), Math.round(point.y)];
}

function inPicture([x, y], svg) {
  const { width, height } = svg.viewBox.baseVal;
  return [Math.max(0, Math.min(width, x)), Math.max(0, Math.min(height, y))];
}

function shift(g, [x, y]) {
  g.setAttribute("transform", `translate(${x} ${y})`);
}

function down(event, g, layer, name) {
  if (now.mode !== "move") return;
  event.preventDefault();
  const svg = g.closest("svg");
  const start = spot(event, svg);
  const from = layer.places[name];
  let at = from;
  g.setPointerCapture(event.pointerId);
  g.classList.add("dragged");
  const move = (e) => {
    const [x, y] = spot(e, svg);
    at = inPicture([from[0] + x - start[0], from[1] + y - start[1]], svg);
    shift(g, at);
  };
  const up = () => {
    g.removeEventListener("pointermove", move);
    g.classList.remove("dragged");
    if (at[0] !== from[0] || at[1] !== from[1]) put(layer, name, at);
  };
  g.addEventListener("pointermove", move);
  g.addEventListener("pointerup", up, { once: true });
}

function key(event, g, layer, name) {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (step && now.mode === "move") {
    event.preventDefault();
    const size = event.shiftKey ? 10 : 1;
    const at = inPicture([layer.places[name][0] + step[0] * size, layer.places[name][1] + step[1] * size], g.closest("svg"));
    shift(g, at);
    layer.places[name] = at;
    clearTimeout(now.waiting);
    now.waiting = setTimeout(() => put(layer, name, at), 400);
  } else if (event.key === "Enter" && now.mode !== "move") {
    event.preventDefault();
    pick(layer, name);
  }
}

async function put(layer, name, at) {
  layer.places[name] = at;
  await done({ op: "cell", table: layer.kind, row: name, column: layer.at, value: at });
  tell(`${name} is at ${at.join(", ")}`);
}

async function done(operation) {
  try {
    await change("edit", { ...operation, variant: now?.wanted.variant || undefined });
    return true;
  } catch (error) {
    saved(error.message, true);
    tell(error.message);
    return false;
  }
}

function place(event, frame) {
  if (!now || now.mode === "move") return;
  const g = event.target.closest(".place");
  if (g && !(now.mode === "add" && now.picked)) {
    const [kind, ...rest] = g.dataset.member.split("/");
    const layer = now.found.layers.find((l) => l.kind === kind);
    if (layer) pick(layer, rest.join("/"));
  } else if (now.mode === "add" && now.picked) {
    const svg = event.target.closest("svg");
    if (svg) add(inPicture(spot(event, svg), svg));
  }
}

function pick(layer, name) {
  if (now.mode === "link" && now.picked) return link(now.picked, { layer, name });
  now.picked = { layer, name };
  tell(now.mode === "link" ? `${name}: and which other?` : `${name}: where does the new one go?`);
}

async function add(at) {
  const { layer, name } = now.picked;
  now.picked = null;
  const found = await askFor(`A new ${layer.kind}, like ${name}`, [field("Name", element("input", { name: "name", required: true, pattern: "[A-Za-z][A-Za-z0-9_]*([.\\-][A-Za-z0-9_]+)*" }))], "Add");
  if (!found) return tell("");
  const made = found.get("name").trim();
  const all = [{ op: "copy", table: layer.kind, row: name, name: made }, { op: "cell", table: layer.kind, row: made, column: layer.at, value: at }];
  // a copy has none of the links of its model: it hangs on that alone, and other links are made by clicks
  if (layer.links) all.push({ op: "cell", table: layer.kind, row: made, column: layer.links, value: [name] });
  if (layer.joins) all.push({ op: "cell", table: layer.kind, row: made, column: layer.joins, value: [] });
  try {
    await change("edit", { all: all.map((o) => ({ ...o, variant: now?.wanted.variant || undefined })) });
    tell(`${made} is there${layer.links ? `, linked to ${name}` : ""}. It may need ${layer.joins || layer.links ? "other links, and " : ""}other columns of its own.`);
  } catch (error) {
    saved(error.message, true);
    tell(error.message);
  }
}

async function link(a, b) {
  now.picked = null;
  // one end is enough; where two kinds meet, the one that has the column holds it
  let from = a, to = b, column = "";
  if (a.layer.kind === b.layer.kind) column = a.layer.links;
  else if (a.layer.joins && a.layer.joined === b.layer.kind) column = a.layer.joins;
  else if (b.layer.joins && b.layer.joined === a.layer.kind) [from, to, column] = [b, a, b.layer.joins];
  if (!column) return tell(`Nothing links a ${a.layer.kind} and a ${b.layer.kind}.`);
  const rows = (await ask("grid", { table: from.layer.kind, variant: now.wanted.variant })).rows;
  const cell = (name) => rows.find((r) => r.name === name).cells[column].value || [];
  const mine = cell(from.name);
  let ok;
  if (mine.includes(to.name)) ok = await done({ op: "cell", table: from.layer.kind, row: from.name, column, value: mine.filter((n) => n !== to.name) });
  else if (a.layer.kind === b.layer.kind && cell(to.name).includes(from.name)) ok = await done({ op: "cell", table: from.layer.kind, row: to.name, column, value: cell(to.name).filter((n) => n !== from.name) });
  else ok = await done({ op: "cell", table: from.layer.kind, row: from.name, column, value: [...mine, to.name] });
  if (ok) tell(`${from.name} – ${to.name}`);
}
