import Downloads
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("A download that continues after failures", .timeLimit(.minutes(5)))
struct FailingDownloadTests {
  private static let content = (0..<100).map { UInt8($0) }
  private let folder: DownloadFolder
  private let clock = TestClock()

  init() throws { folder = try DownloadFolder() }

  private func download(
    _ policy: DownloadPolicy = DownloadPolicy(revalidates: false), call: Duration? = nil
  ) -> FileDownload {
    var request = Request(authority: "a.example", path: "/file?key=s3cret")
    request.options.timeouts.call = call
    var download = FileDownload(request, to: folder.target, policy: policy, time: TimeSource(clock))
    download.random = { 1 }
    return download
  }

  /// Runs a download, and lets each of its waits end; returns the result and the time that passed.
  private func run(
    _ download: FileDownload, over server: some Dispatcher, waits: Int
  ) async throws -> (result: Result<FileDownload.Outcome, NetworkError>, time: Duration) {
    let start = clock.now
    let task = Task { () -> Result<FileDownload.Outcome, NetworkError> in
      do throws(NetworkError) {
        return .success(try await download.run(over: server))
      } catch {
        return .failure(error)
      }
    }
    for number in 0..<waits {
      try await clock.waitForSleepers()
      clock.advance(by: .seconds(min(1 << number, 30)))
    }
    return (await task.value, start.duration(to: clock.now))
  }

  private func failure(_ result: Result<FileDownload.Outcome, NetworkError>) -> NetworkError? {
    if case .failure(let error) = result { error } else { nil }
  }

  @Test("One run completes the file although the connection breaks three times")
  func breaks() async throws {
    let server = RangeServer(Self.content, breaksAfter: 30)
    server.change { $0.breaks = 3 }
    let (result, time) = try await run(download(), over: server, waits: 3)
    let outcome = try result.get()
    #expect(outcome.failures == 3 && outcome.resumedFrom == 0 && outcome.length == 100)
    #expect(try folder.read() == Self.content)
    #expect(server.ranges == [nil, "bytes=30-", "bytes=60-", "bytes=90-"])
    #expect(server.conditions.dropFirst().allSatisfy { $0 == "\"v1\"" })
    #expect(time == .seconds(7))
    #expect(try folder.names == ["file.bin"])
  }

