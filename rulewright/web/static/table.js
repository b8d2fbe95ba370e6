// A table's page → decisions by click and keys, and the page kept as the game stands.

import { Line, answer, connected, focusAgain, patch, problem, say, tell, words } from "./line.js";

const body = document.body;
const title = body.dataset.title;
const story = document.getElementById("story");
let version = Number(body.dataset.version);
let steps = story.children.length;
let looking = -1;
let mine = false;
let since = 0;

const line = new Line(body.dataset.table, heard);

function heard(message) {
  if (message.type === "open" || message.type === "closed") {
    connected(message.type === "open");
    disable();
  } else if (message.type === "patch") {
    if (line.pending && message.version > line.pending.version) line.pending = null;
    version = message.version;
    body.dataset.version = version;
    steps = message.steps;
    looking = message.looking;
    mine = message.mine;
    since = message.since;
    patch(message.html);
    tell(story, message.story);
    if (looking < 0 && showing !== null) at("live");
    fresh();
    disable();
    light();
    document.title = mine ? `● ${words.your_turn} – ${title}` : title;
    showLooking();
  } else if (message.type === "why") {
    answer(message.html);
  } else if (message.type === "problem") {
    line.pending = null;
    problem(message.text);
    disable();
  }
}

// no click is lost in silence: nothing can be chosen while the line is down or an answer is awaited
function disable() {
  const off = !line.up || line.pending !== null;
  for (const button of document.querySelectorAll("#options button, #seats button")) {
    button.disabled = off || button.dataset.off !== undefined;
  }
  body.classList.toggle("waiting", off);
  showMarks();
  if (!off) focusAgain();
}

function showLooking() {
  document.getElementById("looking").hidden = looking < 0;
  if (looking >= 0) document.getElementById("looking-at").textContent = say("step_of", { step: looking, last: steps });
  for (const item of story.children) item.classList.toggle("shown", Number(item.dataset.step) === looking);
}

// what came since this seat last decided stands out, and can be gone through step by step
let showing = null;
function fresh() {
  for (const item of story.children) item.classList.toggle("new", since > 0 && Number(item.dataset.step) > since);
  document.getElementById("since").hidden = !since || steps <= since || showing !== null;
}

function showSince() {
  let step = since;
  clearInterval(showing);
  const next = () => {
    step += 1;
    if (step >= steps) at("live");
    else line.send({ type: "at", step });
  };
  showing = setInterval(next, 1200);
  next();
}

function choose(action) {
  if (!line.up || line.pending) return;
  answer("");
  line.decide({ type: "choose", version, action });
  disable();
}

// an option of the list: taken at once, or in a choice of several marked, and marked no more
function press(option) {
  const { action, copy } = option.dataset;
  if (copy === undefined) choose(Number(action));
  else mark(Number(action), marked(action).length + (option.ariaPressed === "true" ? -1 : 1));
}

function mark(action, count) {
  if (!line.pending) line.send({ type: "mark", version, action, count });
}

function marked(action) {
  const own = action === undefined ? "" : `[data-action="${action}"]`;
  return [...document.querySelectorAll(`#options .option${own}[aria-pressed="true"]`)];
}

// what is marked in the list is marked on the board
function showMarks() {
  const names = new Set(marked().map((option) => option.dataset.option));
  for (const one of document.querySelectorAll("#picture .picked")) one.classList.toggle("picked", names.has(one.dataset.member));
  for (const name of names) {
    for (const one of document.querySelectorAll(`#picture .target[data-member="${CSS.escape(name)}"]`)) one.classList.add("picked");
  }
}

// all that is marked, as one decision
function whole() {
  const button = document.querySelector('[data-ask="whole"]');
  if (!button || button.disabled || !line.up || line.pending) return;
  answer("");
  line.decide({ type: "whole", version, actions: marked().map((option) => Number(option.dataset.action)) });
  disable();
}

// on the board a click marks one more of a kind as long as there is one, then none of it
function touchMark(action) {
  const free = document.querySelector(`#options .option[data-action="${action}"][aria-pressed="false"]:not([data-off])`);
  const count = marked(action).length;
  if (free) mark(action, count + 1);
  else if (count) mark(action, 0);
  return free || count;
}

// a click on the board: one action is taken, several are offered in the list, none asks why not
function touch(touched) {
  const element = meantBy(touched);
  const actions = (element.dataset.actions || "").split(" ").filter(Boolean).map(Number);
  const several = document.querySelector("#options.several") !== null;
  if (several && actions.some(touchMark)) return;
  if (actions.length === 1 && !several) choose(actions[0]);
  else if (actions.length > 1) {
    narrow(actions);
    document.querySelector(`.option[data-action="${actions[0]}"]`)?.focus();
  } else line.send({ type: "why", member: element.dataset.member });
}

// a piece that can't be chosen leaves the click to the place on which it stands
function meantBy(element) {
  const on = element.dataset.actions ? null : element.closest('#picture g[id$="-on"]');
  const place = on && document.getElementById(on.id.slice(0, -3));
  return place?.dataset.actions ? place : element;
}

function narrow(actions) {
  for (const option of document.querySelectorAll(".option")) {
    option.classList.toggle("meant", actions.includes(Number(option.dataset.action)));
  }
}

