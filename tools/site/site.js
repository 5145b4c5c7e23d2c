// The reader's choices: light or dark, and the language of examples. Both hold for all pages. Without scripts, the pages
// follow the system's colours and show the examples one after the other.
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
  const filter = document.getElementById("filter");
  filter?.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/);
    for (const group of document.querySelectorAll(".functions")) {
      let isEmpty = true;
      for (const item of group.querySelectorAll("li")) {
        const text = item.textContent.toLowerCase();
        item.hidden = !words.every((word) => text.includes(word));
        isEmpty = isEmpty && item.hidden;
      }
      group.hidden = isEmpty;
    }
  });
});
