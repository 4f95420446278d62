// As page.html#embedded, the page shows only its board and controls, and reports the controls' height.
if (location.hash === "#embedded") {
  document.documentElement.className = "embedded";
  const stage = document.getElementById("stage"), main = stage.parentElement;
  const sendToParent = (words) => parent.postMessage(words, "*");
  new ResizeObserver(() => {
    sendToParent({ controls: main.scrollHeight - stage.offsetHeight });
  }).observe(stage);
  // Synchronises films on a page: reports what the visitor does, and follows commands.
  const play = document.getElementById("play"), scrub = document.getElementById("scrub");
  const share = () => scrub.value / (scrub.max || 1);
  const seek = (to) => {
    scrub.value = to * scrub.max;
    scrub.dispatchEvent(new Event("input"));
  };
  const setPlaying = (on) => {
    if ((play.dataset.playing === "true") !== on) play.click();
  };
  addEventListener("load", () => {
    play.addEventListener("click", (event) => {
      if (event.isTrusted) sendToParent({ did: play.dataset.playing === "true" ? "play" : "pause", share: share() });
    });
    scrub.addEventListener("input", (event) => {
      if (event.isTrusted) sendToParent({ did: "seek", share: share() });
    });
  });
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || !data?.do) return;
    if (data.do === "start") seek(0);
    else seek(Number(data.share) || 0);
    setPlaying(data.do === "play" || data.do === "start");
  });
}
