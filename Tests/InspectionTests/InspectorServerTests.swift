import Foundation
import HTTPTypes
import SwitchyardTesting
import Synchronization
import Testing

@testable import Inspection
@testable import Interception

#if canImport(Glibc)
import Glibc
#endif

@Suite(.timeLimit(.minutes(5))) struct InspectorServerTests {
  @Test("The page and its answers are served at the address with the token")
  func serving() async throws {
    let inspector = Inspector(app: "Test", alwaysRecordsSteps: true)
    let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [inspector]) {}
    _ = try await pipeline.send(.example)
    let page = PageClient(try await inspector.serve())
    #expect(try await page.get("").text.contains("<html"))
    #expect(try await page.get("inspector.js").type == "text/javascript; charset=utf-8")
    let state = try await page.get("state").json
    #expect(state["app"].text == "Test")
    #expect(state["totals"]["calls"].number == 1)
    #expect(state["byteLimit"].number == Double(16 << 20))
    let calls = try await page.get("calls?after=0").json
    #expect(calls["calls"].list.count == 1)
    let id = try #require(calls["calls"][0]["id"].number)
    #expect(try await page.get("call?id=\(Int(id))").json["steps"].list.count == 1)
    #expect(try await page.get("call?id=999").status == 404)
    #expect(try await page.get("har").fields["content-disposition"] == "attachment; filename=\"calls.har\"")
    #expect(try await page.get("har").json["log"]["entries"].list.count == 1)
    #expect(try await page.get("routes.svg").status == 404)
    let last = try #require(calls["last"].number)
    #expect(try await page.get("calls?after=\(Int(last))").json["calls"].list.isEmpty)
    #expect(try await page.post("clear").status == 200)
    #expect(try await page.get("calls?after=0").json["calls"].list.isEmpty)
    await inspector.stop()
  }

  @Test(
    "Steps are recorded while a page is open, and otherwise only if that is asked for",
    arguments: [false, true])
  func steps(always: Bool) async throws {
    let inspector = Inspector(app: "Test", alwaysRecordsSteps: always)
    let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [inspector]) {}
    _ = try await pipeline.send(.example)
    inspector.log.changes.watch(1) {}
    _ = try await pipeline.send(.example)
    inspector.log.changes.watch(1, nil)
    _ = try await pipeline.send(.example)
    let hasSteps = inspector.log.calls.map { !$0.current.steps.isEmpty }
    #expect(hasSteps == [always, true, always])
    #expect(inspector.log.calls.allSatisfy { $0.current.exchanges.count == 1 })
  }

  @Test("A wrong token, host, origin or field gets a refusal without content")
  func refusals() async throws {
    let inspector = Inspector(app: "Test")
    let page = PageClient(try await inspector.serve())
    let wrong = PageClient("http://127.0.0.1:\(page.port)/00000000000000000000000000000000/")
    #expect(try await wrong.get("state").status == 404)
    #expect(try await page.get("state", fields: ["Host: evil.test:\(page.port)"]).status == 403)
    #expect(try await page.get("state", fields: ["Origin: http://evil.test"]).status == 403)
    #expect(try await page.get("state", fields: ["Sec-Fetch-Site: cross-site"]).status == 403)
    #expect(try await page.get("clear").status == 405)
    #expect(try await page.send("POST", "clear").status == 403)
    #expect(try await wrong.get("state").text.isEmpty)
    await inspector.stop()
  }

  @Test("A port in use is an error that names it, and two inspectors serve side by side")
  func ports() async throws {
    let (first, second) = (Inspector(app: "One"), Inspector(app: "Two"))
    let page = PageClient(try await first.serve())
    await #expect(throws: InspectorError(.portTaken(page.port))) { try await second.serve(port: page.port) }
    #expect("\(InspectorError(.portTaken(8_090)))".contains("port 8090 is in use"))
    let other = PageClient(try await second.serve())
    #expect(try await page.get("state").json["app"].text == "One")
    #expect(try await other.get("state").json["app"].text == "Two")
    #expect(try await PageClient("http://127.0.0.1:\(page.port)/\(other.token)/").get("state").status == 404)
    await first.stop()
    await second.stop()
  }

  @Test("The port is free at once when the inspector has stopped, although a browser was connected")
  func portAfterStop() async throws {
    let inspector = Inspector(app: "Test")
    let page = try await serveOnOwnPort(inspector)
    #expect(try await page.get("state").status == 200)
    await inspector.stop()
    #expect(try await inspector.serve(port: page.port).contains(":\(page.port)/"))
    await inspector.stop()
  }

  /// Serves on a port that the system chooses for no program, so that it stays free between two uses.
  private func serveOnOwnPort(_ inspector: Inspector, token: String? = nil) async throws -> PageClient {
    for _ in 0..<1_000 {
      if let url = try? await inspector.serve(port: .random(in: 20_000..<30_000), token: token) {
        return PageClient(url)
      }
    }
    throw PageClient.Failure(reason: "no port between 20,000 and 30,000 is free")
  }

  @Test("A release build serves only if it is asked twice, and a token that can be guessed is refused")
  func permission() throws {
    let inspector = Inspector(app: "Test")
    #expect(throws: InspectorError(.releaseBuild)) {
      try inspector.serve(port: 0, token: nil, isPermitted: false)
    }
    for token in ["", "short", String(repeating: "a", count: 31), String(repeating: "/", count: 40)] {
      #expect(throws: InspectorError(.weakToken)) {
        try inspector.serve(port: 0, token: token, isPermitted: true)
      }
    }
  }

  @Test("A stream of events tells changes and, after a restart at the same address, another run")
  func events() async throws {
    let token = String(repeating: "a", count: 32)
    let first = Inspector(app: "Test")
    let page = try await serveOnOwnPort(first, token: token)
    let stream = try await page.stream("events")
    let run = try await stream.next()["run"].text
    first.note("something")
    #expect(try await stream.next()["last"].number == 1)
    await first.stop()
    #expect(await stream.isEnded())
    let second = Inspector(app: "Test")
    _ = try await second.serve(port: page.port, token: token)
    let next = try await page.stream("events")
    #expect(try await next.next()["run"].text != run)
    await second.stop()
  }

  @Test("A page that never reads is closed, and calls and other pages don't wait for it")
  func hangingPage() async throws {
    let inspector = Inspector(app: "Test")
    let pipeline = try Pipeline(
      over: ScriptedDispatcher(
        answering: Response(status: .ok, bytes: [UInt8](repeating: 7, count: 200_000))),
      observers: [inspector]
    ) {}
    for _ in 0..<60 { _ = try await pipeline.send(.example) }
    var limits = PageConnection.Limits()
    limits.stall = .milliseconds(50)
    let page = PageClient(
      try inspector.serve(port: 0, token: nil, isPermitted: true, limits: limits))
    let hanging = try page.connect()
    for _ in 0..<50 {
      hanging.write("GET /\(page.token)/har HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\n\r\n")
    }
    let events = try page.connect()
    events.write("GET /\(page.token)/events HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\n\r\n")
    for _ in 0..<2_000 { _ = try await pipeline.send(.example) }
    #expect(try await page.get("state").json["totals"]["calls"].number ?? 0 > 50)
    await inspector.stop()
    #expect(events.isEnded())
  }

  @Test("At most 32 connections are open, and further ones get their turn")
  func manyConnections() async throws {
    let inspector = Inspector(app: "Test")
    var limits = PageConnection.Limits()
    limits.idle = .milliseconds(100)
    let page = PageClient(
      try inspector.serve(port: 0, token: nil, isPermitted: true, limits: limits))
    let idle = try (0..<100).map { _ in try page.connect() }
    #expect(try await page.get("state").status == 200)
    withExtendedLifetime(idle) {}
    await inspector.stop()
  }

  #if os(Linux)
  @Test("After a stop no thread and no descriptor is left")
  func leftovers() async {
    // In a process of its own, since other suites open descriptors and start threads meanwhile.
    await #expect(processExitsWith: .success) {
      let inspector = Inspector(app: "Test")
      try await Self.serveAndStop(inspector)
      let descriptors = try Self.count(of: "/proc/self/fd")
      let threads = try Self.count(of: "/proc/self/task")
      for _ in 0..<50 { try await Self.serveAndStop(inspector) }
      #expect(try Self.count(of: "/proc/self/fd") - descriptors < 5)
      // The pool of the tests may start threads, but not one in each round.
      #expect(try Self.count(of: "/proc/self/task") - threads < 25)
    }
  }

  private static func serveAndStop(_ inspector: Inspector) async throws {
    let page = PageClient(try await inspector.serve())
    let stream = try page.connect()
    stream.write("GET /\(page.token)/events HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\n\r\n")
    #expect(try await page.get("state").status == 200)
    await inspector.stop()
    #expect(stream.isEnded())
    #expect(throws: (any Error).self) { try page.connect() }
  }

  private static func count(of folder: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: folder).count
  }
  #endif

  @Test("An inspector that is released closes its port")
  func release() async throws {
    var inspector: Inspector? = Inspector(app: "Test")
    let page = PageClient(try await #require(inspector).serve())
    let stream = try page.connect()
    inspector = nil
    #expect(stream.isEnded())
  }
}
