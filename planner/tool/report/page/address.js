// Keeps the present view after the # of the address: a link, a reload or a bookmark shows the same again.

const shownNow = new URLSearchParams(location.hash.slice(1));

// The remembered value if it is one of `possible`.
function remembered(name, possible) {
  const value = shownNow.get(name);
  return possible.includes(value) ? value : undefined;
}

// Inside another page, as in a notebook, there is no address of its own.
function remember(name, value) {
  if (location.protocol === "about:") return;
  shownNow.set(name, value);
  history.replaceState(null, "", `#${shownNow}`);
}
