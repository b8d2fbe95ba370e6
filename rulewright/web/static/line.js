// A table's socket → patches of the page. The connection is made anew as often as it breaks; what was sent and not
// answered is sent again, and the server counts it once.

import { calmly } from "./calm.js";
import { move, standing } from "./moves.js";

export const words = JSON.parse(document.body.dataset.words);

export function say(key, values = {}) {
  return Object.entries(values).reduce((text, [k, v]) => text.replace(`{${k}}`, v), words[key]);
}

export class Line {
  constructor(table, heard) {
    this.url = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/table/${table}/socket`;
    this.heard = heard;
    this.pending = null;
    this.tries = 0;
    this.open();
  }

  open() {
    this.socket = new WebSocket(this.url);
    this.socket.onopen = () => {
      this.tries = 0;
      this.heard({ type: "open" });
      if (this.pending) this.socket.send(JSON.stringify(this.pending));
    };
    // a click on what a patch replaces would be lost
    this.socket.onmessage = (event) => calmly(null, () => this.heard(JSON.parse(event.data)));
    this.socket.onclose = () => {
      this.heard({ type: "closed" });
      const wait = Math.min(5000, 250 * 2 ** this.tries++) * (0.75 + Math.random() / 2);
      setTimeout(() => this.open(), wait);
    };
  }

  get up() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  send(message) {
    if (this.up) this.socket.send(JSON.stringify(message));
  }

  // a decision: kept until the server has answered
  decide(message) {
    this.pending = message;
    this.send(message);
  }
}

// ---------------------------------------------------------------- patches

// What the keyboard was last on, so that it can be found again in what takes its place. A button that is disabled for
// a moment loses the keyboard; who uses the mouse is left alone.
let last = null;
let keys = false;
document.addEventListener("keydown", () => (keys = true), true);
document.addEventListener("pointerdown", () => (keys = false), true);
document.addEventListener("focusin", ({ target }) => {
  const { member, option, copy, ask } = target.dataset;
  const listed = option && `[data-option="${CSS.escape(option)}"]${copy ? `[data-copy="${copy}"]` : ""}`;
  const named = member ? `[data-member="${CSS.escape(member)}"]` : listed || (ask ? `[data-ask="${ask}"]` : null);
  last = {
    same: named || (target.id ? `#${CSS.escape(target.id)}` : null),
    inside: target.closest("#options, #picture")?.id,
  };
});

export function patch(html) {
  const before = standing();
  for (const [id, text] of Object.entries(html)) {
    const element = document.getElementById(id);
    if (element) element.outerHTML = text;
  }
  move(before);
}

export function focusAgain() {
  if (!keys || !last || (document.activeElement && document.activeElement !== document.body)) return;
  const { same, inside } = last;
  const found = inside && same && document.querySelector(`#${inside} ${same}`);
  const next = inside && document.querySelector("#options .option:not(:disabled)");
  (found && !found.disabled ? found : next)?.focus();
}

export function tell(list, [start, items]) {
  while (list.children.length > start) list.lastElementChild.remove();
  list.insertAdjacentHTML("beforeend", items.join(""));
  const box = list.parentElement;
  if (items.length) box.scrollTop = box.scrollHeight;
}

export function answer(html) {
  document.getElementById("answer").innerHTML = html;
}

export function problem(text) {
  const p = document.createElement("p");
  p.className = "problem";
  p.textContent = text;
  document.getElementById("answer").replaceChildren(p);
}

export function connected(up) {
  const line = document.getElementById("connection");
  line.textContent = up ? "" : words.offline;
  document.body.classList.toggle("offline", !up);
}
