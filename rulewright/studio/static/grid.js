// A table as a grid of inputs: each cell by its type, rows added, copied, moved and removed, what a variant changes marked.

import { ask, change, checked, on, problems, saved, state } from "./talk.js";
import { calmly } from "/static/calm.js";
import { askFor, element, field } from "./page.js";
import { problemBox } from "./editor.js";

let now = null;
// the code cell that the palette writes into
export let lastCode = null;

export async function grid(main, wanted, tools) {
  now = { main, wanted, tools, data: null };
  await load();
}

export function leave() {
  now = null;
}

export const shows = () => now?.wanted;

async function load() {
  const mine = now;
  const data = await ask("grid", { ...mine.wanted });
  calmly("grid", () => now === mine && arrived(mine, data));
}

function arrived(mine, data) {
  if (writing()) {
    // what somebody is typing is not taken away; the grid follows when they are done
    mine.later = true;
    return;
  }
  mine.later = false;
  const text = JSON.stringify(data);
  mine.data = data;
  if (mine.text === text) return stamp();
  mine.text = text;
  draw();
}

// whether a cell holds something that has not been sent yet
function writing() {
  const cell = document.activeElement;
  return cell?.dataset?.cell !== undefined && now.main.contains(cell) && cell.defaultValue !== undefined && cell.type !== "checkbox" && cell.value !== cell.defaultValue;
}

document.addEventListener("focusout", () => {
  // one that was changed is sent now, and the grid is read again after that
  setTimeout(() => {
    if (now?.later) load().catch(() => {});
  }, 0);
});

on((event) => {
  if (!now) return;
  if (event.type === "state") {
    const files = now.data ? [now.data.file, ...now.data.rows.map((r) => r.file), `variants/${now.wanted.variant}.yaml`] : [];
    const found = [...new Set(files)].map((f) => state.files[f]).join();
    if (now.data && found !== now.stamp) {
      now.stamp = found;
      load().catch(() => {});
    }
  } else if (event.type === "problems") calmly("marks", mark);
});

// ---------------------------------------------------------------- drawing

// the files as they were when the grid was read
function stamp() {
  const { data, wanted } = now;
  now.stamp = [...new Set([data.file, ...data.rows.map((r) => r.file), `variants/${wanted.variant}.yaml`])].map((f) => state.files[f]).join();
}

