import HTTPTypes
import InMemoryLogging
import Logging
import RequestLogging
import SwitchyardTesting
import Testing

@testable import Inspection
@testable import Interception

@Suite(.timeLimit(.minutes(5))) struct InterventionMarkTests {
  private let inspector = Inspector(app: "Test")

  private func pipeline(_ rules: InterventionRules, _ others: any Interceptor...) throws -> Pipeline {
    let interceptor = try InterventionInterceptor(rules, permission: .debugBuildsOnly)
    return try Pipeline(over: ScriptedDispatcher(), observers: [inspector]) {
      interceptor
      for other in others { other }
    }
  }

  @Test("The list, the details and the archive mark an altered call, and no other one")
  func marks() async throws {
    let pipeline = try pipeline([
      InterventionRule("Mine", matching: .init(path: "/a"), .answer(.init(json: "[]"))),
      InterventionRule("Broken", matching: .init(path: "/b"), .fail(.connect)),
      InterventionRule("Train", matching: .init(path: "/c"), .network(.init(name: "train"))),
    ])
    for path in ["/a", "/b", "/c", "/d"] {
      _ = try? await pipeline.send(Request(authority: "a.test", path: path))
    }
    let documents = inspector.records.map { CallDocument(record: $0, shown: .strict) }
    let marks = try documents.map { try JSON($0.summary)["altered"].list.compactMap(\.text) }
    let expected = [
      ["\"Mine\": answered with 200"], ["\"Broken\": failed with connect"],
      ["\"Train\": sent as over the network \"train\""], [],
    ]
    #expect(marks == expected)
    #expect(
      try documents.map { try JSON($0.detail(curl: "", replayRefusal: nil))["altered"].list.count } == [
        1, 1, 1, 0,
      ])
    let entries = try JSON(inspector.archive())["log"]["entries"].list
    #expect(entries.map { $0["_alterations"].list.compactMap(\.text) } == expected)
    #expect(entries.map { $0["comment"].text?.hasSuffix(", altered") } == [true, true, true, false])
  }

  @Test("A call that shares the response of an altered one is marked by its field")
  func sharedMark() {
    let response = Response(status: .ok, headerFields: [.alteredBy: "Mine"])
    let record = CallRecord.answered(with: response, sent: false)
    #expect(record.alterationTexts == ["\"Mine\": the response is that of an altered call"])
  }

  @Test("The number of marks of a call is bounded")
  func bound() {
    var record = CallRecord(.example)
    let alteration = CallAlteration(rule: "Mine", effect: "delayed")
    for _ in 0..<100 { _ = record.take(alteration) }
    #expect(record.alterations.count == 64)
  }

  @Test("An archive of the chain marks altered calls, sent or not")
  func chainArchive() async throws {
    let recorder = HARRecorder()
    let pipeline = try pipeline(
      [
        InterventionRule("Mine", matching: .init(path: "/a"), .answer(.init(json: "[]"))),
        InterventionRule("Train", matching: .init(path: "/b"), .network(.init(name: "train"))),
      ], recorder)
    for path in ["/a", "/b", "/c"] { _ = try await pipeline.send(Request(authority: "a.test", path: path)) }
    let entries = try JSON(recorder.archive())["log"]["entries"].list
    #expect(
      entries.map { $0["_alterations"].list.compactMap(\.text) } == [
        ["\"Mine\": answered with 200"], ["\"Train\": sent as over the network \"train\""], [],
      ])
  }

  @Test("A logger has a line for each alteration, with the rule and its effect")
  func logLine() async throws {
    let log = InMemoryLogHandler()
    var logger = Logger(label: "test") { _ in log }
    logger.logLevel = .debug
    let pipeline = try pipeline(
      [InterventionRule("Mine", .answer(.init(json: "[]")))], LoggingInterceptor(logger: logger))
    _ = try await pipeline.send(.example)
    let entry = try #require(log.entries.first { $0.message == "call altered" })
    #expect(entry.metadata["intervention.rule"] == "Mine")
    #expect(entry.metadata["intervention.effect"] == "answered with 200")
    #expect(entry.metadata["request.path"] == "/v1/homes")
    #expect(!"\(log.entries)".contains("hunter2"))
  }
}
