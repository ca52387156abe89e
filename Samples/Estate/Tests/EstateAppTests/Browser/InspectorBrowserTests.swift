import EstateApp
import Foundation
import Inspection
import Switchyard
import SwitchyardTesting
import Testing

@Suite("The inspector's page in Chromium", .browser, .serialized, .timeLimit(.minutes(5)))
@MainActor struct InspectorBrowserTests {
  private nonisolated static let script =
    "<script>window.isHit = true</script><img src=x onerror=\"window.isHit = true\">"
  private nonisolated static let secret = "hunter2secret"

  @Test("H8: calls appear as the app makes them, and the archive is HAR 1.2 without their signatures")
  func live() async throws {
    let inspector = Inspector.estate()
    try await RunningPages.use(inspector: inspector) { _, pages in
      try await inspector.use { browser, address in
        try await browser.resize(to: 1_600)
        try await browser.load(address)
        await pages.type("estate://home/42")
        try await browser.wait(for: HeadlessBrowser.shows("/v1/homes/42"))
        await pages.type("estate://home/42")
        try await browser.wait(for: HeadlessBrowser.shows("hit"))
        let calls = "fetch('calls?after=0').then((a) => a.json()).then(({ calls }) => "
        #expect(try await browser.settle(calls + "String(calls.length >= 2))") == "true")
        let id = try await browser.settle(calls + "String(calls[0].id))")
        try await browser.evaluate("(location.hash = '#/calls/\(id)')")
        try await browser.wait(for: HeadlessBrowser.shows("CachingInterceptor"))
        try await browser.evaluate(
          "(fetch('har').then((a) => a.json()).then((a) => (window.archive = JSON.stringify(a))), 1)")
        try await browser.wait(for: "window.archive !== undefined")
        #expect(try await browser.evaluate("JSON.parse(window.archive).log.version") == "1.2")
        #expect(try await browser.isTrue("JSON.parse(window.archive).log.entries.length >= 2"))
        #expect(
          try await browser.isTrue(
            "!/Switchyard-Signature[^}]*\"value\":\"(?!REDACTED)/.test(window.archive)"))
        try await browser.evaluate("(location.hash = '#/timeline')")
        try await browser.wait(for: HeadlessBrowser.shows("HomeRoute opened"))
      }
    }
  }

  @Test("Scripts in every field are shown as texts, and secrets not at all")
  func hostile() async throws {
    let inspector = Inspector(
      app: Self.script, redaction: Redaction(showingHeaders: [.userAgent, .server, .contentType]),
      showsOtherBodies: true)
    let dispatcher = ScriptedDispatcher { request, _ throws(NetworkError) in
      guard request.head.method == .get else {
        throw NetworkError(.rejected, "no: \(Self.script) \(Self.secret)")
      }
      return Response(
        status: .ok,
        headerFields: [.server: Self.script, .contentType: "text/html", .setCookie: Self.secret],
        bytes: Array((Self.script + Self.secret).utf8))
    }
    let pipeline = try Pipeline(over: dispatcher, observers: [inspector]) {}
    for method in [HTTPRequest.Method.get, .post] {
      var request = Request(
        method: method, authority: "a.test", path: "/\(Self.script)?token=\(Self.secret)",
        headerFields: [.userAgent: Self.script, .authorization: "Bearer \(Self.secret)"])
      request.context.api = APIIdentity(service: Self.script, name: Self.script)
      _ = try? await pipeline.send(request)
    }
    inspector.note(Self.script, detail: Self.script)
    try await inspector.use { browser, address in
      try await browser.load(address)
      for view in ["calls", "calls/1", "calls/1/wire", "calls/2", "timeline", "totals", "pipeline"] {
        try await browser.evaluate("(location.hash = '#/\(view)')")
        try await browser.wait(for: "document.querySelector('#live').dataset.state === 'live'")
        try await browser.wait(
          for: view == "calls"
            ? HeadlessBrowser.shows("<script>") : "document.querySelector('#main').textContent.trim() !== ''")
        #expect(try await browser.evaluate("window.isHit") == "undefined", "\(view)")
        #expect(
          try await browser.evaluate("document.documentElement.innerHTML.includes('\(Self.secret)')")
            == "false")
      }
    }
  }

  @Test("A 50 MB body is shown as its beginning, and a wrong token shows nothing")
  func largeBodyAndToken() async throws {
    let inspector = Inspector(app: "Test", showsOtherBodies: true)
    let response = Response(
      status: .ok, headerFields: [.contentType: "text/plain"],
      bytes: [UInt8](repeating: UInt8(ascii: "a"), count: 50 << 20))
    let pipeline = try Pipeline(over: ScriptedDispatcher(answering: response), observers: [inspector]) {}
    _ = try await pipeline.send(Request(authority: "a.test", path: "/large"))
    let address = try await inspector.serve()
    try await HeadlessBrowser.use { browser in
      try await browser.load(address)
      try await browser.wait(for: HeadlessBrowser.shows("/large"))
      try await browser.evaluate(
        "(fetch('call?id=1').then((a) => a.json()).then((a) => (window.body = a.delivered.body)), 1)")
      try await browser.wait(for: "window.body !== undefined")
      #expect(try await browser.evaluate("window.body.text.length") == "262144")
      #expect(try await browser.evaluate("window.body.size") == "\(50 << 20)")
      #expect(try await browser.evaluate("window.body.cut") == "true")
      let parts = address.split(separator: "/")
      try? await browser.load("http://\(parts[1])/\(String(repeating: "0", count: 32))/")
      #expect(try await browser.evaluate(HeadlessBrowser.shows("/large")) == "false")
    }
    // The browser has gone away; calls and answers go on.
    _ = try await pipeline.send(Request(authority: "a.test", path: "/later"))
    await inspector.stop()
  }

  @Test("A page that is open over a restart of the app shows the calls of the new run")
  func restart() async throws {
    let token = String(repeating: "b", count: 32)
    let first = Inspector(app: "Test")
    let (address, port) = try await serveOnOwnPort(first, token: token)
    func send(_ path: String, _ inspector: Inspector) async throws {
      let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [inspector]) {}
      _ = try await pipeline.send(Request(authority: "a.test", path: path))
    }
    try await send("/before", first)
    try await HeadlessBrowser.use { browser in
      try await browser.load(address)
      try await browser.wait(for: HeadlessBrowser.shows("/before"))
      await first.stop()
      let second = Inspector(app: "Test")
      #expect(try await second.serve(port: port, token: token) == address)
      try await send("/after", second)
      try await browser.wait(for: HeadlessBrowser.shows("/after"))
      await second.stop()
    }
  }

  @Test("Calls that a file has kept from an earlier run are marked, in the list and in the call")
  func earlierRun() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "inspector-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func inspector(sending path: String) async throws -> Inspector {
      let inspector = Inspector(app: "Test")
      // The inspector before this one closes the file some time after it was released.
      try await waitUntil("the file is free") {
        do throws(InspectorError) {
          try inspector.keepCalls(in: folder.appending(path: "calls.sqlite").path)
          return true
        } catch {
          guard error.isInUse else { throw error }
          return false
        }
      }
      let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [inspector]) {}
      _ = try await pipeline.send(Request(authority: "a.test", path: path))
      return inspector
    }
    await (try await inspector(sending: "/before")).stop()
    let second = try await inspector(sending: "/after")
    try await second.use { browser, address in
      try await browser.resize(to: 1_600)
      try await browser.load(address)
      try await browser.wait(for: HeadlessBrowser.shows("/after"))
      func badges(_ path: String) async throws -> String {
        try await browser.evaluate(
          "[...document.querySelectorAll('.space .row')].filter((row) => row.textContent.includes('\(path)'))"
            + ".map((row) => [...row.querySelectorAll('.badge')].map((badge) => badge.textContent).join()).join()"
        )
      }
      #expect(try await badges("/before") == "earlier run")
      #expect(try await badges("/after") == "")
      #expect(
        try await browser.evaluate("document.querySelector('.list .foot').textContent")
          == "2 calls · 1 of earlier runs")
      try await browser.evaluate("(location.hash = '#/calls/1')")
      try await browser.wait(for: HeadlessBrowser.shows("an earlier run of the app"))
    }
  }

  /// Serves on a port that the system chooses for no program, so that it stays free between two uses.
  private func serveOnOwnPort(
    _ inspector: Inspector, token: String
  ) async throws -> (address: String, port: UInt16) {
    while true {
      let port = UInt16.random(in: 20_000..<30_000)
      do throws(InspectorError) {
        return (try await inspector.serve(port: port, token: token), port)
      } catch {
        guard error.isInUse else { throw error }
      }
    }
  }
}
