// A table with the rules as they are, beside the editor. When the rules change, its game is carried over as far as it goes.

import { ask, saved, state } from "./talk.js";
import { element } from "./page.js";

let table = null;
let version = -1;
let frame = null;
let note = null;

export const playing = () => table !== null && document.contains(frame);

export async function play(tools, variant) {
  const players = Number(document.getElementById("players").value) || state.players;
  const seats = ["human", ...Array(players - 1).fill("greedy")];
  try {
    const answer = await ask("play", { players, seats, variants: own(variant) });
    show(tools, answer);
  } catch (error) {
    saved(error.message, true);
  }
}

const own = (variant) => (variant && state.spec.variants?.some((v) => v.name === variant && !v.automatic) ? [variant] : []);

function show(tools, answer) {
  table = answer.table;
  version = state.version;
  frame = element("iframe", { class: "table-frame", title: "The table", src: `/studio/sit/${table}`,
    // the list of all games has no place beside the rules
    onload: (event) => event.target.contentDocument?.querySelectorAll('header a[href="/"]').forEach((a) => (a.hidden = true)) });
  note = element("p", { id: "carried", class: "soft", role: "status" });
  tools.beside(element("h2", {}, "Play"), element("p", { class: "tools" },
    element("button", { type: "button", class: "tool", onclick: () => again(tools) }, "Begin anew"),
    element("button", { type: "button", class: "tool", id: "set-up", onclick: () => setUp(tools) }, "Set up a position"),
    element("a", { class: "tool", href: `/studio/sit/${table}`, target: "_blank", rel: "noopener" }, "On a page of its own")), note, frame);
  if (answer.old) note.textContent = "There are mistakes in the rules: this table has the last ones that were right.";
  else if (answer.carried) tellCarried(answer.carried);
}

function tellCarried({ decisions, of, stopped }) {
  note.textContent = stopped ? `Carried over up to decision ${decisions} of ${of}: ${stopped}.` : `The game goes on under the new rules (${decisions} decisions carried over).`;
}

function again(tools) {
  play(tools, document.getElementById("variant").value);
}

export async function carry(tools, variant, now) {
  if (now === version) return;
  version = now;
  try {
    const players = Number(document.getElementById("players").value) || state.players;
    const answer = await ask("play", { players, carry: table, variants: own(variant) });
    if (playing()) show(tools, answer);
  } catch (error) {
    if (note) note.textContent = `The table stays with the rules before: ${error.message}`;
  }
}

async function setUp(tools) {
  const { position } = await import("./position.js");
  await position(tools, table, (answer) => show(tools, answer));
}
