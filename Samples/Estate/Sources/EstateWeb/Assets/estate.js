"use strict";
// The pages work without this script; it follows the app, cancels superseded filters, and shows progress.
(() => {
  const bar = document.querySelector(".bar");
  let busy = 0;
  // Only what takes longer than 300 ms is shown as progress.
  const during = async (work) => {
    busy += 1;
    const timer = setTimeout(() => { bar.hidden = false; }, 300);
    try { return await work(); } finally {
      clearTimeout(timer);
      busy -= 1;
      if (busy === 0) { bar.hidden = true; queueMicrotask(follow); }
    }
  };
  let shown = location.href;
  const replace = (html, address, keepsHistory) => {
    const next = new DOMParser().parseFromString(html, "text/html");
    if (!next.querySelector("main")) return location.assign(address);
    const focus = document.activeElement;
    const [name, start] = [focus?.name, focus?.selectionStart];
    const isField = focus?.closest?.("form[data-live]") != null;
    const open = focus?.closest?.(".card")?.id;
    const label = focus?.getAttribute?.("aria-label");
    const picked = [...document.querySelectorAll(".pick :checked")].map((box) => box.value);
    document.title = next.title;
    for (const part of [".top", "main", ".foot"]) {
      document.querySelector(part)?.replaceWith(next.querySelector(part));
    }
    for (const box of document.querySelectorAll(".pick input")) box.checked = picked.includes(box.value);
    limitPicks();
    const isOther = address.split("?")[0] !== location.href.split("?")[0];
    if (address !== location.href) {
      history[keepsHistory ? "replaceState" : "pushState"](null, "", address);
    }
    shown = location.href;
    document.body.dataset.version = next.body.dataset.version;
    const field = isField && name ? document.querySelector(`form[data-live] [name="${name}"]`) : null;
    if (field) {
      field.focus();
      if (typeof start === "number" && field.type === "text") field.setSelectionRange(start, start);
    } else if (open) {
      const card = document.getElementById(open);
      (card?.querySelector(".heart button") ?? card?.querySelector(":is(h2, h3) a"))?.focus();
    } else if (isOther) {
      // As after a navigation of the browser: reading begins with the new content.
      document.querySelector("main").focus({ preventScroll: true });
      scrollTo(0, 0);
    } else if (label) {
      document.querySelector(`[aria-label="${CSS.escape(label)}"]`)?.focus();
    }
    return isOther;
  };
  // No more cards can be picked than the route takes.
  const limitPicks = () => {
    const most = Number(document.querySelector(".picker")?.dataset.maximum);
    const boxes = [...document.querySelectorAll(".pick input")];
    const isFull = boxes.filter((box) => box.checked).length >= most;
    for (const box of boxes) box.disabled = isFull && !box.checked;
  };
  let running;
  const submit = (form, keepsHistory, button) => during(async () => {
    // The app cancels the load of the filter before; its answer is not awaited either.
    running?.abort();
    const mine = new AbortController();
    running = mine;
    const keptScroll = scrollY;
    try {
      const answer = await fetch(form.action, {
        method: "POST", body: new URLSearchParams(new FormData(form, button)), signal: mine.signal,
      });
      const isOther = replace(await answer.text(), answer.url, keepsHistory);
      if (!isOther) scrollTo(0, keptScroll);
    } catch (error) {
      if (error.name !== "AbortError") location.reload();
    } finally {
      if (running === mine) running = undefined;
    }
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || !form.action.includes("/open") && !form.action.includes("/form")) {
      return void during(() => new Promise(() => {}));
    }
    event.preventDefault();
    submit(form, form.matches("[data-live], .stays"), event.submitter);
  });
  let typing;
  document.addEventListener("input", (event) => {
    const form = event.target.form;
    if (event.target.matches("input[type=range]")) return slide(event.target);
    if (event.target.matches(".pick input")) return limitPicks();
    if (!form?.matches("[data-live]")) return;
    clearTimeout(typing);
    typing = setTimeout(() => submit(form, true), event.target.tagName === "SELECT" ? 0 : 250);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || link.getAttribute("href").startsWith("#")) return;
    during(() => new Promise(() => {}));
  });
  // Pages that were added to the history by this script have no document of their own.
  addEventListener("popstate", () => { if (location.href.split("#")[0] !== shown.split("#")[0]) location.reload(); });
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

  const slide = (input) => {
    const figure = input.closest("figure");
    const step = JSON.parse(figure.dataset.steps)[input.value];
    for (const line of figure.querySelectorAll("polyline")) {
      line.setAttribute("transform", `translate(0 200) scale(1 ${step.scale}) translate(0 -200)`);
    }
    input.setAttribute("aria-valuetext", step.label);
    figure.querySelector("output").textContent = `${step.label}, a loan of ${step.top}`;
    figure.querySelectorAll(".legend b").forEach((result, index) => { result.textContent = step.results[index]; });
  };
  const light = (event) => {
    const element = event.target.closest?.("[data-home], .card[id]");
    if (!element) return;
    const ids = (element.dataset.home ?? element.id.replace("home-", "")).split(" ");
    const isOn = event.type === "mouseover" || event.type === "focusin";
    for (const id of ids) {
      document.getElementById(`home-${id}`)?.classList.toggle("lit", isOn);
      document.querySelector(`.map [data-home~="${id}"]`)?.classList.toggle("lit", isOn);
    }
  };
  for (const type of ["mouseover", "mouseout", "focusin", "focusout"]) document.addEventListener(type, light);

  // One stream of events while the page is seen: a browser opens only six connections to a server, for all pages.
  let events, latest, isFollowing = false;
  const listen = () => {
    if (events || document.hidden) return;
    const { version, run } = document.body.dataset;
    const stream = new EventSource(`/events?after=${version}&run=${run}`);
    events = stream;
    stream.addEventListener("restart", () => { stream.close(); location.reload(); });
    stream.onmessage = (event) => { latest = JSON.parse(event.data); follow(); };
    // The browser connects again by itself, unless the answer was no stream: then too many pages are open.
    stream.onerror = () => {
      if (stream.readyState !== EventSource.CLOSED || events !== stream) return;
      events = undefined;
      setTimeout(listen, 2000);
    };
  };
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) return listen();
    events?.close();
    events = undefined;
  });
  // What takes the focus, such as a button, gets its click first.
  const followLater = () => setTimeout(follow, 200);
  /** Shows what the app shows, unless this page has caused the change and shows it already. */
  const follow = () => {
    // What this page is doing ends with a page of its own.
    if (busy > 0 || isFollowing || !latest || Number(document.body.dataset.version) >= latest.version) return;
    const field = document.activeElement;
    // What the user is typing is not replaced.
    if (field?.matches?.("textarea, input:not([type=range], [type=checkbox])")) {
      return field.addEventListener("blur", followLater, { once: true });
    }
    isFollowing = true;
    const { path, version } = latest;
    during(async () => {
      // The app may have left that page meanwhile; it isn't opened again for this one.
      const answer = await fetch(path, { headers: { "Estate-Follows": "the app" } });
      replace(await answer.text(), answer.url, false);
      // The page may be younger than the change, and the app may show another one since.
      document.body.dataset.version = version;
    }).then(() => 0, () => 2000).then((pause) => {
      isFollowing = false;
      setTimeout(follow, pause);
    });
  };
  addEventListener("load", listen);
})();
