// As page.html#embedded, the player is alone with its board, and its frame may grow with its controls.
if (location.hash === "#embedded") {
  document.documentElement.className = "embedded";
  const stage = document.getElementById("stage"), main = stage.parentElement;
  new ResizeObserver(() => {
    parent.postMessage({ controls: main.scrollHeight - stage.offsetHeight }, "*");
  }).observe(stage);
}
