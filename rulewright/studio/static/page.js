// Small things that all parts of the page use: elements, dialogs, waiting a moment.

export function element(tag, attributes = {}, ...children) {
  const found = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) found.addEventListener(key.slice(2), value);
    else if (key === "class") found.className = value;
    else if (key in found && typeof value !== "string") found[key] = value;
    else found.setAttribute(key, value === true ? "" : value);
  }
  found.append(...children.filter((c) => c !== null && c !== undefined && c !== false));
  return found;
}

export function later(milliseconds, does) {
  let timer = null;
  const run = (...words) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timer = null;
      does(...words);
    }, milliseconds);
  };
  run.now = (...words) => {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    does(...words);
  };
  return run;
}

// While a mouse button is down nothing is drawn anew: what was under it would be gone before it is let go, and the click or the
// drag with it. What was to be drawn meanwhile is drawn then, the last one of each name.
let pressed = false;
const meanwhile = new Map();
addEventListener("pointerdown", () => (pressed = true), true);
for (const end of ["pointerup", "pointercancel", "pointermove", "blur"]) {
  addEventListener(end, (event) => {
    // one that was let go elsewhere is seen when the mouse comes back; a cell that is left is no end
    if (!pressed || (end === "pointermove" && event.buttons) || (end === "blur" && event.target !== window)) return;
    pressed = false;
    // behind the click that follows
    setTimeout(() => {
      if (pressed) return;
      const all = [...meanwhile.values()];
      meanwhile.clear();
      for (const does of all) does();
    }, 0);
  }, true);
}

export function calmly(name, does) {
  if (pressed) meanwhile.set(name, does);
  else {
    meanwhile.delete(name);
    does();
  }
}

// a dialog with a form; the values of its fields, or null
export function askFor(title, fields, button = "Done") {
  const dialog = document.getElementById("dialog");
  return new Promise((done) => {
    const form = element("form", { method: "dialog" }, element("h2", {}, title), ...fields,
      element("p", { class: "tools" }, element("button", { class: "main", value: "yes" }, button), element("button", { class: "tool", value: "", formnovalidate: true }, "Cancel")));
    dialog.replaceChildren(form);
    dialog.returnValue = "";
    dialog.onclose = () => {
      const data = new FormData(form);
      done(dialog.returnValue === "yes" ? data : null);
    };
    dialog.showModal();
    form.querySelector("input, select, textarea")?.focus();
  });
}

export function field(label, input) {
  return element("p", {}, element("label", {}, `${label} `, input));
}
