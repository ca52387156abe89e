import Inspection
import Testing

/// The feed of the inspector's page, with an app whose answers arrive when the test lets them.
@Suite(.browser, .serialized, .timeLimit(.minutes(5)))
@MainActor struct InspectorFeedTests {
  /// An app with one call in its first run, and a feed that asks it.
  private nonisolated static let app = """
    const app = (run, cleared, last, paths) => ({
      state: { app: "Test", run, cleared, last },
      calls: { run, cleared, last, calls: paths.map((path, index) => ({ id: index + 1, seq: last, path })) },
      timeline: { run, cleared, last, events: [] },
    });
    let running = app("first", 0, 9, ["/before"]);
    let answered = 0, isHolding = false;
    const held = [], sources = [];
    const later = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    const until = async (isTrue) => {
      for (let turn = 0; turn < 1000 && !isTrue(); turn += 1) await later(10);
      if (!isTrue()) throw new Error(`still waiting for ${isTrue}`);
    };
    globalThis.fetch = async (path) => {
      const [name, after] = path.split("?after=");
      const answer = structuredClone(running[name] ?? {});
      answer.calls = answer.calls?.filter((call) => call.seq > Number(after));
      if (isHolding && name === "calls") await new Promise((resolve) => held.push(resolve));
      return { ok: true, json: async () => { answered += name === "calls"; return answer; } };
    };
    globalThis.EventSource = class {
      constructor() { sources.push(this); }
      addEventListener(name, take) { this[name] = take; }
      close() {}
    };
    const { createFeed } = await import(new URL("inspector-feed.js", location.href).href);
    const feed = createFeed(() => {});
    const notify = () => sources.at(-1).change({ data: JSON.stringify({ run: running.state.run }) });
    const shown = () => [...feed.calls.values()].map((call) => call.path).join(" ");
    const open = async () => { await until(() => sources.length > 0); sources.at(-1).open(); };
    // Holds the answer to a question that the first run has been asked.
    const hold = async () => { isHolding = true; notify(); await until(() => held.length > 0); isHolding = false; };
    // A question that is asked after the late answer is answered as well.
    const release = async () => {
      held.forEach((resolve) => resolve());
      await later(0);
      const before = answered;
      notify();
      await until(() => answered > before);
    };
    """

  @Test(
    "Calls of an ended run, and removed calls, neither come back with a late answer nor hide later ones",
    arguments: [
      (
        "the first answer is of another run than the state",
        """
        feed.connect();
        running = app("second", 0, 3, ["/after"]);
        await open();
        """, "/after"
      ),
      (
        "the app is restarted while it is asked",
        """
        await feed.connect();
        await open();
        await until(() => shown() === "/before");
        running = app("first", 0, 12, ["/before", "/late"]);
        await hold();
        running = app("second", 0, 3, ["/after"]);
        notify();
        await until(() => feed.state.run === "second");
        await release();
        """, "/after"
      ),
      (
        "all calls are removed while the app is asked",
        """
        await feed.connect();
        await open();
        await until(() => shown() === "/before");
        running = app("first", 0, 12, ["/before", "/late"]);
        await hold();
        running = app("first", 1, 14, ["/after"]);
        await feed.clear();
        await release();
        """, "/after"
      ),
    ])
  func lateAnswers(_ name: String, _ steps: String, _ expected: String) async throws {
    try await Inspector(app: "Test").use { browser, address in
      // A document of the page's origin without the page's own feed.
      try await browser.load(address + "inspector.css")
      let end = "await until(() => shown() === \"\(expected)\"); return shown();"
      let shown = try await browser.settle("(async () => {\(Self.app)\(steps)\n\(end)})()")
      #expect(shown == expected, "\(name)")
    }
  }
}
