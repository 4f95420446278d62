/**
 * A page in another one: as page.html#embedded it shows only its board and controls, and reports the
 * height of its controls; films on a page are synchronised by messages.
 */

import { findElements } from "../page/elements.js";

if (location.hash === "#embedded") {
  document.documentElement.className = "embedded";
  const { stage, main, play, scrub } = findElements({
    stage: HTMLElement,
    main: HTMLElement,
    play: HTMLButtonElement,
    scrub: HTMLInputElement,
  });
  /** @param {Record<string, unknown>} words */
  const sendToParent = (words) => parent.postMessage(words, "*");
  const reportHeight = () => sendToParent({ controls: main.scrollHeight - stage.offsetHeight });
  const isPlaying = () => play.dataset.playing === "true";
  const share = () => Number(scrub.value) / (Number(scrub.max) || 1);
  const reportAct = (did = isPlaying() ? "play" : "pause") => sendToParent({ did, share: share() });

  /** @param {number} to */
  const seek = (to) => {
    scrub.value = String(to * Number(scrub.max));
    scrub.dispatchEvent(new Event("input"));
  };

  new ResizeObserver(reportHeight).observe(stage);
  // After the player has set its own handlers.
  addEventListener("load", () => {
    play.addEventListener("click", ({ isTrusted }) => isTrusted && reportAct());
    scrub.addEventListener("input", ({ isTrusted }) => isTrusted && reportAct("seek"));
  });
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || !data?.do) return;
    if (data.do === "measure") return reportHeight();
    if (data.do === "report") return reportAct();
    seek(data.do === "start" ? 0 : Number(data.share) || 0);
    const plays = data.do === "play" || (data.do === "start" && !("waits" in play.dataset));
    if (isPlaying() !== plays) play.click();
  });
}
