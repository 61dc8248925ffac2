// The counterexamples of a report, each with its stepper.
import { Stepper } from "./stepper.js";

const steppers = new WeakMap();

// Runs that are folded away cost nothing until somebody looks.
function prepare(section) {
  const folded = section.closest("details");
  if (!steppers.has(section) && (!folded || folded.open)) steppers.set(section, new Stepper(section));
}

function unfold(element) {
  for (let folded = element.closest("details"); folded; folded = folded.parentElement.closest("details"))
    folded.open = true; // the element itself, too, if it can be
}

export function prepareRuns(root) {
  for (const section of root.querySelectorAll(".run:has(> .run-data)")) {
    prepare(section);
    const folded = section.closest("details");
    if (folded) folded.addEventListener("toggle", () => prepare(section));
  }
}

// A link to a step (#i1-s7) shows that step. False: there is no such step.
function followStep(root, id) {
  const target = id ? root.querySelector(`[id="${CSS.escape(id)}"]`) : null;
  const section = target && target.dataset.step ? target.closest(".run:has(> .run-data)") : null;
  if (!section) return false;
  unfold(section);
  prepare(section);
  steppers.get(section).show(Number(target.dataset.step), true);
  return true;
}

// A link within the page: to a step, or to a part that may be folded. False: there is no such place.
export function followLink(root, id) {
  if (followStep(root, id)) return true;
  const target = id ? root.querySelector(`[id="${CSS.escape(id)}"]`) : null;
  if (!target) return false;
  unfold(target);
  target.scrollIntoView();
  return true;
}

// The step that a run's picture shows, and how many there are.
export function stepShown(section) {
  return steppers.has(section) ? steppers.get(section).at : -1;
}
