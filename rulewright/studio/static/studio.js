// The studio's page: what is open, what is wrong, and the parts beside it.

import { ask, change, hashes, id, listen, on, problems, saved, state } from "./talk.js";
import { calmly } from "/static/calm.js";
import { askFor, element, field } from "./page.js";
import { editor, problemBox } from "./editor.js";
import { grid, lastCode, leave as leaveGrid } from "./grid.js";
import { board, leave as leaveBoard } from "./board.js";
import { clauses, mutants } from "./clauses.js";
import { compare } from "./compare.js";
import { play, playing, carry } from "./play.js";

const main = document.getElementById("main");
const nav = document.getElementById("nav");
const side = document.getElementById("side");
let index = null;
// what is open: a kind of view and what it shows
let view = { kind: "none" };
let open = null;
let typing = 0;

// ---------------------------------------------------------------- what is open

const tools = {
  text: (file, line = 1, column = 1, endLine = line, endColumn = column) => go({ kind: "text", file }, { line, column, endLine, endColumn }),
  clause: (clause) => go({ kind: "clauses", clause }),
  fix: async (fix) => {
    open?.flush?.();
    try {
      await change("fix", fix);
    } catch (error) {
      saved(error.message, true);
    }
  },
  uses: async (row) => {
    const { uses } = await ask("uses", { row });
    const heaps = { Rules: [], "Tables, variants, picture and bots": [], "Scenarios and rulebook": [] };
    for (const u of uses) heaps[u.file.endsWith(".rules") ? "Rules" : /^(scenarios|clauses)\//.test(u.file) ? "Scenarios and rulebook" : "Tables, variants, picture and bots"].push(u);
    beside(element("h2", {}, `Where ${row} is named`), ...(uses.length ? Object.entries(heaps).filter(([, found]) => found.length).map(([title, found], i) => element("details", { open: i === 0 || found.length < 12 },
      element("summary", {}, `${title}: ${found.length}`), element("ul", { class: "uses" }, ...found.map((u) => element("li", {},
        element("button", { type: "button", class: "link", onclick: () => tools.text(u.file, u.line) }, `${u.file}:${u.line}`), element("code", {}, u.text)))))) : [element("p", {}, "Nothing else names it.")]));
  },
  beside,
};

export function beside(...parts) {
  side.hidden = false;
  document.getElementById("work").classList.add("with-side");
  side.replaceChildren(element("button", { type: "button", class: "mini close", "aria-label": "Close", onclick: closeSide }, "✕"), ...parts);
  // on a narrow screen it stands below what is open
  if (matchMedia("(max-width: 60rem)").matches) side.scrollIntoView({ block: "start" });
}

function closeSide() {
  side.hidden = true;
  side.replaceChildren();
  document.getElementById("work").classList.remove("with-side");
  document.getElementById("show-palette").setAttribute("aria-pressed", "false");
}

async function go(next, place = null) {
  open?.flush?.();
  leaveGrid();
  leaveBoard();
  const same = JSON.stringify(next) === JSON.stringify(view);
  view = next;
  if (!same || !open) open = null;
  main.dataset.open = "";
  if (!same) main.replaceChildren(element("p", { class: "soft" }, "…"));
  history.replaceState(null, "", `#${encodeURIComponent(JSON.stringify(next))}`);
  drawNav();
  try {
    if (next.kind === "table") await grid(main, { table: next.table, variant: variant() }, tools);
    else if (next.kind === "constants") await grid(main, { constants: next.file, variant: variant() }, tools);
    else if (next.kind === "text") await openText(next.file, place);
    else if (next.kind === "board") await board(main, { variant: variant() }, tools);
    else if (next.kind === "game") openGame();
    else if (next.kind === "clauses") await clauses(main, next, tools);
    else if (next.kind === "compare") await compare(main, next, tools, index);
    else openGame();
  } catch (error) {
    if (view === next) main.replaceChildren(element("p", { class: "problem" }, error.message));
  }
  if (view === next) main.dataset.open = next.kind;
}

async function openText(file, place) {
  if (!open || open.file !== file) {
    const wanted = view;
    const { text, hash } = await ask("read", { file });
    // something else was opened meanwhile
    if (view !== wanted) return;
    hashes[file] = hash;
    const head = element("header", { class: "head" }, element("h2", {}, file),
      element("p", { class: "tools" },
        file.endsWith(".rules") ? element("button", { type: "button", class: "tool", title: "Shift+Alt+F", onclick: () => open.format() }, "Format") : null,
        file.endsWith(".rules") ? element("button", { type: "button", class: "tool", title: "Small changes that no scenario notices", onclick: async () => {
          try {
            const notes = await mutants(file, saved);
            margins[file] = { ...(margins[file] || {}), ...notes };
            showMargin();
          } catch (error) {
            saved(error.message, true);
          }
        } }, "Mutants") : null,
        element("span", { class: "soft" }, "Ctrl+Space completes, F12 goes to where a name is declared, the mouse tells what it is.")));
    const box = element("div", {});
    main.replaceChildren(head, box);
    const made = editor(box, text, (next) => {
      change("write", { file, base: hashes[file], text: next, group: `typing ${file} ${Math.floor(typing++ / 40)}` }).then((answer) => {
        if (answer.text !== null) made.text = answer.text;
      }).catch(() => {});
    }, { file, begun: () => saved("Saving …"), label: `Text of ${file}`, fix: tools.fix, whole: true, go: (at) => tools.text(at.file, at.line, at.column, at.end_line, at.end_column) });
    open = { ...made, file, problems: made.problems, margin: made.margin, go: made.go, flush: made.flush, format: made.format };
    Object.defineProperty(open, "text", { get: () => made.text, set: (next) => (made.text = next) });
    open.made = made;
    markText();
    showMargin();
  }
  if (place) open.go(place.line, place.column, place.endLine, place.endColumn);
}

function markText() {
  if (open?.file) open.problems(problems.filter((p) => p.file === open.file && p.line > 0));
}

let margins = {};
export function setMargins(found) {
  margins = found;
  showMargin();
}

function showMargin() {
  if (open?.file) open.margin(margins[open.file] || {});
}

function openGame() {
  const game = index.index.game;
  const row = (key, label, value, read) => field(label, element("input", { value, "aria-label": label, name: key,
    onchange: async (e) => {
      try {
        await change("edit", { op: "game", key, value: read(e.target.value) });
        e.target.classList.remove("refused");
      } catch (error) {
        e.target.classList.add("refused");
        e.target.title = error.message;
      }
    } }));
  const list = (text) => text.split(",").map((t) => t.trim()).filter(Boolean);
  main.replaceChildren(element("header", { class: "head" }, element("h2", {}, game.title || "The game"), element("p", { class: "soft" }, "What it is called, and for how many it is.")),
    element("div", { class: "form" },
    row("title", "Title", game.title || "", (t) => t.trim()),
    row("about", "About", game.about || "", (t) => t.trim()),
    row("players", "Player counts", (game.players || []).join(", "), (t) => list(t).map(Number)),
    row("seats", "Seats, clockwise", (game.seats || []).join(", "), list)),
    element("h3", {}, "Variants"),
    element("ul", { class: "variants" }, ...index.index.variants.map((v) => element("li", {}, element("b", {}, v.name), ` (${(v.players || []).join(", ")} players${v.automatic ? ", taken by itself" : ""}) `, v.about, " ",
      element("button", { type: "button", class: "link", onclick: () => tools.text(v.file) }, "as text")))),
    element("p", {}, element("button", { type: "button", class: "tool", id: "new-variant", onclick: newVariant }, "New variant")));
}

async function newVariant() {
  const found = await askFor("A new variant", [
    field("Name", element("input", { name: "name", required: true, pattern: "[a-z][a-z0-9]*([_\\-][a-z0-9]+)*" })),
    field("What is different", element("input", { name: "about", size: "40" }))], "Begin it");
  if (!found) return;
  const name = found.get("name").trim();
  try {
    await change("edit", { op: "variant", name, about: found.get("about").trim() });
  } catch (error) {
    return saved(error.message, true);
  }
  await refresh();
  document.getElementById("variant").value = name;
  await choose();
}

// ---------------------------------------------------------------- the frame around

function variant() {
  return document.getElementById("variant").value;
}

// The list of parts. It is built when there are other parts, else only its marks change: news that come between the press and the
// release of a mouse button must not take the button away under it.
let parts = "";
function drawNav() {
  const link = (label, next, extra = "") => ({ label, next, extra });
  const files = Object.keys(state.files);
  const own = (f) => !f.startsWith("scenarios/") && !f.startsWith("clauses/");
  const groups = Object.entries({
    Game: [link("The game", { kind: "game" }), link("The board", { kind: "board" }), link("Clauses", { kind: "clauses" })],
    Tables: [...index.index.tables.map((t) => link(t.name, { kind: "table", table: t.name, file: t.file }, String(t.with[variant()] ?? t.rows))), ...index.index.constants.map((f) => link("Constants", { kind: "constants", file: f }))],
    Rules: files.filter((f) => f.endsWith(".rules")).map((f) => link(f, { kind: "text", file: f })),
    "As text": files.filter((f) => !f.endsWith(".rules") && own(f)).map((f) => link(f, { kind: "text", file: f })),
    "Scenarios and rulebook": files.filter((f) => !own(f)).map((f) => link(f, { kind: "text", file: f })),
  }).filter(([, links]) => links.length);
  const found = JSON.stringify(groups.map(([title, links]) => [title, links.map((l) => l.next)]));
  const all = groups.flatMap(([, links]) => links);
  if (found !== parts) {
    parts = found;
    const button = ({ label, next }) => element("button", { type: "button", class: "nav", onclick: () => go(next) }, label, element("span", { class: "soft" }));
    nav.replaceChildren(...groups.map(([title, links]) => element("section", {}, element("h2", {}, title), element("ul", {}, ...links.map((l) => element("li", {}, button(l)))))));
  }
  [...nav.querySelectorAll("button.nav")].forEach((button, i) => {
    const { next, extra } = all[i];
    const here = JSON.stringify(next) === JSON.stringify(view);
    const wrong = problems.some((p) => p.severity === "error" && next.file && p.file === next.file);
    button.classList.toggle("here", here);
    button.classList.toggle("wrong", wrong);
    if (here) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
    const number = button.querySelector(".soft");
    const text = extra && ` ${extra}`;
    if (number.textContent !== text) number.textContent = text;
  });
}

async function refresh() {
  index = await ask("index");
  Object.assign(state, index.state);
  const chosen = variant();
  const select = document.getElementById("variant");
  select.replaceChildren(element("option", { value: "" }, "the base game"), ...index.index.variants.map((v) => element("option", { value: v.name }, `variant ${v.name}`)));
  select.value = [...select.options].some((o) => o.value === chosen) ? chosen : "";
  drawPlayers();
  drawNav();
  calmly("game", () => view.kind === "game" && !main.contains(document.activeElement) && openGame());
}

function drawPlayers() {
  const counts = index.index.game.players || state.spec.players || [];
  const own = index.index.variants.find((v) => v.name === variant());
  const fits = own?.players ? counts.filter((n) => own.players.includes(n)) : counts;
  const select = document.getElementById("players");
  const before = Number(select.value) || state.players;
  select.replaceChildren(...fits.map((n) => element("option", { value: String(n) }, String(n))));
  select.value = String(fits.includes(before) ? before : Math.max(...fits));
}

async function choose() {
  drawPlayers();
  drawNav();
  const shows = ["table", "constants", "board"].includes(view.kind);
  if (shows) {
    // what is typed from now on is meant for what was chosen
    leaveGrid();
    leaveBoard();
    main.dataset.open = "";
    main.replaceChildren(element("p", { class: "soft" }, "…"));
  }
  const own = index.index.variants.find((v) => v.name === variant());
  await ask("sight", { players: Number(document.getElementById("players").value) || null, variants: own && !own.automatic ? [own.name] : [] });
  if (shows) await go(view);
}

document.getElementById("variant").addEventListener("change", choose);
document.getElementById("players").addEventListener("change", choose);

async function step(what) {
  open?.flush?.();
  try {
    const answer = await ask(what);
    saved(answer.labels.length ? `${what === "undo" ? "Undone" : "Done again"}: ${answer.labels[0]}` : "Nothing to do");
  } catch (error) {
    saved(error.message, true);
  }
}
document.getElementById("undo").addEventListener("click", () => step("undo"));
document.getElementById("redo").addEventListener("click", () => step("redo"));
document.getElementById("play").addEventListener("click", () => play(tools, variant()));
document.getElementById("compare").addEventListener("click", () => go({ kind: "compare" }));
document.getElementById("show-palette").addEventListener("click", palette);

document.addEventListener("keydown", (event) => {
  const typed = event.target.matches?.("textarea, input");
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !typed) {
    event.preventDefault();
    step(event.shiftKey ? "redo" : "undo");
  } else if (event.altKey && event.key.toLowerCase() === "p") {
    event.preventDefault();
    play(tools, variant());
  }
});

