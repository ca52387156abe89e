import HTTPTypes
import Interception
import RequestLogging
import ResponseCaching
import Testing
import ToolCommands

@Suite struct ArchiveRunTests {
  private static func entry(
    _ second: Int, _ url: String, method: String = "GET", status: Int = 200, size: Int = 1_000,
    headers: [(String, String)] = [("Cache-Control", "max-age=60")], extra: String = ""
  ) -> String {
    let fields = headers.map { #"{"name":"\#($0.0)","value":"\#($0.1)"}"# }.joined(separator: ",")
    return """
      {"startedDateTime":"2026-11-06T08:49:\(second < 10 ? "0" : "")\(second).250Z",
       "request":{"method":"\(method)","url":"\(url)","headers":[]},
       "response":{"status":\(status),"headers":[\(fields)],"content":{"size":\(size)}}\(extra)}
      """
  }

  private static func archive(_ entries: String...) -> [UInt8] {
    Array(#"{"log":{"version":"1.2","entries":[\#(entries.joined(separator: ","))]}}"#.utf8)
  }

  @Test("The library's cache decides what of an archive is stored, with its size and lifetime")
  func recording() async throws {
    let run = try ArchiveRun(
      Self.archive(
        Self.entry(1, "https://a.test/x"), Self.entry(9, "https://a.test/x"),
        Self.entry(5, "https://a.test/y", headers: [("Cache-Control", "no-store")]),
        Self.entry(6, "https://a.test/z", method: "POST")))
    let entries = try await run.recording().entries
    #expect(entries.map(\.time) == [.zero, .seconds(4), .seconds(8)])
    #expect(entries.map { $0.size.map { $0 >= 1_000 && $0 < 2_000 } } == [true, nil, true])
    #expect(entries[0].lifetime == .seconds(60))
    #expect(entries[0].key == entries[2].key && entries[0].key != entries[1].key)
    #expect(run.omittedCount == 0)
  }

  @Test("A rule applies to responses that state nothing")
  func rule() async throws {
    let run = try ArchiveRun(Self.archive(Self.entry(1, "https://a.test/x", headers: [])))
    #expect(try await run.recording().entries.map(\.lifetime) == [.zero])
    #expect(try await run.recording(rule: .timed(.seconds(30))).entries.map(\.lifetime) == [.seconds(30)])
  }

  @Test("A 304 counts as the response that it confirms, and a browser's own hit as a hit")
  func confirmed() async throws {
    let run = try ArchiveRun(
      Self.archive(
        Self.entry(1, "https://a.test/x"), Self.entry(2, "https://a.test/x", status: 304, size: 0),
        Self.entry(3, "https://a.test/x", size: 0, headers: [], extra: #","_fromCache":"disk""#),
        Self.entry(4, "https://a.test/unknown", status: 304)))
    let entries = try await run.recording().entries
    #expect(entries.count == 3)
    #expect(Set(entries.map(\.size)).count == 1)
    #expect(entries.map(\.isHit) == [false, false, true])
    #expect(run.omittedCount == 1)
  }

  @Test("What is no archive is refused, and a faulty entry is left out and counted")
  func faults() throws {
    for text in ["", "{}", #"{"log":{}}"#, "[]"] {
      #expect(#expect(throws: ToolFailure.self) { try ArchiveRun(Array(text.utf8)) }?.status == .unreadable)
    }
    let run = try ArchiveRun(
      Self.archive(
        "17", #"{"request":{}}"#, Self.entry(1, "not a url"), Self.entry(2, "https://a.test/x", status: 0),
        Self.entry(3, "https://a.test/x", size: -5)))
    #expect(run.omittedCount == 4)
  }

  @Test("An archive of the library itself is read, and its hidden queries are noticed")
  func ownArchive() async throws {
    struct Answers: Dispatcher {
      func dispatch(_ request: Request) async throws(NetworkError) -> Response {
        Response(status: .ok, headerFields: [.cacheControl: "max-age=60"], bytes: Array("content".utf8))
      }
    }
    let recorder = HARRecorder()
    let pipeline = try Pipeline(over: Answers()) {
      CachingInterceptor(defaultRule: .stated())
      recorder
    }
    for _ in 0..<2 { _ = try await pipeline.send(Request("https://a.test/x")) }
    let run = try ArchiveRun(recorder.archive())
    #expect(!run.hidesQueries)
    let entries = try await run.recording().entries
    #expect(entries.map(\.isHit) == [false, true])
    #expect(entries.allSatisfy { $0.size != nil })
    _ = try await pipeline.send(Request("https://a.test/x?token=secret"))
    #expect(try ArchiveRun(recorder.archive()).hidesQueries)
  }
}
