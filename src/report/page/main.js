// The report of `fathom verify -o html`. Without this script the page has all steps and the cluster
// at the end of each counterexample; with it, a picture for every step.
import { Stepper } from "./stepper.js";

// A link to a step (#i1-s7) shows that step.
function follow(steppers) {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (const stepper of steppers)
    if (target && target.dataset.step && stepper.section.contains(target)) stepper.show(Number(target.dataset.step), true);
}

const steppers = [...document.querySelectorAll(".run")].map((section) => new Stepper(section));
addEventListener("hashchange", () => follow(steppers));
follow(steppers);
