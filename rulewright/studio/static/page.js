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
