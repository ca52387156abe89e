import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResponseCaching

@Suite struct CacheRecordingTests {
  @Test("The text of a recording is read again")
  func text() {
    let recording = CacheRecording(entries: [
      CacheRecording.Entry(key: 0xDEAD_BEEF, time: .milliseconds(1_500), size: 700, lifetime: .seconds(60)),
      CacheRecording.Entry(key: .max, time: .zero, size: nil, lifetime: .milliseconds(-5), isHit: true),
    ])
    #expect(recording.text == "deadbeef 1500 700 60000 miss\nffffffffffffffff 0 - -5 hit\n")
    #expect(CacheRecording(text: recording.text) == recording)
    #expect(CacheRecording(text: "") == CacheRecording())
  }

  @Test(
    "A malformed text is refused",
    arguments: [
      "x 0 1 1 hit", "1 x 1 1 hit", "1 0 x 1 hit", "1 0 1 x hit", "1 0 1 1 maybe", "1 0 1 1", "1 0 -1 1 hit",
      "1 0 1 1 hit more", "1 0 99999999999999999999 1 hit", "1 9223372036854775807 1 1 hit",
    ])
  func malformed(_ line: String) { #expect(CacheRecording(text: "1 0 1 1 hit\n" + line) == nil) }

  @Test("Hits and misses are recorded with size and lifetime; refreshes and bypassed requests are not")
  func recording() async throws {
    let recorder = CacheRecorder(maximumRequests: 5)
    let clock = TestClock()
    let time = TimeSource(clock) { CacheFixture.start.advanced(by: clock.now.offset) }
    let server = ScriptedDispatcher { request, _ throws(NetworkError) in
      var response = Response(status: .ok, bytes: [UInt8](repeating: 7, count: 1_000))
      if request.head.path == "/never" { response.head.headerFields[.cacheControl] = "no-store" }
      return response
    }
    let cache = CachingInterceptor(time: time, recorder: recorder)
    let chain = server.intercepted(by: cache)
    _ = try await chain.dispatch(.houses("/a"))
    clock.advance(by: .seconds(20))
    _ = try await chain.dispatch(.houses("/a"))
    _ = try await chain.dispatch(.houses("/never"))
    _ = try await chain.dispatch(.houses("/a", rule: .off))
    clock.advance(by: .seconds(41))
    _ = try await chain.dispatch(.houses("/a"))
    let entries = recorder.recording.entries
    #expect(entries.map(\.isHit) == [false, true, false, false])
    #expect(entries.map(\.time) == [.zero, .seconds(20), .seconds(20), .seconds(61)])
    #expect(entries.map { $0.lifetime } == [.seconds(60), .seconds(60), nil, .seconds(60)])
    #expect(entries.map { $0.size.map { $0 > 1_000 } } == [true, true, nil, true])
    #expect(Set(entries.map(\.key)).count == 2)
    let advice = CacheAdvice(recorder.recording, bytes: [1 << 20])
    #expect(advice.recordedHits == 1 && advice.results.allSatisfy { $0.hits == 1 })
    for _ in 0..<3 { _ = try await chain.dispatch(.houses("/a")) }
    #expect(recorder.recording.entries.count == 5 && recorder.omittedRequests == 2)
  }

  @Test("A recording contains no part of a request")
  func secrecy() async throws {
    let recorder = CacheRecorder()
    let server = ScriptedDispatcher { _, _ throws(NetworkError) in Response(status: .ok, bytes: [1]) }
    let chain = server.intercepted(by: CachingInterceptor(recorder: recorder))
    _ = try await chain.dispatch(.houses("/v1/houses?token=secret", partition: "alice"))
    let text = recorder.recording.text
    #expect(text.split(separator: " ").count == 5)
    for part in ["houses", "secret", "alice"] { #expect(!text.contains(part)) }
  }
}