// ---------------------------------------------------------------- the palette

async function palette() {
  const button = document.getElementById("show-palette");
  if (button.getAttribute("aria-pressed") === "true") return closeSide();
  button.setAttribute("aria-pressed", "true");
  const { answer } = await ask("ask", { what: "palette" });
  const item = (one) => element("li", { class: "palette-item", "data-name": one.name },
    element("button", { type: "button", class: "tool", title: one.sort === "column" ? "To the table" : "Write it where the cursor was", onpointerdown: (e) => e.preventDefault(), onclick: () => write(one) }, element("code", {}, one.example || one.name)),
    element("p", {}, one.sort === "column" ? element("b", {}, `${one.name} `) : null, one.about, one.variant ? element("span", { class: "badge" }, one.variant) : null));
  const part = (title, items) => element("details", { open: true }, element("summary", {}, title), element("ul", { class: "palette" }, ...items.map(item)));
  const list = element("div", {}, part("What a power can change or follow", answer.hooks), part("Effects", answer.effects), part("Columns", answer.columns));
  const search = element("input", { type: "search", placeholder: "Search", "aria-label": "Search in the palette", oninput: (e) => {
    for (const li of list.querySelectorAll(".palette-item")) li.hidden = !li.textContent.toLowerCase().includes(e.target.value.toLowerCase());
  } });
  beside(element("h2", {}, "Palette"), element("p", { class: "soft" }, "A click writes it into the cell of rule text that you were last in."), search, list);
}

