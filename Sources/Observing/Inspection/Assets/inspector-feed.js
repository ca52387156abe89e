// What the page knows of the app: calls, events and totals, kept up to date by server-sent events.

// The server bounds its ring by bytes; the page bounds what it keeps by number.
const maximumOfCalls = 20_000;
const maximumOfEvents = 5_000;
const pageOfCalls = 500;
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// An app that is paused in a debugger accepts a connection and answers nothing.
const patience = 30_000;

const getJSON = async (path) => {
  const answer = await fetch(path, { headers: { Accept: "application/json" }, signal: AbortSignal.timeout(patience) });
  if (!answer.ok) throw Object.assign(new Error(`${path}: ${answer.status}`), { status: answer.status });
  return answer.json();
};

const searchable = (call) => [
  call.method, call.scheme && `${call.scheme}://${call.host}${call.path}`, call.query, call.service, call.api, call.status,
  call.state, call.cache, call.type, call.protocol, call.address, call.error?.kind, call.error?.text, call.earlier && "earlier run", call.altered?.join(" "), call.altered && "altered",
].filter(Boolean).join(" ").toLowerCase();

/** Whether two answers come from the same run of the app, with no removal of all calls between them. */
const isSame = (one, other) => one.run === other.run && one.cleared === other.cleared;

/** Creates the feed. `changed(kind)` is called with "calls", "events", "state", "connection" or "reset". */
export const createFeed = (changed) => {
  const feed = { state: null, calls: new Map(), events: [], connection: "connecting", restarts: 0, isRefused: false, isLoaded: false };
  let [callsAfter, eventsAfter] = [0, 0];
  // Where what is held comes from. Only the state moves it on; calls and events of another origin are not taken.
  let origin = null;
  let source = null;
  let isPulling = false;
  let isStale = false;
  let stateTaken = 0;

  const setConnection = (connection) => {
    if (feed.connection === connection) return;
    feed.connection = connection;
    changed("connection");
  };

  const forget = () => {
    feed.calls.clear();
    feed.events.length = 0;
    [callsAfter, eventsAfter] = [0, 0];
  };

  const takeState = async () => {
    stateTaken = Date.now();
    const earlier = origin;
    const state = await getJSON("state");
    // A later question was answered first.
    if (earlier && !isSame(earlier, origin)) return;
    const before = origin ?? state;
    origin = state;
    feed.state = state;
    if (!isSame(before, state)) {
      // The app was restarted, or all calls were removed, perhaps by another page.
      forget();
      if (before.run !== state.run) feed.restarts += 1;
      changed(before.run === state.run ? "calls" : "reset");
      pull();
    }
    changed("state");
  };

  /** Whether an answer continues what is held; otherwise looks where the app stands, and asks again. */
  const continues = (answer) => {
    origin ??= answer;
    if (isSame(answer, origin)) return true;
    takeState().then(pull, reconnect);
    return false;
  };

  const takeCalls = async () => {
    for (;;) {
      const answer = await getJSON(`calls?after=${callsAfter}`);
      if (!continues(answer)) return;
      const { calls, last } = answer;
      for (const call of calls) {
        call.text = searchable(call);
        feed.calls.set(call.id, call);
      }
      // A running call that ends keeps its place in the map, so the first keys are the oldest.
      for (const id of feed.calls.keys()) {
        if (feed.calls.size <= maximumOfCalls) break;
        feed.calls.delete(id);
      }
      const isFull = calls.length >= pageOfCalls;
      callsAfter = isFull ? calls.at(-1).seq : Math.max(last ?? 0, callsAfter);
      if (calls.length > 0) changed("calls");
      feed.isLoaded = !isFull;
      if (!isFull) return;
    }
  };

  const takeEvents = async () => {
    const answer = await getJSON(`timeline?after=${eventsAfter}`);
    if (!continues(answer)) return;
    const { events, last } = answer;
    feed.events.push(...events);
    feed.events.splice(0, Math.max(0, feed.events.length - maximumOfEvents));
    eventsAfter = Math.max(events.at(-1)?.seq ?? 0, last ?? 0, eventsAfter);
    if (events.length > 0) changed("events");
  };

  /** Takes what is new. Further changes meanwhile cause one more round, not one for each. */
  const pull = async () => {
    if (isPulling) { isStale = true; return; }
    isPulling = true;
    try {
      do {
        isStale = false;
        await Promise.all([takeCalls(), takeEvents()]);
        if (Date.now() - stateTaken > 1000) await takeState();
        else settle();
        await wait(120);
      } while (isStale);
    } catch {
      reconnect();
    } finally {
      isPulling = false;
    }
  };

  // The totals are taken at most once a second; the last change of a burst is followed by one more look.
  let settling = null;
  const settle = () => {
    settling ??= setTimeout(() => { settling = null; takeState().catch(reconnect); }, 1100);
  };

  const onChange = async (event) => {
    let change = {};
    try { change = JSON.parse(event.data); } catch { return; }
    if (change.run && change.run !== feed.state?.run) await takeState().catch(reconnect);
    pull();
  };

  let waiting = null;
  const reconnect = () => {
    pause();
    setConnection(feed.isRefused ? "refused" : "lost");
    waiting ??= setTimeout(() => { waiting = null; connect(); }, 1000);
  };

  const connect = async () => {
    // The first calls needn't wait for the totals; what goes wrong here shows in the state's answer as well.
    if (feed.state === null) takeCalls().catch(() => {});
    try {
      await takeState();
    } catch (error) {
      feed.isRefused = error.status === 403 || error.status === 404;
      return reconnect();
    }
    feed.isRefused = false;
    pause();
    source = new EventSource("events");
    source.addEventListener("open", () => { setConnection("live"); pull(); });
    source.addEventListener("change", onChange);
    source.addEventListener("error", reconnect);
  };

  const pause = () => {
    source?.close();
    source = null;
  };

  const post = async (path, value) => {
    const answer = await fetch(path, { method: "POST", headers: { "X-Inspector": "1" }, body: value && JSON.stringify(value) });
    const result = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(result.error ?? `The app answered ${answer.status}.`);
    return result;
  };

  return Object.assign(feed, {
    connect,
    pause,
    call: (id) => getJSON(`call?id=${encodeURIComponent(id)}`),
    interventions: () => getJSON("interventions"),
    turn: ({ index, name }, on) => post("interventions/turn", { index, name, on }),
    resume: (value) => post("interventions/resume", value),
    answerLike: (id) => post(`interventions/answer?id=${encodeURIComponent(id)}`),
    replay: (id) => post(`replay?id=${encodeURIComponent(id)}`),
    clear: async () => {
      await post("clear");
      forget();
      changed("reset");
      await takeState();
    },
  });
};
