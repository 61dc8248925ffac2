// The report of `fathom verify -o html`. Without this script the page has all steps and the cluster
// at the end of each counterexample; with it, a picture for every step.
import { followLink, prepareRuns } from "./runs.js";

function follow() {
  followLink(document, decodeURIComponent(location.hash.slice(1)));
}

prepareRuns(document);
addEventListener("hashchange", follow);
addEventListener("beforeprint", () => document.querySelectorAll(".top details, .evidence").forEach((part) => { part.open = true; }));
follow();
