// Search over titles, numbers, gists and sentences; and everything opens for printing.
(function () {
  "use strict";
  var box = document.getElementById("search");
  var list = document.getElementById("found");
  var root = document.body.dataset.root;
  var entries = BOOK.map(function (entry) {
    return { entry: entry, title: entry.title.toLowerCase(), text: entry.text.toLowerCase() };
  });

  function score(found, words, whole) {
    if (!words.every(function (word) { return found.text.includes(word); })) return 0;
    if (found.title.split(" ")[0] === whole) return 5;
    if (found.title.includes(whole)) return 4;
    if (words.every(function (word) { return found.title.includes(word); })) return 3;
    return found.text.includes(whole) ? 2 : 1;
  }

  function row(entry) {
    var item = document.createElement("li");
    var link = item.appendChild(document.createElement("a"));
    link.href = root + entry.address;
    link.appendChild(document.createElement("b")).textContent = entry.title;
    link.appendChild(document.createElement("span")).textContent = entry.gist;
    return item;
  }

  box.addEventListener("input", function () {
    var whole = box.value.trim().toLowerCase();
    var words = whole.split(/\s+/);
    var found = whole ? entries.map(function (each) { return [score(each, words, whole), each]; }) : [];
    found = found.filter(function (pair) { return pair[0]; }).sort(function (a, b) { return b[0] - a[0]; });
    list.replaceChildren.apply(list, found.slice(0, 30).map(function (pair) { return row(pair[1].entry); }));
    if (whole && !found.length) list.appendChild(document.createElement("li")).textContent = "Nothing found";
    list.hidden = !whole;
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") { box.value = ""; list.hidden = true; }
    if (event.key === "/" && document.activeElement !== box) { event.preventDefault(); box.focus(); }
  });
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("details:not(.exact)").forEach(function (each) { each.open = true; });
  });
})();
