// A recorded game → a slider over its steps.

import { Line, answer, connected, patch, problem, say, tell, words } from "./line.js";

const body = document.body;
const slide = document.getElementById("slide");
const story = document.getElementById("story");
const eyes = document.getElementById("eyes");
let last = Number(body.dataset.last);
let playing = null;

const line = new Line(body.dataset.table, heard);

function heard(message) {
  if (message.type === "open" || message.type === "closed") {
    connected(message.type === "open");
    if (message.type === "open") show(Number(slide.value));
  } else if (message.type === "patch") {
    last = message.steps;
    slide.max = last;
    patch(message.html);
    tell(story, message.story);
    mark();
  } else if (message.type === "why") answer(message.html);
  else if (message.type === "problem") problem(message.text);
}

function show(step) {
  const wanted = Math.max(1, Math.min(last, step));
  slide.value = wanted;
  const field = document.getElementById("step");
  if (field) field.value = wanted;
  line.send({ type: "at", step: wanted, ...(eyes ? { eyes: Number(eyes.value) } : {}) });
  mark();
}

function mark() {
  const step = Number(slide.value);
  document.getElementById("at").textContent = say("step_of", { step, last });
  for (const item of story.children) item.classList.toggle("shown", Number(item.dataset.step) === step);
  const shown = story.querySelector(".shown");
  const box = story.parentElement;
  if (shown) box.scrollTop = shown.offsetTop - box.offsetTop - box.clientHeight / 2;
}

function play(on) {
  clearInterval(playing);
  playing = on
    ? setInterval(() => (Number(slide.value) >= last ? play(false) : show(Number(slide.value) + 1)), 900)
    : null;
  document.getElementById("play").textContent = on ? words.pause : words.play;
}

const moves = {
  first: () => show(1),
  last: () => show(last),
  before: () => show(Number(slide.value) - 1),
  after: () => show(Number(slide.value) + 1),
  play: () => play(!playing),
};

slide.addEventListener("input", () => show(Number(slide.value)));
eyes?.addEventListener("change", () => show(Number(slide.value)));
document.getElementById("jump")?.addEventListener("change", (event) => {
  if (event.target.value) show(Number(event.target.value));
});
document.getElementById("advise")?.addEventListener("click", () => {
  answer(`<p>${words.thinking}</p>`);
  line.send({ type: "advise", step: Number(slide.value) });
});
document.addEventListener("click", (event) => {
  const element = event.target.closest("[data-go], [data-at]");
  if (element?.dataset.go) moves[element.dataset.go]();
  else if (element) show(Number(element.dataset.at));
});
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea, summary") || event.ctrlKey || event.altKey) return;
  if (event.key === "ArrowLeft") moves.before();
  else if (event.key === "ArrowRight") moves.after();
  else if (event.key === "Home") moves.first();
  else if (event.key === "End") moves.last();
  else if (event.key === " " && event.target === body) moves.play();
  else return;
  event.preventDefault();
});
