import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite("A transfer's meter", .timeLimit(.minutes(5)))
struct TransferMeterTests {
  @Test("A slow listener receives only the newest value, and then the end")
  func newest() async {
    let meter = TransferMeter()
    let updates = meter.updates()
    for bytes in 1...100_000 {
      meter.report(TransferMeter.Progress(.upload, bytes: Int64(bytes), total: nil))
    }
    meter.finish()
    meter.report(TransferMeter.Progress(.upload, bytes: 7, total: nil))
    var seen: [Int64] = []
    for await progress in updates { seen.append(progress.bytes) }
    #expect(seen == [100_000])
    #expect(meter.latest?.bytes == 100_000)
  }

  @Test("A late listener receives the latest value, and the end when the meter is released")
  func late() async {
    func late() -> AsyncStream<TransferMeter.Progress> {
      let meter = TransferMeter()
      meter.report(TransferMeter.Progress(.download, bytes: 5, total: 10))
      return meter.updates()
    }
    var seen: [Double?] = []
    for await progress in late() { seen.append(progress.fraction) }
    #expect(seen == [0.5])
  }

  @Test(
    "The completed fraction is computed from the total",
    arguments: [(0, 10, 0.0), (5, 10, 0.5), (12, 10, 1.0), (0, 0, 1.0), (5, nil, nil)]
      as [(Int64, Int64?, Double?)])
  func fraction(bytes: Int64, total: Int64?, expected: Double?) {
    #expect(TransferMeter.Progress(.upload, bytes: bytes, total: total).fraction == expected)
  }

  @Test("An upload is measured chunk by chunk, anew for each attempt")
  func upload() async throws {
    let meter = TransferMeter()
    let plain = RequestBody.restartable(length: 3) { () throws(NetworkError) in
      ScriptedByteSource([[1], [2, 3]])
    }
    let body = plain.metered(by: meter)
    #expect(body.length == 3 && body.replay == .any)
    for _ in 0..<2 {
      let source = try await body.open()
      var seen = [meter.latest?.bytes]
      while let _ = try await source.read() { seen.append(meter.latest?.bytes) }
      #expect(seen == [0, 1, 3])
    }
    #expect(meter.latest == TransferMeter.Progress(.upload, bytes: 3, total: 3))
  }

  @Test("A body in memory is measured piece by piece")
  func memory() async throws {
    let meter = TransferMeter()
    let bytes = (0..<150_000).map { UInt8(truncatingIfNeeded: $0) }
    let source = try await RequestBody.bytes(bytes).metered(by: meter).open()
    var seen: [Int64?] = []
    var collected: [UInt8] = []
    while let chunk = try await source.read() {
      collected += chunk
      seen.append(meter.latest?.bytes)
    }
    #expect(collected == bytes)
    #expect(seen == [65_536, 131_072, 150_000])
  }

  @Test("A single-use body remains single-use, and its cancellation is passed on")
  func once() async throws {
    let meter = TransferMeter()
    let source = ScriptedByteSource([[1], [2]])
    let body = RequestBody.once(length: 2, source).metered(by: meter)
    #expect(body.replay == .once)
    let opened = try await body.open()
    #expect(try await opened.read() == [1])
    opened.cancel()
    #expect(source.isCancelled)
    let error = await #expect(throws: NetworkError.self) { try await body.open() }
    #expect(error?.kind == .bodyNotReplayable)
  }

  @Test("The meter is finished when the exchange ends: with bytes, a stream or an error")
  func dispatch() async throws {
    func updates(_ meter: TransferMeter) async -> [TransferMeter.Progress] {
      var all: [TransferMeter.Progress] = []
      for await progress in meter.updates() { all.append(progress) }
      return all
    }
    let request = Request(method: .post, authority: "a.example", path: "/", body: .text("ab"))
    let reading = ScriptedDispatcher { request, _ throws(NetworkError) in
      _ = try await request.body.collect(upTo: 10)
      return Response(status: .ok)
    }
    let answered = TransferMeter()
    _ = try await reading.dispatch(request, reportingTo: answered)
    #expect(await updates(answered) == [TransferMeter.Progress(.upload, bytes: 2, total: 2)])

    let failed = TransferMeter()
    let failing = ScriptedDispatcher(failing: NetworkError(.offline, "No network."))
    await #expect(throws: NetworkError.self) { try await failing.dispatch(request, reportingTo: failed) }
    #expect(await updates(failed).isEmpty)

    let ending = BodyStream.Ending()
    ending.finish(trailers: [.eTag: "t"])
    let streamed = TransferMeter()
    let streaming = ScriptedDispatcher { _, _ throws(NetworkError) in
      let stream = BodyStream(length: 5, ending: ending, ScriptedByteSource([[1, 2], [3, 4, 5]]))
      return Response(HTTPResponse(status: .ok), body: .stream(stream))
    }
    let response = try await streaming.dispatch(request, reportingTo: streamed)
    #expect(response.body.length == 5)
    #expect(response.trailers?[.eTag] == "t")
    #expect(streamed.latest == TransferMeter.Progress(.download, bytes: 0, total: 5))
    _ = try await response.body.collect(upTo: 9)
    #expect(await updates(streamed) == [TransferMeter.Progress(.download, bytes: 5, total: 5)])
  }

  @Test("Releasing a metered stream finishes the meter and cancels the source")
  func dropped() async throws {
    let meter = TransferMeter()
    let source = ScriptedByteSource([[1]])
    do { _ = try BodyStream(length: nil, source).metered(by: meter) }
    for await _ in meter.updates() {}
    #expect(source.isCancelled)
  }
}