function draw() {
  const { main, data, wanted } = now;
  stamp();
  const focused = document.activeElement?.dataset?.cell;
  const selection = [document.activeElement?.selectionStart, document.activeElement?.selectionEnd];
  const search = main.querySelector("input.search")?.value || "";
  const head = element("header", { class: "head" },
    element("h2", {}, wanted.constants ? "Constants" : data.name),
    element("p", { class: "soft" }, ...inCode(data.about)),
    element("p", { class: "tools" },
      element("input", { class: "search", type: "search", placeholder: "Search", "aria-label": "Search in the rows", value: search, oninput: (e) => sift(e.target.value) }),
      wanted.constants || data.grid ? null : element("button", { type: "button", class: "tool", id: "add-row", onclick: add }, "Add a row"),
      element("button", { type: "button", class: "tool", onclick: () => now.tools.text(data.csv || data.file, data.csv ? 1 : data.line) }, "As text")));
  if (data.grid) {
    main.replaceChildren(head, element("p", {}, `A grid of ${data.grid.columns} by ${data.grid.rows}: its members follow from the size, which stands in the text.`));
    return;
  }
  const table = element("table", { class: "grid" },
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "name"),
      ...data.columns.map((c) => element("th", { scope: "col", title: c.type.shown }, c.name, element("span", { class: "soft" }, ` ${short(c.type.shown)}`))),
      element("th", { scope: "col" }, "where it comes from"), wanted.constants ? null : element("th", { scope: "col" }, element("span", { class: "hidden-words" }, "what to do")))),
    element("tbody", {}, ...data.rows.map((r, i) => row(r, i))));
  main.replaceChildren(head, element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Table ${data.name}` }, table));
  if (focused) {
    const again = main.querySelector(`[data-cell="${CSS.escape(focused)}"]`);
    again?.focus();
    try {
      // what was about to be written over still is; numbers have no place of the cursor, and are taken whole
      if (Number.isInteger(selection[0])) again?.setSelectionRange(...selection);
      else again?.select?.();
    } catch {
      // not every input has a place of the cursor
    }
  }
  sift(search);
  mark();
}

// `words` between these marks are names of columns
const inCode = (text) => text.split("`").map((part, i) => (i % 2 ? element("code", {}, part) : part));

const short = (text) => (text.length > 22 ? "" : text);

function row(r, index) {
  const { data, wanted } = now;
  const classes = [r.removed ? "removed" : "", r.added ? "added" : ""].join(" ").trim();
  const own = !wanted.variant || r.added;
  const name = own && !wanted.constants
    ? element("input", { value: r.name, "aria-label": `Name of ${r.name}`, "data-cell": `${r.name}/`, size: String(Math.max(7, r.name.length)), onchange: (e) => send({ op: "rename", row: r.name, name: e.target.value.trim() }, e.target) })
    : element("span", {}, r.name);
  return element("tr", { class: classes, "data-row": r.name },
    element("th", { scope: "row" }, name, r.bounds ? element("span", { class: "soft" }, ` ${r.bounds}`) : null,
      ...r.removed_by.map((v) => element("span", { class: "badge" }, `not with ${v}`))),
    ...data.columns.map((c) => cell(r, c)),
    element("td", { class: "cites" }, ...cites(r)),
    wanted.constants ? null : element("td", { class: "row-tools" }, ...rowTools(r, index)));
}

function cites(r) {
  const out = r.cites.map((id) => element("button", { type: "button", class: "clause", title: id, onclick: () => now.tools.clause(id) }, `@${id}`));
  if (r.assumed) out.push(element("span", { class: "soft" }, r.assumed));
  if (now.wanted.constants) return out;
  out.push(element("button", { type: "button", class: "mini", "aria-label": `Where ${r.name} comes from`, onclick: () => reason(r) }, "✎"));
  return out;
}

function rowTools(r, index) {
  if (r.removed) return [element("button", { type: "button", class: "mini", onclick: () => send({ op: "restore", row: r.name }) }, "put back")];
  const tool = (label, sign, does) => element("button", { type: "button", class: "mini", title: label, "aria-label": `${label}: ${r.name}`, onclick: does }, sign);
  return [
    tool("Copy", element("span", { class: "two-sheets" }), () => copy(r)),
    tool("Move up", "↑", () => send({ op: "move", row: r.name, to: index - 1 })),
    tool("Move down", "↓", () => send({ op: "move", row: r.name, to: index + 1 })),
    tool("Remove", "✕", () => send({ op: "delete", row: r.name })),
    tool("What it is used for", "?", () => now.tools.uses(r.name)),
  ];
}

function cell(r, column) {
  const c = r.cells[column.name];
  const type = c.type.t === "each" ? column.type : c.type;
  const key = `${r.name}/${column.name}`;
  const label = `${column.name} of ${r.name}`;
  const set = (value, input) => send(
    now.wanted.constants ? { op: "constant", name: r.name, value } : { op: "cell", row: r.name, column: column.name, value }, input);
  let input;
  if (c.by_players) {
    input = element("span", { class: "by-players" }, ...Object.entries(c.by_players).map(([n, v]) => element("label", {}, `${n}: `,
      element("input", { type: "number", class: "number", value: String(v), "aria-label": `${label} with ${n} players`, onchange: (e) => set({ "by players": { ...c.by_players, [n]: Number(e.target.value) } }, e.target) }))));
  } else input = inputFor(type, c.value, label, key, set);
  if (r.removed) input.disabled = true;
  const notes = [];
  if (c.changed) {
    notes.push(element("span", { class: "before" }, `was ${shown(c.before)} `, element("button", { type: "button", class: "mini", "aria-label": `${label}: as before`, title: "as in the base game", onclick: () => set(null) }, "↺")));
  }
  for (const [variant, value] of Object.entries(c.changes || {})) notes.push(element("span", { class: "badge", title: `with ${variant}` }, `${variant}: ${shown(value)}`));
  if (!c.given && !c.changed && !now.wanted.constants) notes.push(element("span", { class: "soft" }, "usual"));
  return element("td", { class: `cell c-${type.t}${c.changed ? " changed" : ""}`, "data-for": key }, input, ...notes);
}

function shown(value) {
  if (Array.isArray(value)) return value.length ? value.join(", ") : "none";
  return value === null || value === undefined ? "nothing" : typeof value === "object" ? JSON.stringify(value) : String(value).split("\n")[0];
}

function inputFor(type, value, label, key, set) {
  const common = { "aria-label": label, "data-cell": key };
  switch (type.t) {
    case "int": {
      const number = /^-?\d+$/.test(String(value));
      return element("input", { ...common, class: "number", type: number || value === null ? "number" : "text", value: value === null || value === undefined ? "" : String(value), min: type.low ?? null, max: type.high ?? null, step: "1", title: type.shown,
        onchange: (e) => set(/^-?\d+$/.test(e.target.value) ? Number(e.target.value) : e.target.value, e.target) });
    }
    case "bool":
      return element("input", { ...common, type: "checkbox", checked: value === true, onchange: (e) => set(e.target.checked, e.target) });
    case "kind": {
      const members = now.data.members[type.kind] || [];
      const all = [...(type.optional ? ["none"] : []), ...members];
      const text = String(value ?? "");
      if (text && !all.includes(text)) all.unshift(text);
      return element("select", { ...common, onchange: (e) => set(e.target.value, e.target) }, ...all.map((m) => element("option", { value: m, selected: m === text }, m)));
    }
    case "set":
    case "list": {
      const list = Array.isArray(value) ? value : [];
      if (type.t === "set" && type.of.t === "kind") {
        return element("button", { ...common, type: "button", class: "set", onclick: () => pick(type.of.kind, list, label, set) }, list.length ? list.join(", ") : "none");
      }
      return element("input", { ...common, class: "words", value: list.join(", "), title: type.shown, onchange: (e) => set(parts(e.target.value), e.target) });
    }
    case "code": {
      const text = String(value ?? "");
      const area = element("textarea", { ...common, class: "cell-code", rows: String(Math.min(12, text.split("\n").length)), spellcheck: "false",
        onchange: (e) => set(e.target.value.replace(/\s+$/, ""), e.target), onfocus: (e) => (lastCode = { area: e.target, set, code: type.code }) });
      area.defaultValue = text;
      area.addEventListener("input", () => (area.rows = Math.min(16, area.value.split("\n").length)));
      return area;
    }
    case "text":
      return element("input", { ...common, class: "words", value: String(value ?? ""), onchange: (e) => set(e.target.value, e.target) });
    default:
      return element("input", { ...common, value: shown(value), readonly: typeof value === "object", onchange: (e) => set(e.target.value, e.target) });
  }
}

const parts = (text) => text.split(",").map((t) => t.trim()).filter(Boolean).map((t) => (/^-?\d+$/.test(t) ? Number(t) : t));

// ---------------------------------------------------------------- what is done

async function send(operation, input) {
  const { wanted } = now;
  saved("Saving …");
  try {
    await change("edit", { ...operation, ...(wanted.constants ? {} : { table: wanted.table }), variant: wanted.variant || undefined });
    input?.closest("td, th")?.classList.remove("refused");
    if (input && "defaultValue" in input) input.defaultValue = input.value;
    await load();
  } catch (error) {
    const place = input?.closest("td, th");
    place?.classList.add("refused");
    if (place) place.title = error.message;
  }
}

async function pick(kind, list, label, set) {
  const members = now.data.members[kind] || [];
  const gone = list.filter((m) => !members.includes(m));
  const box = element("fieldset", { class: "members" }, element("legend", {}, label), ...[...members, ...gone].map((m) => element("label", {}, element("input", { type: "checkbox", name: "member", value: m, checked: list.includes(m) }), ` ${m}`)));
  const search = element("input", { type: "search", "aria-label": "Search", placeholder: "Search", oninput: (e) => {
    for (const one of box.querySelectorAll("label")) one.hidden = !one.textContent.includes(e.target.value);
  } });
  const data = await askFor(`${kind}: which?`, [field("", search), box]);
  if (!data) return;
  // those that stay keep their order, new ones come behind
  const wanted = data.getAll("member");
  set([...list.filter((m) => wanted.includes(m)), ...wanted.filter((m) => !list.includes(m))]);
}

async function add() {
  const { data } = now;
  const there = data.rows.filter((r) => !r.removed);
  const after = element("select", { name: "after" }, ...there.map((r, i) => element("option", { value: r.name, selected: i === there.length - 1 }, r.name)));
  const found = await askFor(`A new row of ${data.name}`, [field("Name", element("input", { name: "name", required: true, pattern: "[A-Za-z][A-Za-z0-9_]*([.\\-][A-Za-z0-9_]+)*" })),
    there.length ? field("behind", after) : null], "Add");
  if (!found) return;
  // it begins like the row that it stands behind
  const last = there.find((r) => r.name === found.get("after"));
  const cells = {};
  for (const column of data.columns) if (last && (last.cells[column.name].given || last.cells[column.name].changed)) cells[column.name] = last.cells[column.name].value;
  cells.assumed = "a row of our own";
  const name = found.get("name").trim();
  await send({ op: "add", name, cells, ...(last ? { after: last.name } : {}) });
  now?.main.querySelector(`[data-row="${CSS.escape(name)}"] td input, [data-row="${CSS.escape(name)}"] td select`)?.focus();
}

async function copy(r) {
  const found = await askFor(`A copy of ${r.name}`, [field("Name", element("input", { name: "name", required: true, pattern: "[A-Za-z][A-Za-z0-9_]*([.\\-][A-Za-z0-9_]+)*", value: `${r.name}_2` }))], "Copy");
  if (found) await send({ op: "copy", row: r.name, name: found.get("name").trim() });
}

async function reason(r) {
  const found = await askFor(`Where ${r.name} comes from`, [
    field("Clauses of the rulebook", element("input", { name: "cite", value: r.cites.join(", "), size: "40" })),
    field("or a reason of your own", element("input", { name: "assumed", value: r.assumed, size: "40" }))]);
  if (!found) return;
  const cite = found.get("cite").split(",").map((t) => t.trim()).filter(Boolean);
  await send({ op: "reason", row: r.name, cite: cite.length ? (cite.length === 1 ? cite[0] : cite) : null, assumed: found.get("assumed").trim() || null });
}

function sift(text) {
  const words = text.toLowerCase();
  for (const row of now.main.querySelectorAll("tbody tr")) {
    const values = [row.dataset.row, ...[...row.querySelectorAll("input, select, textarea")].map((i) => i.value), row.textContent].join(" ").toLowerCase();
    row.hidden = words !== "" && !values.includes(words);
  }
}

// ---------------------------------------------------------------- problems at their cells

function inside(p, [file, line, column, endLine, endColumn]) {
  if (p.file !== file) return false;
  const starts = p.line > line || (p.line === line && p.column >= column);
  const ends = p.line < endLine || (p.line === endLine && p.column <= endColumn);
  return starts && ends;
}

function mark() {
  if (!now?.data || checked < 0) return;
  for (const old of now.main.querySelectorAll(".cell-problem")) old.remove();
  for (const td of now.main.querySelectorAll(".error, .warning")) {
    td.classList.remove("error", "warning");
    td.querySelector("[aria-invalid]")?.removeAttribute("aria-invalid");
  }
  for (const r of now.data.rows) {
    const tr = now.main.querySelector(`[data-row="${CSS.escape(r.name)}"]`);
    if (!tr) continue;
    for (const p of problems) {
      const column = now.data.columns.find((c) => (r.cells[c.name].spans || []).some((s) => inside(p, s)));
      const place = column ? tr.querySelector(`[data-for="${CSS.escape(`${r.name}/${column.name}`)}"]`) : p.file === r.file && p.line === r.line && p.column < 40 && !column ? tr.querySelector("th") : null;
      if (!place || place.querySelector(`[data-code="${p.code}"]`)) continue;
      place.classList.add(p.severity);
      place.querySelector("input, select, textarea, button.set")?.setAttribute("aria-invalid", "true");
      const box = problemBox(p, now.tools.fix);
      box.classList.add("cell-problem");
      box.dataset.code = p.code;
      place.append(box);
    }
  }
}
