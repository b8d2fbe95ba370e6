// The lobby: seats and variants follow the number of players, a replay file can be dropped anywhere, one's tables are listed.

import { words } from "./line.js";

for (const form of document.querySelectorAll("form[data-game]")) {
  const fit = () => {
    const players = form.querySelector("input[name=players]:checked").value;
    for (const seat of form.querySelectorAll("[data-seat]")) {
      seat.hidden = Number(seat.dataset.seat) >= Number(players);
    }
    for (const part of form.querySelectorAll("[data-players]")) {
      part.hidden = !part.dataset.players.split(" ").includes(players);
      for (const field of part.querySelectorAll("input, select")) field.disabled = part.hidden;
    }
  };
  form.addEventListener("change", fit);
  fit();
}

// ---------------------------------------------------------------- a replay file

const answer = document.getElementById("drop-answer");

async function open(file) {
  answer.textContent = "…";
  const response = await fetch("/replays", { method: "POST", body: file });
  const found = await response.json();
  if (found.table) location.href = found.table;
  else answer.textContent = found.problem;
}

document.getElementById("file").addEventListener("change", (event) => {
  if (event.target.files[0]) open(event.target.files[0]);
});
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
  answer.textContent = words.dropping;
});
document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  if (event.dataTransfer.files[0]) open(event.dataTransfer.files[0]);
});

// ---------------------------------------------------------------- one's tables

try {
  const tables = JSON.parse(localStorage.getItem("tables") || "[]");
  const list = document.getElementById("mine-list");
  for (const table of tables) {
    const link = document.createElement("a");
    link.href = `/table/${encodeURIComponent(table.id)}`;
    link.textContent = `${table.title}, ${new Date(table.when).toLocaleString()}`;
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
  }
  document.getElementById("mine").hidden = !tables.length;
} catch {
  // without storage there is no list
}
