// Text in an editor: a text area over a coloured copy of its text. editor(place, text, changed) → {problems(list), …}

import { ask } from "./talk.js";
import { element, later } from "./page.js";

const WORDS = /^(?:if|elif|else|for|while|loop|choose|either|option|where|let|var|return|break|continue|roll|draw|deal|move|score|require|reset|tell|put|take|show|pass|together|in|not|and|or|is|by|as|say|from|to|of|meets|within|secretly|any|all|count|sum|min|max|best|sort|groups|procedure|function|open|replace|state|pieces|on|instead|before|after|invariant|outcome|heuristic|per|map|set|list|visible|owner|hidden|resets|at|others|standing|with|seen|revealing|for)$/;
const TOKEN = /(#.*)|("[^"\n]*"|'[^'\n]*')|(@[A-Za-z][\w.-]*)|(\b\d+\b)|(\b(?:true|false|none)\b)|([A-Za-z_]\w*)|([^])/g;
const YAML_KEY = /^(\s*(?:- )*)([\w.'" @?-]+)(:)(?=\s|$)/;

function colours(line, yaml) {
  const out = [];
  let rest = line;
  if (yaml) {
    const key = YAML_KEY.exec(line);
    if (key) {
      out.push([key[1], ""], [key[2], "key"], [key[3], ""]);
      rest = line.slice(key[0].length);
    }
  }
  for (const m of rest.matchAll(TOKEN)) {
    const kind = m[1] ? "comment" : m[2] ? "string" : m[3] ? "clause" : m[4] || m[5] ? "number" : m[6] ? (!yaml && WORDS.test(m[6]) ? "word" : /^[A-Z]/.test(m[6]) ? "kind" : "") : "";
    out.push([m[0], kind]);
  }
  return out;
}

// one line as spans, with the marks of problems laid over the colours
function lineOf(text, yaml, marks) {
  const row = document.createElement("div");
  let at = 0;
  for (const [piece, kind] of colours(text, yaml)) {
    let start = 0;
    while (start < piece.length) {
      const column = at + start;
      const mark = marks.find((m) => m.start <= column && column < m.end);
      const next = marks.reduce((n, m) => {
        for (const edge of [m.start, m.end]) if (edge > column && edge < n) n = edge;
        return n;
      }, at + piece.length);
      const part = piece.slice(start, next - at);
      const classes = [kind && `t-${kind}`, mark && mark.severity].filter(Boolean).join(" ");
      if (classes) row.append(element("span", { class: classes }, part));
      else row.append(part);
      start = next - at;
    }
    at += piece.length;
  }
  const end = marks.find((m) => m.start >= text.length);
  if (end) row.append(element("span", { class: end.severity }, " "));
  row.append("\n");
  return row;
}

export function editor(place, text, changed, about = {}) {
  const yaml = (about.file || "").endsWith(".yaml");
  const area = element("textarea", { class: "code", spellcheck: "false", autocapitalize: "off", autocomplete: "off", "aria-label": about.label || "Rules", wrap: "off" });
  const copy = element("pre", { class: "code copy", "aria-hidden": "true" });
  const gutter = element("pre", { class: "gutter", "aria-hidden": "true" });
  const box = element("div", { class: "editor" }, gutter, element("div", { class: "layers" }, copy, area));
  place.replaceChildren(box);
  area.value = text;
  let list = [];
  let margin = {};
  let shown = [];

  function marksOf(number) {
    const length = shown[number - 1]?.length ?? 0;
    return list
      .filter((p) => p.line <= number && number <= Math.max(p.line, p.end_line))
      .map((p) => ({
        severity: p.severity,
        start: p.line === number ? p.column - 1 : 0,
        end: p.end_line === number ? Math.max(p.end_column - 1, p.line === number ? p.column : 1) : length + 1,
      }));
  }

  // only lines that are different are drawn anew
  let drawn = [];
  function draw() {
    shown = area.value.split("\n");
    const keys = shown.map((line, i) => `${line}\u0000${JSON.stringify(marksOf(i + 1))}`);
    let start = 0;
    while (start < keys.length && keys[start] === drawn[start]) start++;
    let end = 0;
    while (end < keys.length - start && end < drawn.length - start && keys[keys.length - 1 - end] === drawn[drawn.length - 1 - end]) end++;
    for (let i = start; i < drawn.length - end; i++) copy.children[start].remove();
    const before = copy.children[start] || null;
    for (let i = start; i < keys.length - end; i++) copy.insertBefore(lineOf(shown[i], yaml, marksOf(i + 1)), before);
    drawn = keys;
    gutter.replaceChildren(...shown.map((_, i) => {
      const wrong = list.find((p) => p.line === i + 1);
      const note = margin[i + 1];
      return element("div", { class: [wrong ? wrong.severity : "", note ? `m-${note.kind}` : ""].join(" ").trim(), title: note ? note.text : null }, String(i + 1));
    }));
    area.rows = Math.max(3, shown.length + 1);
    const widest = shown.reduce((n, l) => Math.max(n, l.length), 40);
    area.style.width = copy.style.width = `max(100%, ${widest + 4}ch)`;
  }

  const say = later(150, () => changed(area.value));
  area.addEventListener("input", () => {
    about.begun?.();
    draw();
    say();
    offer(false);
  });
  area.addEventListener("blur", () => {
    say.now();
    setTimeout(hide, 150);
  });
  draw();

  // ------------------------------------------------------------ places

  function position(offset = area.selectionStart) {
    const before = area.value.slice(0, offset);
    const line = before.split("\n").length;
    return { line, column: offset - (before.lastIndexOf("\n") + 1) + 1 };
  }

  function offsetOf(line, column) {
    const lines = area.value.split("\n");
    let out = 0;
    for (let i = 0; i < Math.min(line - 1, lines.length); i++) out += lines[i].length + 1;
    return Math.min(area.value.length, out + column - 1);
  }

  function metrics() {
    const probe = element("span", { class: "probe" }, "0000000000");
    copy.append(probe);
    const size = probe.getBoundingClientRect();
    probe.remove();
    return { width: size.width / 10, height: parseFloat(getComputedStyle(copy).lineHeight) };
  }

  function underMouse(event) {
    const { width, height } = metrics();
    const frame = area.getBoundingClientRect();
    const style = getComputedStyle(area);
    const x = event.clientX - frame.left - parseFloat(style.paddingLeft);
    const y = event.clientY - frame.top - parseFloat(style.paddingTop);
    return { line: Math.floor(y / height) + 1, column: Math.floor(x / width) + 1 };
  }

  function pixels({ line, column }) {
    const { width, height } = metrics();
    const frame = area.getBoundingClientRect();
    const style = getComputedStyle(area);
    return { x: frame.left + parseFloat(style.paddingLeft) + (column - 1) * width, y: frame.top + parseFloat(style.paddingTop) + line * height };
  }

  function replace(start, end, text) {
    area.focus();
    area.setSelectionRange(start, end);
    // the browser's own undo inside of the text knows of it this way
    if (!document.execCommand("insertText", false, text)) {
      area.setRangeText(text, start, end, "end");
      area.dispatchEvent(new Event("input"));
    }
  }

  // ------------------------------------------------------------ hover

  const tip = document.getElementById("tip");
  let over = null;
  const hover = later(250, async (event) => {
    const at = underMouse(event);
    if (!shown[at.line - 1] || at.column > shown[at.line - 1].length + 1) return hideTip();
    const key = `${at.line}:${at.column}`;
    over = key;
    const wrong = list.filter((p) => p.line === at.line && p.column <= at.column && at.column <= Math.max(p.end_column, p.column + 1));
    let meaning = null;
    try {
      meaning = (await ask("ask", { what: "hover", file: about.file, text: area.value, ...at })).answer;
    } catch {
      meaning = null;
    }
    if (over !== key || (!meaning && !wrong.length)) return hideTip();
    showTip(pixels(at), wrong, meaning);
  });

  function showTip({ x, y }, wrong, meaning) {
    const parts = wrong.map((p) => problemBox(p, about.fix));
    if (meaning) {
      parts.push(element("p", { class: "title" }, element("code", {}, meaning.title), meaning.type ? element("span", { class: "soft" }, ` : ${meaning.type}`) : null));
      if (meaning.text) parts.push(element("p", {}, meaning.text));
      for (const [id, rule] of meaning.clauses || []) parts.push(element("p", { class: "clause" }, element("b", {}, `@${id} `), rule));
    }
    tip.replaceChildren(...parts);
    tip.hidden = false;
    tip.style.left = `${Math.max(4, Math.min(x, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${y + tip.offsetHeight + 8 > innerHeight ? Math.max(4, y - tip.offsetHeight - 24) : y + 4}px`;
  }

  function hideTip() {
    over = null;
    tip.hidden = true;
  }

  area.addEventListener("mousemove", (event) => hover(event));
  area.addEventListener("mouseleave", () => setTimeout(() => !tip.matches(":hover") && hideTip(), 200));
  tip.onmouseleave = hideTip;
  area.addEventListener("scroll", hideTip);

  // ------------------------------------------------------------ completion

  const menu = document.getElementById("complete");
  let options = [];
  let chosen = 0;
  const offer = later(120, async (wanted) => {
    if (document.activeElement !== area || area.selectionStart !== area.selectionEnd) return hide();
    const at = position();
    const before = shown[at.line - 1].slice(0, at.column - 1);
    if (!wanted && !/[\w@.]$/.test(before)) return hide();
    try {
      options = (await ask("ask", { what: "complete", file: about.file, text: area.value, ...at })).answer;
    } catch {
      options = [];
    }
    if (!options.length || document.activeElement !== area) return hide();
    chosen = 0;
    const place = pixels(at);
    menu.replaceChildren(...options.slice(0, 12).map((o, i) => element("li", {
      role: "option", id: `o${i}`, "aria-selected": String(i === 0),
      onpointerdown: (event) => {
        event.preventDefault();
        chosen = i;
        take();
      },
    }, element("b", {}, o.name), element("span", { class: "soft" }, ` ${o.sort}`), element("span", { class: "detail" }, o.detail.slice(0, 90)))));
    menu.hidden = false;
    area.setAttribute("aria-activedescendant", "o0");
    menu.style.left = `${Math.max(4, Math.min(place.x, innerWidth - menu.offsetWidth - 8))}px`;
    menu.style.top = `${place.y + menu.offsetHeight > innerHeight ? place.y - menu.offsetHeight - 26 : place.y + 2}px`;
  });

  function hide() {
    menu.hidden = true;
    area.removeAttribute("aria-activedescendant");
  }

  function take() {
    const option = options[chosen];
    hide();
    if (option) replace(area.selectionStart - option.length, area.selectionStart, option.insert);
  }

  function pick(step) {
    const count = Math.min(12, options.length);
    chosen = (chosen + step + count) % count;
    [...menu.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === chosen)));
    area.setAttribute("aria-activedescendant", `o${chosen}`);
  }

  // ------------------------------------------------------------ keys

  area.addEventListener("keydown", async (event) => {
    if (!menu.hidden) {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        return pick(event.key === "ArrowDown" ? 1 : -1);
      }
      if (event.key === "Enter" || event.key === "Tab") {
        event.preventDefault();
        return take();
      }
      if (event.key === "Escape") {
        event.stopPropagation();
        return hide();
      }
    }
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      offer(true);
    } else if (event.key === "F12") {
      event.preventDefault();
      define(position());
    } else if (event.key === "F" && event.shiftKey && event.altKey) {
      event.preventDefault();
      format();
    } else if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey) {
      const { line } = position();
      const row = shown[line - 1];
      const indent = /^ */.exec(row)[0] + (row.trimEnd().endsWith(":") ? (yaml ? "  " : "    ") : "");
      event.preventDefault();
      replace(area.selectionStart, area.selectionEnd, `\n${indent}`);
    } else if (event.key === "Tab" && !event.shiftKey && !event.ctrlKey && about.tabs) {
      event.preventDefault();
      replace(area.selectionStart, area.selectionEnd, yaml ? "  " : "    ");
    } else if (event.key === "Escape") about.tabs = false;
  });
  area.addEventListener("focus", () => (about.tabs = !yaml && about.whole));
  area.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey) define(position());
  });

  async function define(at) {
    const found = (await ask("ask", { what: "define", file: about.file, text: area.value, ...at }).catch(() => ({ answer: [] }))).answer;
    if (found.length && about.go) about.go(found[0]);
  }

  async function format() {
    if (yaml) return;
    const found = (await ask("ask", { what: "format", file: about.file, text: area.value }).catch(() => ({ answer: { text: area.value } }))).answer;
    if (found.text !== area.value) {
      const at = position();
      replace(0, area.value.length, found.text);
      area.setSelectionRange(offsetOf(at.line, at.column), offsetOf(at.line, at.column));
    }
  }

  return {
    area,
    format,
    problems(found) {
      list = found;
      draw();
    },
    margin(notes) {
      margin = notes;
      draw();
    },
    get text() {
      return area.value;
    },
    set text(next) {
      if (next === area.value) return;
      const at = position();
      const focus = document.activeElement === area;
      area.value = next;
      draw();
      if (focus) area.setSelectionRange(offsetOf(at.line, at.column), offsetOf(at.line, at.column));
    },
    go(line, column, endLine = line, endColumn = column) {
      area.focus();
      area.setSelectionRange(offsetOf(line, column), offsetOf(endLine, endColumn));
      const { y } = pixels({ line, column });
      const frame = box.closest("main") || document.scrollingElement;
      const top = frame.getBoundingClientRect ? frame.getBoundingClientRect().top : 0;
      frame.scrollBy({ top: y - top - frame.clientHeight / 2 });
    },
    insert(text) {
      replace(area.selectionStart, area.selectionEnd, text);
    },
    busy: () => document.activeElement === area,
    flush: () => say.now(),
  };
}

export function problemBox(p, fix) {
  return element("div", { class: `wrong ${p.severity}` },
    element("p", {}, element("b", {}, p.severity === "error" ? "Wrong: " : "Look: "), p.message),
    p.expected ? element("p", { class: "soft" }, `expected: ${p.expected}`) : null,
    p.hint ? element("p", { class: "soft" }, `hint: ${p.hint}`) : null,
    ...(p.fixes || []).map((f) => element("button", { type: "button", class: "tool fix", onclick: () => fix && fix(f) }, f.label)));
}
