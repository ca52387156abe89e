#if LoopbackTesting
import HTTPTypes
import Interception

/// Writes a response to a sink and applies its faults at their moments.
struct ResponseWriter<Sink: ResponseSink> {
  /// Whether an exchange continues after a moment.
  enum Course {
    case continues
    case ended
  }

  let sink: Sink
  let time: TimeSource
  private let piece: Int64 = 32 << 10

  /// Applies the faults that are placed at a moment.
  func pass(_ moment: LoopbackMoment, _ faults: [LoopbackFault]) async throws -> Course {
    for fault in faults where fault.moment == moment {
      if case .ended = try await apply(fault.effect) { return .ended }
    }
    return .continues
  }

  /// Writes the whole response, unless a fault ends it early.
  func write(_ response: LoopbackResponse, to method: HTTPRequest.Method) async throws -> Course {
    guard case .continues = try await pass(.responseStart, response.faults) else { return .ended }
    let hasContent = response.hasContent(for: method)
    let isWhole =
      (!hasContent || response.content.length == 0) && response.trailers.isEmpty
      && !response.faults.contains { $0.moment == .responseBody || $0.moment == .responseEnd }
    try await sink.head(of: response, to: method, isWhole: isWhole)
    let length = hasContent ? response.content.length : 0
    try await write(response, 0..<length / 2)
    guard case .continues = try await pass(.responseBody, response.faults) else { return .ended }
    try await write(response, length / 2..<length)
    guard case .continues = try await pass(.responseEnd, response.faults) else { return .ended }
    try await sink.end(of: response, to: method, isWhole: isWhole)
    return .continues
  }

  private func write(_ response: LoopbackResponse, _ range: Range<Int64>) async throws {
    var offset = range.lowerBound
    let step = response.pace.map { Int64($0.bytes) } ?? piece
    while offset < range.upperBound {
      if let pace = response.pace { try await time.sleep(for: pace.tick) }
      let end = min(offset + step, range.upperBound)
      try await sink.content(response.content.slice(offset..<end), of: response)
      offset = end
    }
  }

  private func apply(_ effect: LoopbackEffect) async throws -> Course {
    switch effect {
    case .refuse: await sink.refuse()
    case .stall: await sink.waitForClose()
    case .close: await sink.close()
    case .reset: await sink.reset()
    case .resetStream(let code): await sink.resetStream(code)
    case .goAway(let code, let processed):
      return await sink.goAway(code, processed: processed) ? .continues : .ended
    case .delay(let duration):
      try await time.sleep(for: duration)
      return .continues
    case .garbage(let bytes):
      try await sink.garbage(bytes)
      return .continues
    case .informational(let status):
      try await sink.informational(status)
      return .continues
    case .slow, .announceLength: return .continues
    }
    return .ended
  }
}
#endif
