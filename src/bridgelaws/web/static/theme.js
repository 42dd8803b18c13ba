// Loaded before anything is drawn: the colours that were chosen here, or else those of the device.
(function () {
  "use strict";
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  function chosen() {
    try { return localStorage.getItem("theme"); } catch (_) { return null; }
  }
  function show() {
    var theme = chosen();
    document.documentElement.dataset.theme = theme === "dark" || theme === "light" ? theme : dark.matches ? "dark" : "light";
  }
  dark.addEventListener("change", show);
  window.addEventListener("storage", show);
  show();
})();
