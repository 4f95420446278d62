// As page.html#embedded, the player is a board and its controls alone; it tells how high those are.
if (location.hash === "#embedded") {
  document.documentElement.className = "embedded";
  const stage = document.getElementById("stage"), main = stage.parentElement;
  new ResizeObserver(() => {
    parent.postMessage({ controls: main.scrollHeight - stage.offsetHeight }, "*");
  }).observe(stage);
}
