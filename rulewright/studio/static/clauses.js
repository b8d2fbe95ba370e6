// Conformance beside the rules: each clause with the rules that cite it and its scenarios, and what an edit makes fail.

import { ask } from "./talk.js";
import { element } from "./page.js";
import { setMargins } from "./studio.js";

let found = null;

export async function clauses(main, wanted, tools) {
  const run = async () => {
    status.textContent = "The scenarios run; this takes a while …";
    try {
      found = await ask("conformance");
      setMargins(found.margins);
    } catch (error) {
      status.textContent = error.message;
      return;
    }
    draw();
  };
  const status = element("p", { role: "status", id: "ran" });
  const list = element("ul", { class: "clauses" });
  const failures = element("div", { id: "failures" });
  main.replaceChildren(element("header", { class: "head" }, element("h2", {}, "Clauses and scenarios"),
    element("p", { class: "soft" }, "Each clause of the rulebook with the rules that cite it and the scenarios that cover it; what fails after a change comes first, sorted into what tells of the change and surprises."),
    element("p", { class: "tools" }, element("button", { type: "button", class: "main small", id: "run-scenarios", onclick: run }, "Run the scenarios"),
      element("input", { type: "search", placeholder: "Search", "aria-label": "Search in the clauses", oninput: (e) => {
        for (const li of list.children) li.hidden = !li.textContent.toLowerCase().includes(e.target.value.toLowerCase());
      } })), status), failures, list);
  const place = (p) => element("button", { type: "button", class: "link", onclick: () => tools.text(p.file, p.line) }, `${p.file}:${p.line}`);

  function draw() {
    status.textContent = `${found.ran} runs of scenarios in ${found.seconds} s: ${found.failed ? `${found.failed} scenarios fail` : "all hold"}. The margins of the rules show what ran.`;
    // one scenario runs with several player counts: it is told once, with all that it fails with
    const heaps = {};
    for (const f of found.failures) {
      const heap = (heaps[f.heap || "failures"] ||= []);
      const same = heap.find((one) => one.file === f.file && one.line === f.line && one.mismatches.join() === f.mismatches.join());
      if (same) same.rulesets.push(f.ruleset);
      else heap.push({ ...f, rulesets: [f.ruleset] });
    }
    failures.replaceChildren(...Object.entries(heaps).sort(([a], [b]) => (a === "surprise" ? -1 : b === "surprise" ? 1 : 0)).map(([heap, items]) => element("details", { open: heap === "surprise", class: "heap", "data-heap": heap },
      element("summary", {}, `${heap}: ${items.length}`), element("ul", {}, ...items.map((f) => element("li", {}, element("b", {}, f.name), ` (${f.rulesets.join("; ")}) `, place(f), ...f.mismatches.map((m) => element("p", { class: "soft" }, m))))))));
    list.replaceChildren(...found.clauses.map((c) => element("li", { class: c.id === wanted.clause ? "here" : "", id: `clause-${c.id}` },
      element("p", {}, element("b", {}, `@${c.id} `), c.rule),
      c.cited.length ? element("details", {}, element("summary", {}, `rules: ${c.cited.length}`), element("ul", {}, ...c.cited.map((p) => element("li", {}, place(p), " ", element("code", {}, p.text))))) : element("p", { class: "soft" }, c.absent.length ? `no rule: ${c.absent.join("; ")}` : "no rule cites it"),
      c.scenarios.length ? element("details", {}, element("summary", {}, `scenarios: ${c.scenarios.length}${c.scenarios.some((s) => !s.passed) ? ", not all hold" : ""}`), element("ul", {}, ...c.scenarios.map((s) => element("li", {}, element("span", { class: s.passed ? "state-ok" : "state-bad" }, s.passed ? "holds " : "fails "), s.name, " ", place(s))))) : element("p", { class: "soft" }, "no scenario covers it"))));
    document.getElementById(`clause-${wanted.clause}`)?.scrollIntoView({ block: "center" });
  }
  if (found) draw();
  else if (wanted.clause) await run();
}

export async function mutants(file, tell) {
  tell("Small changes of the file are tried; this takes a while …");
  const answer = await ask("conformance", { mutants: file });
  const count = Object.keys(answer.notes).length;
  tell(`${answer.tried} of ${answer.of} small changes tried: ${count ? `${count} lines where none is noticed` : "all noticed"}.`);
  return answer.notes;
}
