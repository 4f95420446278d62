// As page.html#embedded, the page shows only its board and controls, and reports the controls' height.
if (location.hash === "#embedded") {
  document.documentElement.className = "embedded";
  const stage = document.getElementById("stage"), main = stage.parentElement;
  const sendToParent = (words) => parent.postMessage(words, "*");
  const reportHeight = () => sendToParent({ controls: main.scrollHeight - stage.offsetHeight });
  new ResizeObserver(reportHeight).observe(stage);
  // Synchronises films on a page: reports what the visitor does, and follows commands.
  const play = document.getElementById("play"), scrub = document.getElementById("scrub");
  const share = () => scrub.value / (scrub.max || 1);
  const seek = (to) => {
    scrub.value = to * scrub.max;
    scrub.dispatchEvent(new Event("input"));
  };
  const isPlaying = () => play.dataset.playing === "true";
  const reportAct = (did = isPlaying() ? "play" : "pause") => sendToParent({ did, share: share() });
  addEventListener("load", () => {
    play.addEventListener("click", ({ isTrusted }) => isTrusted && reportAct());
    scrub.addEventListener("input", ({ isTrusted }) => isTrusted && reportAct("seek"));
  });
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || !data?.do) return;
    if (data.do === "measure") return reportHeight();
    if (data.do === "report") return reportAct();
    if (data.do === "start") seek(0);
    else seek(Number(data.share) || 0);
    const plays = data.do === "play" || (data.do === "start" && !("waits" in play.dataset));
    if (isPlaying() !== plays) play.click();
  });
}