function write(one) {
  if (one.sort === "column") {
    const table = index.index.tables.find((t) => t.name === one.name.split(".")[0]);
    return table ? go({ kind: "table", table: table.name, file: table.file }) : tools.text(one.file, one.line);
  }
  if (open?.file && document.activeElement === open.area) return open.made.insert(one.example);
  if (!lastCode || !document.contains(lastCode.area)) {
    const again = lastCode && main.querySelector(`[data-cell="${CSS.escape(lastCode.area.dataset.cell)}"]`);
    if (!again) return saved("Click into a cell of rule text first", true);
    again.focus();
  }
  const { area } = lastCode;
  area.focus();
  const text = area.value.trimEnd();
  // an effect is one step more, a power takes the place of another
  area.value = one.sort === "effect" && text ? `${text}\n${one.example}` : one.example;
  area.dispatchEvent(new Event("input"));
  area.dispatchEvent(new Event("change"));
}

// ---------------------------------------------------------------- news

on(async (event) => {
  if (event.type === "state") {
    const { undo, redo } = state.steps;
    const button = (name, label, word) => {
      const found = document.getElementById(name);
      found.disabled = !label;
      found.textContent = word;
      found.title = label ? `${word}: ${label}` : "";
    };
    button("undo", undo, "Undo");
    button("redo", redo, "Redo");
    if (open?.file && state.files[open.file] && state.files[open.file] !== hashes[open.file]) {
      const { text, hash } = await ask("read", { file: open.file });
      if (!open.busy() || open.text === text) {
        hashes[open.file] = hash;
        open.text = text;
      } else if (open.text !== text) {
        open.flush();
      }
    }
    if (index && state.version !== index.version) {
      index.version = state.version;
      await refresh();
    }
  } else if (event.type === "problems") {
    showProblems(event);
    markText();
    if (index) drawNav();
    if (!event.errors && playing()) carry(tools, variant(), state.version);
  } else if (event.type === "conflict") conflict(event);
});

