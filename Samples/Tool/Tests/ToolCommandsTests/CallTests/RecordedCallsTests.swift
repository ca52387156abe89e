import Interception
import RequestLogging
import SwitchyardTesting
import Testing
import ToolCommands

@Suite struct RecordedCallsTests {
  private static func archive(_ entries: [String]) -> [UInt8] {
    Array(#"{"log":{"version":"1.2","entries":[\#(entries.joined(separator: ","))]}}"#.utf8)
  }

  private static func entry(
    _ second: Int, _ url: String, status: Int = 200, location: String? = nil, comment: String? = nil,
    failure: String? = nil
  ) -> String {
    let headers = location.map { #"{"name":"Location","value":"\#($0)"}"# } ?? ""
    let comment = comment.map { #","comment":"\#($0)""# } ?? ""
    let failure = failure.map { #","comment":"\#($0)""# } ?? ""
    return """
      {"startedDateTime":"2026-11-06T08:49:0\(second).250Z","request":{"method":"GET","url":"\(url)"},
       "response":{"status":\(status),"headers":[\(headers)]\(failure)}\(comment)}
      """
  }

  private static func lines(_ calls: [RecordedCall]) -> [String] {
    calls.map { $0.line(Ink(isOn: false), numberWidth: 1) }
  }

  @Test("The attempts of a request of the library are one call, also among those of others")
  func attempts() throws {
    let recorded = try RecordedCalls(
      archive: Self.archive([
        Self.entry(3, "https://a.test/x", comment: "request 7, attempt 2, estate/x"),
        Self.entry(
          1, "https://a.test/x", status: 0, comment: "request 7, attempt 1, estate/x",
          failure: "timeout_whole (CurlDispatcher)"),
        Self.entry(2, "https://a.test/y", status: 404, comment: "request 8, attempt 1"),
      ]), hiding: HiddenValues())
    #expect(
      Self.lines(recorded.calls) == [
        "1  GET https://a.test/x → 200, after timeout_whole", "2  GET https://a.test/y → 404",
      ])
    #expect(recorded.calls.map(\.attemptCount) == [2, 1])
    #expect(recorded.calls.map(\.isFailure) == [false, true])
  }

  @Test("A redirect and the request that it leads to are one call, and another request for the URL is not")
  func redirects() throws {
    let recorded = try RecordedCalls(
      archive: Self.archive([
        Self.entry(1, "https://a.test/x/old", status: 302, location: "../new"),
        Self.entry(2, "https://a.test/new", status: 307, location: "https://b.test/"),
        Self.entry(3, "https://b.test/"), Self.entry(4, "https://b.test/"),
        Self.entry(5, "https://a.test/end", status: 302, location: "/nowhere"),
      ]), hiding: HiddenValues())
    #expect(
      Self.lines(recorded.calls) == [
        "1  GET https://a.test/x/old → 200, after 302, 307", "2  GET https://b.test/ → 200",
        "3  GET https://a.test/end → 302",
      ])
  }

  @Test("Only harmless fields are written, also of an archive that names itself the library's")
  func credentials() throws {
    let request = #""headers":[{"name":"Cookie","value":"secret"},{"name":"Accept","value":"*/*"}]"#
    let entry = Self.entry(1, "https://a.test/x", comment: "request 7, attempt 1")
      .replacing(#""url":"https://a.test/x""#, with: #""url":"https://a.test/x",\#(request)"#)
    let call = try #require(
      RecordedCalls(archive: Self.archive([entry]), hiding: HiddenValues()).calls.first)
    let test = CallTest(
      of: call, replaying: call, over: .bare, name: "Hidden", tool: "1")
    #expect(test.code.contains("- the request lacks the fields Cookie"))
    #expect(test.code.contains(#"("Accept", "*/*")"#))
    #expect(!test.code.contains("secret\""))
  }

  @Test("A text of a recording that would end a literal or a comment of the code is escaped")
  func hostileTexts() throws {
    let content = #""content":{"size":9,"text":"\"\n\\(fail())\u0000\u202E\u2028"}"#
    let entry = Self.entry(1, "https://a.test/x", comment: "request 7, attempt 1")
      .replacing(#""headers":[]"#, with: #""headers":[],\#(content)"#)
    let call = try #require(
      RecordedCalls(archive: Self.archive([entry]), hiding: HiddenValues()).calls.first)
    let code = CallTest(of: call, replaying: call, over: .bare, name: "Hostile", tool: "1").code
    #expect(code.contains(#"== "\"\n\\(fail())\u{0}\u{202E}\u{2028}")"#), "\(code)")
    #expect(!code.unicodeScalars.contains { $0.value == 0x2028 || $0.value == 0x202E || $0.value == 0 })
  }

  @Test("Entries that can't be read are counted, and the others are kept")
  func faultyEntries() throws {
    let recorded = try RecordedCalls(
      archive: Self.archive([
        "17", Self.entry(1, "no url"), Self.entry(1, "https://a.test/", status: 7_000),
        Self.entry(2, "https://a.test/"),
      ]), hiding: HiddenValues())
    #expect(recorded.calls.count == 1)
    #expect(recorded.omittedCount == 3)
    #expect(throws: ToolFailure.self) { try RecordedCalls(archive: [0x7B], hiding: HiddenValues()) }
  }

  @Test("A failure has the kind that the archive names, and an unknown one is a lost connection")
  func failures() async throws {
    let kinds: [(NetworkError.Kind, String)] = [
      (.connect, "connect"), (.tls(.pinMismatch), "tls_pinMismatch"), (.timeout(.idle), "timeout_idle"),
      (.bodyTooLarge(limit: 9), "body_too_large"), (.needsLogin, "needs_login"),
    ]
    let recorder = HARRecorder()
    for (kind, _) in kinds {
      let pipeline = try Pipeline(over: ScriptedDispatcher(failing: NetworkError(kind, "It failed."))) {
        recorder
      }
      _ = try? await pipeline.send(Request("https://a.test/"))
    }
    let calls = try RecordedCalls(archive: recorder.archive(), hiding: HiddenValues()).calls
    #expect(calls.map(\.outcome.word) == kinds.map(\.1))
    let unknown = try RecordedCalls(
      archive: Self.archive([Self.entry(1, "https://a.test/", status: 0, failure: "odd (Thing)")]),
      hiding: HiddenValues())
    #expect(unknown.calls.map(\.outcome.word) == ["transport"])
  }
}
