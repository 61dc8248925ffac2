// The report of `fathom verify -o html`. Without this script the page has all steps and the cluster
// at the end of each counterexample; with it, a picture for every step.
import { Stepper } from "./stepper.js";

const steppers = new Map();

// Runs that are folded away cost nothing until somebody looks.
function prepare(section) {
  const folded = section.closest("details");
  if (!steppers.has(section) && (!folded || folded.open)) steppers.set(section, new Stepper(section));
}

function unfold(element) {
  for (let folded = element.closest("details"); folded; folded = folded.parentElement.closest("details"))
    folded.open = true;
}

// A link to a step (#i1-s7) shows that step.
function follow() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const section = target && target.dataset.step ? target.closest(".run") : null;
  if (!section || !section.querySelector(".run-data")) return;
  unfold(section);
  prepare(section);
  steppers.get(section).show(Number(target.dataset.step), true);
}

for (const section of document.querySelectorAll(".run:has(> .run-data)")) {
  prepare(section);
  const folded = section.closest("details");
  if (folded) folded.addEventListener("toggle", () => prepare(section));
}
addEventListener("hashchange", follow);
addEventListener("beforeprint", () => document.querySelectorAll(".top details").forEach((part) => { part.open = true; }));
follow();