// the problems as they are listed: a list that stays the same is left alone, with the button under the mouse
let listed = "";
function showProblems(found) {
  const count = document.getElementById("problem-count");
  const words = (n, one) => `${n} ${one}${n === 1 ? "" : "s"}`;
  count.textContent = found.errors ? `${words(found.errors, "mistake")}${found.warnings ? `, ${words(found.warnings, "warning")}` : ""}` : found.warnings ? `No mistake, ${words(found.warnings, "warning")}` : `No mistake${found.whole ? ` in ${words(found.rulesets, "ruleset")}` : " here; the other rulesets follow …"}`;
  document.getElementById("problems").classList.toggle("bad", found.errors > 0);
  document.body.dataset.checked = found.version;
  document.body.dataset.errors = found.errors;
  document.body.dataset.whole = found.whole;
  document.body.dataset.seconds = found.seconds ?? "";
  calmly("problems", () => listProblems(found.problems));
}

function listProblems(found) {
  const told = JSON.stringify(found);
  if (told === listed) return;
  listed = told;
  // the list takes room from what is open: what somebody is at stays in sight
  requestAnimationFrame(() => main.contains(document.activeElement) && document.activeElement.matches("[data-cell]") && document.activeElement.scrollIntoView({ block: "nearest" }));
  document.getElementById("problem-list").replaceChildren(...found.slice(0, 100).map((p) => {
    const box = problemBox(p, tools.fix);
    const at = p.line > 0 ? `${p.file}:${p.line}:${p.column}` : p.file;
    box.prepend(element("button", { type: "button", class: "link", onclick: () => tools.text(p.file, Math.max(1, p.line), Math.max(1, p.column), p.end_line || 1, p.end_column || 1) }, at));
    return element("li", {}, box);
  }));
}

