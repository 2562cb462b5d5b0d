// Runs before anything is painted, so that a chosen theme does not flash: no module, nothing else in it.
(function () {
  var root = document.documentElement;
  root.dataset.js = "";
  try {
    var theme = localStorage.getItem("brenner.theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch (fault) {
    // storage is turned off: the system's theme it is
  }
})();
