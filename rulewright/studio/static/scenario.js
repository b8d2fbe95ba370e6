// A scenario from a position, by clicks: what is run, who decides what, what must come of it, and which clause it is about.

import { ask, saved } from "./talk.js";
import { askFor, element, field } from "./page.js";
import { called, input, search, words } from "./values.js";

export async function scenario(tools, found, position, variants, back) {
  const now = { call: "", args: [], when: [], answer: null, given: null, expected: new Set(), covers: new Set() };
  const all = {};
  const members = { ...found.members, seats: found.seats };
  const place = element("div", { class: "scenario", id: "scenario" });
  const note = element("p", { role: "status", id: "scenario-note" });
  // procedures without arguments that can't be picked from a list can be run
  const simple = (type) => ["int", "kind", "bool", "opt"].includes(type.t);
  const runs = Object.entries(found.procedures).filter(([name, types]) => types.every(simple) && !["setup", "play"].includes(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  const procedure = element("select", { name: "call", "aria-label": "What is run", onchange: () => begin(procedure.value) },
    element("option", { value: "" }, "the game, from its first decision"), ...runs.map(([name, types]) => element("option", { value: name }, types.length ? `${name} …` : name)));
  const args = element("span", { class: "tools" });
  tools.beside(element("h2", {}, "Write a scenario"), element("p", { class: "tools" }, element("button", { type: "button", class: "tool", onclick: back }, "Back to the position")),
    element("p", {}, element("label", {}, "Run ", procedure), " ", args), note, place);

  const first = (type) => (type.t === "kind" ? (type.kind === "Player" || type.kind === "Participant" ? 0 : found.members[type.kind][0]) : type.t === "bool" ? false : type.t === "opt" ? null : Math.max(type.low ?? 0, Math.min(1, type.high ?? 1)));

  async function begin(name) {
    now.call = name;
    const types = name ? found.procedures[name] : [];
    now.args = types.map(first);
    args.replaceChildren(...types.map((type, i) => input(type, now.args[i], `${name}, argument ${i + 1}`, members, (value) => {
      now.args[i] = value;
      anew();
    })));
    await anew();
  }

  async function anew() {
    now.when = [];
    now.given = null;
    await go();
  }

  const spelled = (value) => (value === null ? "none" : typeof value === "string" && !/^\w+$/.test(value) ? `'${value}'` : String(value));
  const call = () => (now.call ? `${now.call}(${now.args.map(spelled).join(", ")})` : "");

  let latest = 0;
  async function go() {
    const mine = ++latest;
    place.replaceChildren(element("p", { class: "soft" }, "The rules are carried out …"));
    let answer;
    try {
      answer = await ask("attempt", { players: found.players, variants, call: call(), when: now.when, first: !Object.keys(all).length, ...(now.given ? { given: now.given } : { position }) });
    } catch (error) {
      answer = { problem: error.message };
    }
    // another one has been asked for meanwhile
    if (mine !== latest) return;
    note.textContent = answer.problem ? `This can't be carried out: ${answer.problem}` : "";
    note.classList.toggle("problem", Boolean(answer.problem));
    if (answer.problem) {
      now.answer = null;
      now.when.pop();
      return place.replaceChildren(now.when.length ? element("button", { type: "button", class: "tool", onclick: go }, "Back to the step before") : "");
    }
    now.given = answer.given;
    Object.assign(all, answer.all_clauses || {});
    if (answer.sampled.length) {
      // chance as it came now is what comes whenever the scenario runs
      now.when.push({ chance: answer.sampled });
    }
    now.answer = answer;
    now.expected = new Set([...answer.changes.keys()].filter((i) => !answer.changes[i].rest).map((i) => `change ${i}`));
    if (Object.keys(answer.gained).length) now.expected.add("gained");
    now.expected.add("decides");
    draw();
  }

  const step = (one) => {
    now.when.push(one);
    return go();
  };

  // where something changed: seats by their names
  function pathOf([name, key, ...rest]) {
    const zone = found.families.flatMap((f) => f.zones).find((z) => z.name === name);
    const type = zone ? zone.per : found.types[name]?.key;
    return [name.replaceAll("_", " "), ...(key === undefined ? [] : [called(type, key, members)]), ...rest].join(" ");
  }

  function told(one) {
    if (one.chance) return `chance: ${words(one.chance)}`;
    if (one.refused) return `refused: ${words(Object.fromEntries(Object.entries(one.refused).filter(([k]) => k !== "because")))}`;
    return words(one);
  }

  function draw() {
    const { asked, changes, gained, over, clauses } = now.answer;
    const steps = element("ol", { class: "steps" }, ...now.when.map((one, i) => element("li", {}, told(one), " ",
      one.chance ? element("button", { type: "button", class: "mini", "aria-label": `Other outcomes for step ${i + 1}`, onclick: () => other(i) }, "✎") : null,
      element("button", { type: "button", class: "mini", "aria-label": `Back to before step ${i + 1}`, onclick: () => {
        now.when = now.when.slice(0, i);
        go();
      } }, "✕"))));
    const options = asked ? [element("h3", {}, `${found.seats[asked.by] ?? `Seat ${asked.by}`} decides: ${asked.label.replaceAll("_", " ")}`),
      element("p", { class: "tools options", id: "scenario-options" }, ...asked.options.map((value) => element("button", { type: "button", class: "tool", onclick: () => step({ [asked.label]: value }) }, words(value)))),
      asked.refused.length ? element("details", {}, element("summary", {}, `Not possible here: ${asked.refused.length}`), element("ul", { class: "refusals" }, ...asked.refused.map((r) => element("li", {},
        element("button", { type: "button", class: "tool", title: "Expect that it is refused", onclick: () => step({ refused: { [asked.label]: r.value, because: r.because } }) }, words(r.value)), ` ${r.text} `, element("span", { class: "soft" }, r.because.join(", ")))))) : null]
      : [element("p", {}, over ? "Nobody decides any more: what was run is over." : "")];
    const box = (key, ...text) => element("label", { class: "fact" }, element("input", { type: "checkbox", name: key, checked: now.expected.has(key), onchange: (e) => (e.target.checked ? now.expected.add(key) : now.expected.delete(key)) }), " ", ...text);
    const facts = [...changes.map((c, i) => box(`change ${i}`, element("b", {}, pathOf(c.path)), ` ${words(c.before)} → ${words(c.after)}`)),
      Object.keys(gained).length ? box("gained", element("b", {}, "points "), Object.entries(gained).map(([seat, n]) => `${found.seats[seat] ?? seat} ${n > 0 ? "+" : ""}${n}`).join(", ")) : null,
      box("decides", element("b", {}, "decides "), asked ? `${found.seats[asked.by]}, ${asked.label.replaceAll("_", " ")}` : "nobody")];
    const near = clauses.filter((c) => !now.covers.has(c.id)).slice(0, 8);
    const clause = (id, chosen) => element("button", { type: "button", class: `chip${chosen ? " chosen" : ""}`, "aria-pressed": String(chosen), title: all[id] || "", onclick: () => {
      if (!now.covers.delete(id)) now.covers.add(id);
      draw();
    } }, `@${id}`);
    const name = place.querySelector("input[name=scenario-name]")?.value || "";
    place.replaceChildren(now.when.length ? element("h3", {}, "So far") : "", steps, ...options.filter(Boolean),
      element("h3", {}, "Expected in the end"), element("div", { class: "facts", id: "facts" }, ...facts.filter(Boolean)),
      ...(Object.keys(all).length ? [element("h3", {}, "Clauses that it covers"), element("p", { class: "tools", id: "covers" }, ...[...now.covers].map((id) => clause(id, true)), ...near.map((c) => clause(c.id, false)), element("button", { type: "button", class: "tool", onclick: pick }, "Others …"))] : []),
      field("Name", element("input", { name: "scenario-name", value: name, size: "44", "aria-label": "Name of the scenario" })),
      element("p", { class: "tools" }, element("button", { type: "button", class: "main small", id: "keep-scenario", onclick: keep }, "Keep the scenario")));
  }

  async function pick() {
    const box = element("fieldset", { class: "one-column" }, element("legend", {}, "Clauses"), ...Object.entries(all).map(([id, rule]) => element("label", {}, element("input", { type: "checkbox", name: "clause", value: id, checked: now.covers.has(id) }), ` @${id} `, element("span", { class: "soft" }, rule))));
    const data = await askFor("Which clauses does it cover?", [search(box), box]);
    if (!data) return;
    now.covers = new Set(data.getAll("clause"));
    draw();
  }

  async function other(index) {
    const before = now.when[index].chance;
    const data = await askFor("What chance gives", [element("p", { class: "soft" }, "In this order; what comes after it follows anew."), ...before.map((v, i) => field(`${i + 1}.`, element("input", { name: "outcome", value: String(v) })))]);
    if (!data) return;
    const read = (text) => (/^-?\d+$/.test(text) ? Number(text) : text);
    now.when = [...now.when.slice(0, index), { chance: data.getAll("outcome").map((t) => read(t.trim())).filter((v) => v !== "") }];
    await go();
  }

  function then() {
    const { asked, changes, gained } = now.answer;
    const out = {};
    if (now.expected.has("decides")) {
      out.decides = asked ? asked.by : now.call ? "nobody" : undefined;
      if (asked) out.choice = asked.label;
      else if (!now.call) {
        delete out.decides;
        out.over = true;
      }
    }
    if (now.expected.has("gained")) out.gained = gained;
    const state = {};
    changes.forEach((c, i) => {
      if (!now.expected.has(`change ${i}`)) return;
      let at = state;
      for (const key of c.path.slice(0, -1)) at = at[key] ||= {};
      at[c.path.at(-1)] = c.after;
    });
    if (Object.keys(state).length) out.state = state;
    return out;
  }

  async function keep() {
    const name = place.querySelector("input[name=scenario-name]").value.trim();
    try {
      const answer = await ask("keep", { name, covers: [...now.covers], players: found.players, variants, given: now.given, call: call(), when: now.when, then: then() });
      note.classList.toggle("problem", Boolean(answer.wrong));
      note.replaceChildren(answer.wrong ? `Kept, but it does not hold (${answer.wrong}): ` : "Kept, and it holds: ", element("button", { type: "button", class: "link", onclick: () => tools.text(answer.file, answer.line) }, `${answer.file}:${answer.line}`));
      saved("Saved");
    } catch (error) {
      note.textContent = error.message;
      note.classList.add("problem");
    }
    note.scrollIntoView({ block: "center" });
  }

  await begin("");
}
