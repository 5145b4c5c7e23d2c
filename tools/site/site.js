// The reader's choices: light or dark, and the language of examples, which hold for all pages; copies of code; the search.
// Without scripts, the pages follow the system's colours and show the examples one after the other.
"use strict";

const store = {
  get: (name) => { try { return localStorage.getItem(name); } catch { return null; } },
  set: (name, value) => { try { localStorage.setItem(name, value); } catch { /* the choice holds for this page */ } },
};

document.documentElement.classList.add("scripted");
if (store.get("theme")) document.documentElement.dataset.theme = store.get("theme");

function choose(language) {
  for (const tabs of document.querySelectorAll(".tabs")) {
    const all = [...tabs.querySelectorAll("[role=tab]")].map((tab) => tab.dataset.language);
    const shown = all.includes(language) ? language : all[0];
    for (const tab of tabs.querySelectorAll("[role=tab]")) tab.setAttribute("aria-selected", tab.dataset.language === shown);
    for (const panel of tabs.querySelectorAll("[role=tabpanel]")) panel.hidden = panel.dataset.language !== shown;
  }
}

// Copies. A block of code has a button that puts it on the clipboard.

function offerCopies() {
  for (const block of document.querySelectorAll("pre.code")) {
    const frame = document.createElement("div"), button = document.createElement("button");
    frame.className = "block";
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => copy(block, button));
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

async function copy(block, button) {
  try {
    await navigator.clipboard.writeText(block.textContent);
  } catch {
    getSelection().selectAllChildren(block);
    document.execCommand("copy");
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = "Copy"; }, 1500);
}

// The search over all pages. Its index is a script, which is loaded with the first search: pages from files cannot fetch.

const MOST = 20;
let index = null, isLoading = false;

window.searched = (entries) => {
  index = entries;
  search(document.getElementById("search").value);
};

function search(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return closeSearch();
  if (index) return show(query, ranked(words, query.trim().toLowerCase()));
  if (isLoading) return;
  isLoading = true;
  const script = document.createElement("script");
  script.src = `${document.documentElement.dataset.root}/search.js`;
  document.head.append(script);
}

// The parts that have every word, those with the words in their headings first.
function ranked(words, query) {
  const scored = [];
  for (const [address, title, heading, text] of index) {
    const name = heading.toLowerCase(), titled = `${title.toLowerCase()} ${name}`, all = `${titled} ${text.toLowerCase()}`;
    if (!words.every((word) => all.includes(word))) continue;
    const score = name === query ? 4 : words.every((word) => name.includes(word)) ? 3 : words.every((word) => titled.includes(word)) ? 2 : 1;
    scored.push({ address, title, heading, text, score: score - name.length / 1000 });
  }
  return scored.sort((one, other) => other.score - one.score).slice(0, MOST);
}

function show(query, results) {
  const list = document.getElementById("found");
  list.replaceChildren(...results.map((each) => result(each, query)));
  if (!results.length) list.textContent = `Nothing found for “${query.trim()}”.`;
  list.hidden = false;
}

function result({ address, title, heading, text }, query) {
  const link = document.createElement("a"), page = document.createElement("small"), excerpt = document.createElement("span");
  link.href = `${document.documentElement.dataset.root}/${address}`;
  link.append(...heading.split(/(?<=[_.])/).flatMap((word) => [word, document.createElement("wbr")]), " ");
  page.textContent = title === heading ? "" : title;
  excerpt.textContent = excerptOf(text, query.trim().toLowerCase().split(/\s+/)[0]);
  link.append(page, excerpt);
  link.addEventListener("click", closeSearch);
  return link;
}

// Some whole words of a text around a word.
function excerptOf(text, word) {
  const start = text.lastIndexOf(" ", Math.max(0, text.toLowerCase().indexOf(word) - 40)) + 1;
  const end = text.length > start + 140 ? text.lastIndexOf(" ", start + 140) : text.length;
  return (start ? "… " : "") + text.slice(start, end) + (end < text.length ? " …" : "");
}

function closeSearch() {
  document.getElementById("found").hidden = true;
}

document.addEventListener("DOMContentLoaded", () => {
  const root = document.documentElement;
  choose(store.get("language") || "python");
  document.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (!tab) return;
    const before = tab.getBoundingClientRect().top;
    store.set("language", tab.dataset.language);
    choose(tab.dataset.language);
    window.scrollBy(0, tab.getBoundingClientRect().top - before);
  });
  document.getElementById("theme").addEventListener("click", () => {
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = isDark ? "light" : "dark";
    store.set("theme", root.dataset.theme);
  });
  const menu = document.getElementById("menu");
  menu.addEventListener("click", () => {
    const isOpen = document.body.classList.toggle("open");
    menu.setAttribute("aria-expanded", isOpen);
  });
  offerCopies();
  const field = document.getElementById("search"), wanted = new URLSearchParams(location.search).get("search");
  field.addEventListener("input", () => search(field.value));
  field.addEventListener("focus", () => search(field.value));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeSearch();
    if (event.key === "Enter" && event.target === field) document.querySelector("#found a")?.click();
    if (event.key !== "/" || event.target.closest("input, textarea")) return;
    event.preventDefault();
    field.focus();
  });
  document.addEventListener("click", (event) => { if (!event.target.closest(".search")) closeSearch(); });
  if (wanted) { field.value = wanted; search(wanted); }
});
