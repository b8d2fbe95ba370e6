// Inputs for values of the rules, by their type: numbers with bounds, members to pick, sets to tick, heaps of pieces to count.

import { askFor, element, field } from "./page.js";

const SEATS = ["Player", "Participant"];
const number = (text) => /^-?\d+$/.test(text);
// seats are numbers wherever they stand, other members are names
const asMember = (kind, text) => (SEATS.includes(kind) && number(text) ? Number(text) : text);

export function words(value) {
  if (value === null || value === undefined) return "none";
  if (Array.isArray(value)) return value.length ? value.map(words).join(", ") : "none";
  if (typeof value === "object") return Object.entries(value).map(([k, v]) => `${k}: ${words(v)}`).join(", ") || "nothing";
  return String(value);
}

// what a key of a map is called: seats by their names
export function called(type, key, members) {
  return SEATS.includes(type?.kind) ? members.seats?.[key] ?? key : key;
}

// all that a value of a small type can be
function all(type, members) {
  if (type.t === "kind") return members[type.kind].map((m) => asMember(type.kind, m));
  if (type.t === "bool") return [false, true];
  return Array.from({ length: type.high - type.low + 1 }, (_, i) => type.low + i);
}

// an input, or rows of them; `changed` is told the whole new value
export function input(type, value, label, members, changed) {
  const common = { "aria-label": label, "data-value": label };
  switch (type.t) {
    case "int":
      return element("input", { ...common, type: "number", class: "number", value: String(value), min: type.low ?? null, max: type.high ?? null, step: "1",
        onchange: (e) => {
          const right = number(e.target.value) && e.target.checkValidity();
          e.target.classList.toggle("refused", !right);
          e.target.title = right ? "" : `a number from ${type.low ?? "…"} to ${type.high ?? "…"}`;
          if (right) changed(Number(e.target.value));
        } });
    case "bool":
      return element("input", { ...common, type: "checkbox", checked: value === true, onchange: (e) => changed(e.target.checked) });
    case "kind":
      return select(common, all(type, members), value, changed, (v) => called(type, v, members));
    case "opt":
      return select(common, [null, ...all(type.of, members)], value, changed, (v) => (v === null ? "none" : called(type.of, v, members)));
    case "set":
      return button(common, () => named(type, value, members), async () => {
        const found = await tick(label, type, members, value);
        if (found) changed((value = found));
      });
    case "list":
      return button(common, () => named(type, value, members), async () => {
        const found = await order(label, type, members, value);
        if (found) changed((value = found));
      });
    case "map":
      return element("div", { class: "map" }, ...Object.keys(value).map((key) => element("div", { class: "pair" }, element("span", { class: "key" }, called(type.key, key, members)),
        input(type.value, value[key], `${label} ${called(type.key, key, members)}`, members, (next) => changed((value = { ...value, [key]: next }))))));
    default:
      return element("span", { class: "soft" }, words(value));
  }
}

function select(common, values, value, changed, text) {
  return element("select", { ...common, onchange: (e) => changed(values[e.target.selectedIndex]) },
    ...values.map((v) => element("option", { value: words(v), selected: v === value }, String(text(v)))));
}

function button(common, text, does) {
  const found = element("button", { ...common, type: "button", class: "set", onclick: async () => {
    await does();
    found.textContent = text();
  } }, text());
  return found;
}

// a set or a list in words, seats by their names
const named = (type, value, members) => words(value.map((v) => called(type.of, v, members)));

async function tick(label, type, members, value) {
  const values = all(type.of, members);
  const box = element("fieldset", { class: "members" }, element("legend", {}, label), ...values.map((v, i) => element("label", {}, element("input", { type: "checkbox", name: "member", value: String(i), checked: value.includes(v) }), ` ${words(called(type.of, v, members))}`)));
  const data = await askFor(label, [search(box), box]);
  return data && data.getAll("member").map((i) => values[Number(i)]);
}

async function order(label, type, members, value) {
  const values = all(type.of, members);
  const room = type.limit ?? value.length + 5;
  const rows = Array.from({ length: Math.min(room, Math.max(value.length + 3, 4)) }, (_, i) => field(`${i + 1}.`, element("select", { name: "entry" },
    element("option", { value: "" }, "–"), ...values.map((v, n) => element("option", { value: String(n), selected: value[i] === v }, words(called(type.of, v, members)))))));
  const data = await askFor(label, rows);
  return data && data.getAll("entry").filter((n) => n !== "").map((n) => values[Number(n)]);
}

// pieces in their order, from the top on
export function pile(kind, value, label, members, changed) {
  const type = { of: { t: "kind", kind } };
  return button({ "aria-label": label, "data-value": label }, () => value.join(", ") || "nothing", async () => {
    const found = await order(label, type, members, value);
    if (found) changed((value = found));
  });
}

// a heap of pieces: how many of each kind
export function heap(kind, value, label, members, changed) {
  const text = () => Object.entries(value).map(([k, n]) => (n === 1 ? k : `${n} ${k}`)).join(", ") || "nothing";
  return button({ "aria-label": label, "data-value": label }, text, async () => {
    const rows = element("fieldset", { class: "members" }, element("legend", {}, label), ...members[kind].map((m) => element("label", {}, element("input", { type: "number", class: "number", name: m, min: "0", max: "999", value: String(value[m] || 0), "aria-label": m }), ` ${m}`)));
    const data = await askFor(label, [search(rows), rows]);
    if (!data) return;
    value = Object.fromEntries(members[kind].map((m) => [m, Number(data.get(m)) || 0]).filter(([, n]) => n > 0));
    changed(value);
  });
}

export function search(box) {
  return field("", element("input", { type: "search", "aria-label": "Search", placeholder: "Search", oninput: (e) => {
    for (const one of box.querySelectorAll("label")) one.hidden = !one.textContent.toLowerCase().includes(e.target.value.toLowerCase());
  } }));
}
