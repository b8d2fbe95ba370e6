// The server's answers and its news. What could not be sent is kept in the browser and sent again, so that nothing typed is lost.

export const id = document.body.dataset.id;
const listeners = [];
export const state = { files: {}, version: -1, steps: {}, spec: {}, players: null, variants: [] };
export let problems = [];
export let checked = -1;

export function on(listener) {
  listeners.push(listener);
}

function tell(event) {
  // a part of the page that asks while the server is away is told again when it is back
  for (const listener of listeners) Promise.resolve(listener(event)).catch(() => {});
}

export function saved(text, bad = false) {
  const line = document.getElementById("saved");
  line.textContent = text;
  line.classList.toggle("problem", bad);
}

export class Refused extends Error {
  constructor(answer, status) {
    super(answer.problem || "this can't be done");
    this.answer = answer;
    this.status = status;
  }
}

export async function ask(what, data = {}) {
  const response = await fetch(`/studio/${id}/${what}`, {
    method: what === "index" ? "GET" : "POST",
    ...(what === "index" ? {} : { body: JSON.stringify(data), headers: { "content-type": "application/json" } }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Refused(answer, response.status);
  return answer;
}

// ---------------------------------------------------------------- changes, in order, kept until the server has them

const KEY = `studio-${id}`;
let waiting = [];
try {
  waiting = JSON.parse(localStorage.getItem(KEY) || "[]");
} catch {
  waiting = [];
}
let sending = false;

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify(waiting));
  } catch {
    // without storage a page that is closed while the server is away loses what it could not send
  }
}

// a later text of the same file takes the place of an earlier one that has not been sent
export function change(what, data) {
  return new Promise((done, failed) => {
    if (what === "write") {
      const same = waiting.findIndex((w, i) => w.what === "write" && w.data.file === data.file && !(sending && i === 0));
      if (same >= 0) {
        waiting[same].data.text = data.text;
        waiting[same].also = [...(waiting[same].also || []), [done, failed]];
        keep();
        send();
        return;
      }
    }
    waiting.push({ what, data, also: [[done, failed]] });
    keep();
    send();
  });
}

async function send() {
  if (sending || !waiting.length) return;
  sending = true;
  saved("Saving …");
  while (waiting.length) {
    const first = waiting[0];
    try {
      if (first.what === "write" && hashes[first.data.file]) first.data.base = hashes[first.data.file];
      const answer = await ask(first.what, first.data);
      if (first.what === "write") hashes[first.data.file] = answer.hash;
      waiting.shift();
      keep();
      for (const [done] of first.also || []) done(answer);
    } catch (error) {
      if (error instanceof Refused) {
        waiting.shift();
        keep();
        saved(error.message, true);
        for (const [, failed] of first.also || []) failed(error);
        if (error.status === 409 && first.what === "write") tell({ type: "conflict", file: first.data.file, mine: first.data.text, theirs: error.answer.text });
      } else {
        saved("Not saved: the server is away. Trying again …", true);
        sending = false;
        setTimeout(send, 700);
        return;
      }
    }
  }
  sending = false;
  if (!document.getElementById("saved").classList.contains("problem")) saved("Saved");
}

// the hash of the text that an editor last got or saved, by file
export const hashes = {};

// ---------------------------------------------------------------- news

let tries = 0;
export function listen() {
  const socket = new WebSocket(`ws://${location.host}/studio/${id}/socket`);
  socket.onopen = () => {
    tries = 0;
    if (waiting.length) send();
    else saved("Saved");
  };
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.type === "state") Object.assign(state, message);
    if (message.type === "problems") {
      problems = message.problems;
      checked = message.version;
    }
    tell(message);
  };
  socket.onclose = () => {
    saved("The server is away. Trying again …", true);
    setTimeout(listen, Math.min(3000, 250 * 2 ** tries++));
  };
}