const toggle = document.getElementById("problems-toggle");
toggle.addEventListener("click", () => {
  const shown = toggle.getAttribute("aria-expanded") !== "true";
  toggle.setAttribute("aria-expanded", String(shown));
  document.getElementById("problem-list").hidden = !shown;
});

async function conflict({ file, mine, theirs }) {
  const found = await askFor(`${file} was changed elsewhere at the same place`, [
    element("p", {}, "Which text shall stand? The other one can be had back by Undo."),
    field("", element("select", { name: "which" }, element("option", { value: "mine" }, "mine, from this page"), element("option", { value: "theirs" }, "the one in the file")))]);
  if (found && found.get("which") === "mine") {
    await change("write", { file, base: "", text: mine, force: true });
  } else if (open?.file === file) {
    open.text = theirs;
  }
  hashes[file] = state.files[file];
}

// ---------------------------------------------------------------- begin

const asked = location.hash ? JSON.parse(decodeURIComponent(location.hash.slice(1))) : { kind: "game" };
try {
  await refresh();
} catch {
  saved("The server is away. Load the page again.", true);
}
const begun = new URLSearchParams(location.search).get("variant");
if (begun && index?.index.variants.some((v) => v.name === begun)) {
  // a variant that has just been begun: what is changed goes into it
  document.getElementById("variant").value = begun;
  view = asked;
  await choose();
}
listen();
await go(asked);
document.body.dataset.ready = id;
