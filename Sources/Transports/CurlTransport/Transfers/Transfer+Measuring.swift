import Interception

/// The throughput of the content of a response, while it comes.
struct ContentMeasurement {
  let isOverHTTP3: Bool
  /// The time of the head, and the number of bytes that the loop had received by then.
  let start: (time: Duration, bytes: Int64)
  /// Whether the reader has had no room.
  var wasPaused = false
  /// Whether it was recorded before its end.
  var isRecorded = false
}

// Whether HTTP/3 is throttled shows in how fast content comes, compared with TCP.
extension Transfer {
  /// Begins to measure content of an announced length, if it is long enough.
  func beginMeasurement(of response: IncomingResponse, length: Int64) {
    guard shared.alternatives.measures(plan, length: length) else { return }
    response.measurement = ContentMeasurement(
      isOverHTTP3: response.parser.version == .http3, start: (shared.now, shared.receivedBytes))
  }

  /// Counts bytes of the content.
  ///
  /// Content over HTTP/3 that is far too slow is recorded before its end, for the next requests.
  func measure(_ count: Int) {
    shared.receivedBytes += Int64(count)
    guard isOverHTTP3, let response = phase.incoming, let measurement = response.measurement,
      measurement.isOverHTTP3, !measurement.isRecorded,
      shared.now - measurement.start.time >= ThroughputComparison.longTime
    else { return }
    record(response, isComplete: false)
  }

  /// Records how fast the content came, unless it was recorded before.
  func endMeasurement(of response: IncomingResponse, isComplete: Bool) {
    if response.measurement?.isRecorded == false { record(response, isComplete: isComplete) }
  }

  private func record(_ response: IncomingResponse, isComplete: Bool) {
    guard let measurement = response.measurement else { return }
    response.measurement?.isRecorded = true
    shared.alternatives.note(
      .init(
        bytes: response.receivedBytes, allBytes: shared.receivedBytes - measurement.start.bytes,
        time: shared.now - measurement.start.time, isComplete: isComplete, wasPaused: measurement.wasPaused),
      isOverHTTP3: measurement.isOverHTTP3, for: AlternativeServices.Key(plan, network: network),
      at: shared.now)
  }
}
