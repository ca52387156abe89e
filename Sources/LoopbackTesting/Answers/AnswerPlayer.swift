#if LoopbackTesting
import HTTPTypes
import Interception

/// Writes a response to a sink and applies its faults at their moments.
struct AnswerPlayer<Sink: AnswerSink> {
  /// Whether an exchange continues after a moment.
  enum Course {
    case goesOn
    case isOver
  }

  let sink: Sink
  let time: TimeSource
  private let piece: Int64 = 32 << 10

  /// Applies the faults that are placed at a moment.
  func pass(_ moment: LoopbackMoment, _ faults: [LoopbackFault]) async throws -> Course {
    for fault in faults where fault.moment == moment {
      if case .isOver = try await apply(fault.effect) { return .isOver }
    }
    return .goesOn
  }

  /// Writes the whole response, unless a fault ends it early.
  func play(_ answer: LoopbackAnswer, to method: HTTPRequest.Method) async throws -> Course {
    guard case .goesOn = try await pass(.responseStart, answer.faults) else { return .isOver }
    let hasContent = answer.hasContent(for: method)
    let isWhole =
      (!hasContent || answer.content.length == 0) && answer.trailers.isEmpty
      && !answer.faults.contains { $0.moment == .responseBody || $0.moment == .responseEnd }
    try await sink.head(of: answer, to: method, isWhole: isWhole)
    let length = hasContent ? answer.content.length : 0
    try await write(answer, 0..<length / 2)
    guard case .goesOn = try await pass(.responseBody, answer.faults) else { return .isOver }
    try await write(answer, length / 2..<length)
    guard case .goesOn = try await pass(.responseEnd, answer.faults) else { return .isOver }
    try await sink.end(of: answer, to: method, isWhole: isWhole)
    return .goesOn
  }

  private func write(_ answer: LoopbackAnswer, _ range: Range<Int64>) async throws {
    var offset = range.lowerBound
    let step = answer.pace.map { Int64($0.bytes) } ?? piece
    while offset < range.upperBound {
      if let pace = answer.pace { try await time.sleep(for: pace.tick) }
      let end = min(offset + step, range.upperBound)
      try await sink.content(answer.content.slice(offset..<end), of: answer)
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
      return await sink.goAway(code, processed: processed) ? .goesOn : .isOver
    case .delay(let duration):
      try await time.sleep(for: duration)
      return .goesOn
    case .garbage(let bytes):
      try await sink.garbage(bytes)
      return .goesOn
    case .informational(let status):
      try await sink.informational(status)
      return .goesOn
    case .slow, .announceLength: return .goesOn
    }
    return .isOver
  }
}
#endif