function at(step) {
  if (step === "since") return showSince();
  clearInterval(showing);
  showing = null;
  const now = looking < 0 ? steps : looking;
  const wanted = { before: Math.max(1, now - 1), after: now + 1 >= steps ? -1 : now + 1, live: -1 }[step];
  line.send({ type: "at", step: wanted ?? Number(step) });
}

function ask(what) {
  if (what === "undo") line.send({ type: "undo", version });
  else if (what === "whole") whole();
  else {
    const option = document.activeElement?.closest(".option");
    line.send({ type: "why", ...(option ? { action: Number(option.dataset.action) } : {}) });
  }
}

// ---------------------------------------------------------------- mouse and touch

document.addEventListener("click", (event) => {
  const element = event.target.closest("[data-action], [data-member], [data-ask], [data-at], [data-sit], [data-hand], [data-return], [data-copy]");
  if (!element) return;
  const data = element.dataset;
  if (data.action !== undefined) press(element);
  else if (data.ask) ask(data.ask);
  else if (data.at) at(data.at);
  else if (data.sit) line.send({ type: "sit", seat: Number(data.sit) });
  else if (data.hand) hand(Number(data.hand));
  else if (data.return) line.send({ type: "hand", seat: Number(data.return), bot: "" });
  else if (data.copy) copy(data.copy, element);
  else if (data.member) touch(element);
});

async function hand(seat) {
  const dialog = document.getElementById("hand");
  dialog.returnValue = "";
  dialog.showModal();
  dialog.onclose = () => {
    const bot = document.getElementById("hand-bot").value;
    if (dialog.returnValue === "yes") line.send({ type: "hand", seat, bot });
  };
}

async function copy(id, button) {
  const field = document.getElementById(id);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = words.copied;
  } catch {
    document.execCommand("copy");
  }
}

// an option and its place on the board light up together; on the board a line tells what the option says and brings
const hint = document.getElementById("hint");
let pointed = null;
for (const kind of ["pointerover", "focusin"]) {
  document.addEventListener(kind, (event) => {
    pointed = event.target;
    light();
  });
}

function light() {
  const on = [pointed, document.activeElement].find((e) => e?.isConnected && e.closest?.(".option, #picture [data-member]"));
  const option = on?.closest(".option");
  const over = on?.closest("#picture [data-member]");
  const target = over && meantBy(over);
  for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
  const place = option && document.querySelector(`#picture [data-member="${CSS.escape(option.dataset.option)}"]`);
  place?.classList.add("lit");
  const meant = (target?.dataset.actions || "").split(" ").filter(Boolean);
  const options = meant.map((action) => document.querySelector(`.option[data-action="${action}"]`)).filter(Boolean);
  for (const one of options) one.classList.add("lit");
  hint.hidden = !options.length;
  hint.textContent = options.slice(0, 3).map(told).join(" · ");
}

function told(option) {
  const parts = [".words", ".brings", ".about"].map((part) => option.querySelector(part)?.textContent.trim());
  return parts.filter(Boolean).join(" – ");
}

// ---------------------------------------------------------------- keys

let typed = "";
let typing;

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, select, textarea, dialog, summary")) return;
  const element = document.activeElement;
  if (event.key >= "0" && event.key <= "9") number(event.key);
  else if (event.key === "Enter" && typed) number("");
  else if ((event.key === "Enter" || event.key === " ") && element?.dataset.member) touch(element);
  else if (event.key === "ArrowDown" || event.key === "ArrowRight") move(1);
  else if (event.key === "ArrowUp" || event.key === "ArrowLeft") move(-1);
  else if (event.key === "u") ask("undo");
  else if (event.key === "c") whole();
  else if (event.key === "[") at("before");
  else if (event.key === "]" && looking >= 0) at("after");
  else if (event.key === "?") ask("clauses");
  else if (event.key === "Escape") {
    answer("");
    narrow([]);
    if (looking >= 0) at("live");
  } else return;
  event.preventDefault();
});

// numbers choose an option: at once when no longer number begins so, else after a moment or Enter
function number(digit) {
  clearTimeout(typing);
  typed += digit;
  const options = [...document.querySelectorAll("#options .option")];
  const option = options[Number(typed) - 1];
  const done = () => {
    typed = "";
    if (option && !option.disabled) press(option);
  };
  if (!digit || Number(typed) * 10 > options.length) done();
  else {
    option?.focus();
    typing = setTimeout(() => (typed = ""), 1500);
  }
}

// arrows move within the list or among what can be clicked on the board, whichever the keyboard is on; where the board offers
// nothing any more, within the list
function move(by) {
  const board = document.activeElement?.closest("#picture") ? [...document.querySelectorAll("#picture .target")] : [];
  const all = board.length ? board : [...document.querySelectorAll("#options .option")];
  if (!all.length) return;
  const now = all.indexOf(document.activeElement);
  all[now < 0 ? (by > 0 ? 0 : all.length - 1) : (now + by + all.length) % all.length].focus();
}

// ---------------------------------------------------------------- your tables, for the lobby

try {
  const kept = JSON.parse(localStorage.getItem("tables") || "[]").filter((t) => t.id !== body.dataset.table);
  kept.unshift({ id: body.dataset.table, title, when: Date.now() });
  localStorage.setItem("tables", JSON.stringify(kept.slice(0, 20)));
} catch {
  // without storage the lobby lists nothing
}
