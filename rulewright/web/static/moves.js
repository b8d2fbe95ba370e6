// Where pieces were and where they are → movements: a piece slides to its new place, one that comes grows, one that goes fades.

const TIME = 450;
// a jump to another part of the game moves too much to be followed
const MOST = 40;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const SVG = "http://www.w3.org/2000/svg";

// what a piece is, so that it is known again at another place: what the picture says, or the member that it stands for
const nameOf = (piece) => piece.dataset.man || piece.dataset.member;

export function standing() {
  const found = new Map();
  if (still.matches) return found;
  for (const piece of document.querySelectorAll("#picture .piece, #picture .pawn")) {
    const name = nameOf(piece);
    const place = piece.parentElement.closest("[id]");
    if (!name || !place || !piece.getScreenCTM) continue;
    const key = `${name}|${place.id}`;
    const same = found.get(key);
    if (same) same.count += 1;
    else found.set(key, { name, piece, svg: piece.ownerSVGElement, at: piece.getScreenCTM(), count: 1 });
  }
  return found;
}

// `before` is what stood there when the page last changed
export function move(before) {
  if (!before.size) return;
  const after = standing();
  const gone = [...before].filter(([key]) => !after.has(key)).map(([, one]) => one);
  if (gone.length > MOST || after.size - before.size > MOST) return;
  for (const [key, one] of after) {
    if (before.has(key)) continue;
    const from = nearest(one, gone.filter((other) => other.name === one.name));
    if (from) {
      gone.splice(gone.indexOf(from), 1);
      slide(one.piece, from.at);
    } else grow(one.piece);
  }
  for (const one of gone) fade(one);
}

function nearest(one, others) {
  const far = (other) => Math.hypot(other.at.e - one.at.e, other.at.f - one.at.f);
  return others.sort((a, b) => far(a) - far(b))[0];
}

// A copy goes the way above everything else, so that the order of the page stays as it is; the piece itself waits unseen.
function slide(piece, from) {
  const svg = piece.ownerSVGElement;
  const now = piece.getScreenCTM();
  const inside = svg.getScreenCTM().inverse();
  const [start, end] = [from, now].map(({ e, f }) => new DOMPoint(e, f).matrixTransform(inside));
  const ghost = copyOf(piece, svg, now);
  const way = [`${start.x - end.x}px ${start.y - end.y}px`, "0px 0px"];
  ghost.animate({ translate: way }, { duration: TIME, easing: "ease-in-out" }).onfinish = () => ghost.remove();
  piece.animate({ opacity: [0, 0] }, { duration: TIME });
}

function grow(piece) {
  piece.animate({ scale: [0.2, 1], opacity: [0, 1] }, { duration: TIME, easing: "ease-out" });
}

function fade({ piece, svg, at }) {
  if (!svg?.isConnected) return;
  const ghost = copyOf(piece, svg, at);
  ghost.animate({ opacity: [1, 0] }, { duration: TIME }).onfinish = () => ghost.remove();
}

function copyOf(piece, svg, at) {
  const ghost = document.createElementNS(SVG, "g");
  const { a, b, c, d, e, f } = svg.getScreenCTM().inverse().multiply(at);
  ghost.setAttribute("transform", `matrix(${a} ${b} ${c} ${d} ${e} ${f})`);
  ghost.setAttribute("aria-hidden", "true");
  ghost.setAttribute("class", "ghost");
  const copy = piece.cloneNode(true);
  for (const name of ["transform", "data-man", "data-member", "data-actions", "aria-label", "tabindex", "role"]) copy.removeAttribute(name);
  copy.classList.remove("m", "target", "marked", "piece", "pawn");
  copy.classList.add(piece.classList.contains("pawn") ? "pawn-copy" : "piece-copy");
  ghost.append(copy);
  svg.append(ghost);
  return ghost;
}
