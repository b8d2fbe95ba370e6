// While a mouse button or the space bar is down nothing is drawn anew: what was under it would be gone before it is let go, and the
// click or the drag with it. What was to be drawn meanwhile is drawn then, in its order; of what has a name the last one.

let pressed = false;
const meanwhile = new Map();

function ended(event) {
  // one that was let go elsewhere is seen when the mouse comes back; a field that is left is no end
  if (!pressed || (event.type === "pointermove" && event.buttons) || (event.type === "blur" && event.target !== window)) return;
  if (event.type === "keyup" && event.key !== " ") return;
  pressed = false;
  // behind the click that follows
  setTimeout(() => {
    if (pressed) return;
    const all = [...meanwhile.values()];
    meanwhile.clear();
    for (const does of all) does();
  }, 0);
}

addEventListener("pointerdown", () => (pressed = true), true);
addEventListener("keydown", (event) => event.key === " " && (pressed = true), true);
for (const end of ["pointerup", "pointercancel", "pointermove", "keyup", "blur"]) addEventListener(end, ended, true);

// without a name it is one of several, none of which may be left out
export function calmly(name, does) {
  if (pressed || meanwhile.size) meanwhile.set(name ?? Symbol("one of several"), does);
  else does();
}
