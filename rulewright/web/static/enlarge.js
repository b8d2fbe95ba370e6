// Boards that were made to fit a narrow screen → each with a button that shows it as large as a finger needs, in a window of its own.

import { words } from "./line.js";

const narrow = matchMedia("(max-width: 40rem)");

// a board on which a finger hits everything already needs no button
const GAIN = 1.15;

function button(figure) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "tool enlarge";
  made.textContent = words.enlarge;
  made.setAttribute("aria-pressed", "false");
  made.addEventListener("click", () => {
    const large = figure.classList.toggle("large");
    made.setAttribute("aria-pressed", String(large));
    if (large) show(figure);
  });
  figure.querySelector("figcaption").append(made);
  return made;
}

// what can be chosen comes first
function show(figure) {
  const box = figure.querySelector(".scroll");
  const target = (figure.querySelector(".target") || box.firstElementChild).getBoundingClientRect();
  const seen = box.getBoundingClientRect();
  box.scrollLeft += target.x + target.width / 2 - seen.x - seen.width / 2;
  box.scrollTop += target.y + target.height / 2 - seen.y - seen.height / 2;
}

const boards = [...document.querySelectorAll("#picture figure.picture")].map((figure) => [figure, button(figure)]);

function fit() {
  for (const [figure, made] of boards) {
    if (figure.classList.contains("large") && narrow.matches) continue;
    figure.classList.remove("large");
    made.setAttribute("aria-pressed", "false");
    const wide = figure.querySelector("svg").getBoundingClientRect().width;
    made.hidden = !narrow.matches || Number(figure.dataset.large) < wide * GAIN;
  }
}

fit();
addEventListener("resize", fit);