  @Test("The last failure in a row ends the run, which names the request and why; the next run resumes")
  func endless() async throws {
    let server = RangeServer(Self.content, breaksAfter: 10)
    let error = try #require(failure(await run(download(), over: server, waits: 4).result))
    #expect(error.kind == .transport && error.retryRefusal == .noAttemptsLeft)
    #expect(
      "\(error)".hasSuffix(
        "[GET https://a.example/file; not sent again: it was the last attempt that the policy allows]"))
    #expect(server.requests.count == 5)
    #expect(try folder.read("file.bin.part") == Array(Self.content[..<50]))
    // As a new process does.
    server.change { $0.breaksAfter = nil }
    let outcome = try await run(download(), over: server, waits: 0).result.get()
    #expect(outcome.resumedFrom == 50 && outcome.failures == 0)
    #expect(try folder.read() == Self.content)
  }

  @Test("A version that changes between two failures replaces the bytes of the other one")
  func changed() async throws {
    let other = (0..<60).map { UInt8($0 + 100) }
    let first = RangeServer(Self.content, breaksAfter: 30)
    let second = RangeServer(other, tag: "\"v2\"", breaksAfter: 20)
    second.change { $0.breaks = 1 }
    let server = ScriptedDispatcher { request, number throws(NetworkError) in
      number == 1 ? try await first.dispatch(request) : try await second.dispatch(request)
    }
    let outcome = try await run(download(), over: server, waits: 2).result.get()
    #expect(outcome.length == 60 && outcome.failures == 2)
    #expect(try folder.read() == other)
    #expect(server.requests.map { $0.head.headerFields[.range] } == [nil, "bytes=30-", "bytes=20-"])
    #expect(server.requests.map { $0.head.headerFields[.ifRange] } == [nil, "\"v1\"", "\"v2\""])
  }

  @Test("A server without ranges sends the whole content again, a bounded number of times")
  func withoutRanges() async throws {
    let server = RangeServer(Self.content, breaksAfter: 30)
    server.change { ($0.ignoresRanges, $0.breaks) = (true, 2) }
    #expect(try await run(download(), over: server, waits: 2).result.get().resumedFrom == 0)
    #expect(try folder.read() == Self.content)
    server.change { ($0.breaksAfter, $0.breaks) = (30, nil) }
    #expect(
      failure(try await run(download(), over: server, waits: 4).result)?.retryRefusal == .noAttemptsLeft)
    #expect(server.requests.count == 3 + 5)
    #expect(try folder.read() == Self.content)
  }

  @Test("Without a strong validator the file begins anew", arguments: [nil, "W/\"v1\""])
  func withoutValidator(tag: String?) async throws {
    let server = RangeServer(Self.content, tag: tag, breaksAfter: 30)
    server.change { $0.breaks = 1 }
    let outcome = try await run(download(), over: server, waits: 1).result.get()
    #expect(outcome.failures == 1 && server.ranges == [nil, nil])
    #expect(try folder.read() == Self.content)
    #expect(try folder.names == ["file.bin"])
  }

  @Test("A wrong range after each failure begins the file anew each time")
  func wrongRanges() async throws {
    let honest = RangeServer(Self.content, breaksAfter: 30)
    honest.change { $0.breaks = 3 }
    let liar = ScriptedDispatcher { request, _ throws(NetworkError) in
      var response = try await honest.dispatch(request)
      if response.status == .partialContent { response.head.headerFields[.contentRange] = "bytes 1-2/3" }
      return response
    }
    let outcome = try await run(download(), over: liar, waits: 2).result.get()
    #expect(outcome.failures == 2)
    #expect(
      liar.requests.map { $0.head.headerFields[.range] } == [nil, "bytes=30-", nil, "bytes=30-", nil])
    #expect(try folder.read() == Self.content)
  }

  @Test("A 416 for a file that lacks only its renaming completes it, also within a run")
  func unsatisfied() async throws {
    let server = RangeServer(Self.content, breaksAfter: 100)
    server.change { $0.breaks = 1 }
    let outcome = try await run(download(), over: server, waits: 1).result.get()
    #expect(outcome.head.status == .rangeNotSatisfiable && outcome.length == 100)
    #expect(try folder.read() == Self.content)
  }

  @Test("A 503 is survived after the wait that the server asks for, and keeps its reason if it isn't")
  func overloaded() async throws {
    let server = RangeServer(Self.content)
    let busy = ScriptedDispatcher { request, number throws(NetworkError) in
      guard number == 1 else { return try await server.dispatch(request) }
      return Response(status: .serviceUnavailable, headerFields: [.retryAfter: "3"])
    }
    let task = Task { [download = download()] in try await download.run(over: busy) }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(3))
    #expect(busy.requests.count == 1)
    clock.advance(by: .seconds(1))
    #expect(try await task.value.failures == 1)
    let down = ScriptedDispatcher { _, _ throws(NetworkError) in
      Response(
        HTTPResponse(status: .serviceUnavailable), exchange: Exchange(attempts: 3, retryRefusal: .budgetSpent)
      )
    }
    let error = failure(try await run(download(), over: down, waits: 0).result)
    #expect(error?.retryRefusal == .budgetSpent && down.requests.count == 1)
    #expect(error?.description.contains("[GET https://a.example/file, attempt 3; not sent again: ") == true)
  }

  @Test("Without a network the run ends at once, and the unfinished file is kept")
  func offline() async throws {
    let server = RangeServer(Self.content, breaksAfter: 30)
    let unplugged = ScriptedDispatcher { request, number throws(NetworkError) in
      guard number == 1 else { throw NetworkError(.offline, "There is no network.") }
      return try await server.dispatch(request)
    }
    let error = failure(try await run(download(), over: unplugged, waits: 1).result)
    #expect(error?.kind == .offline && unplugged.requests.count == 2)
    #expect(try folder.read("file.bin.part").count == 30)
  }

  @Test("A cancellation during a wait ends the run at once, and the unfinished file is kept")
  func cancelled() async throws {
    let server = RangeServer(Self.content, breaksAfter: 30)
    let task = Task { [download = download()] in try await download.run(over: server) }
    try await clock.waitForSleepers()
    task.cancel()
    let result = await task.result
    #expect(throws: NetworkError.self) { try result.get() }
    #expect(server.requests.count == 1)
    #expect(try folder.read("file.bin.part").count == 30)
    server.change { $0.breaksAfter = nil }
    #expect(try await download().run(over: server).resumedFrom == 30)
  }

  @Test("The call's time limit ends the run, whatever the policy, and each request gets what is left of it")
  func callLimit() async throws {
    let server = RangeServer(Self.content, breaksAfter: 10)
    let error = failure(
      try await run(download(DownloadPolicy(failureLimit: 100), call: .seconds(6)), over: server, waits: 2)
        .result
    )
    #expect(error?.retryRefusal == .noTimeLeft)
    #expect(server.requests.map(\.options.timeouts.call) == [.seconds(6), .seconds(5), .seconds(3)])
  }
}
