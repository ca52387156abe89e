import HTTPTypes
import Interception

/// Decides, without I/O, which parts of a file are requested when, and what follows from their ends.
///
/// Each part has a count of failures of its own. A part that finds no room, at the server or in the
/// dispatcher's queue, lowers the number of requests at a time instead of ending the run.
struct PartPlan: Sendable {
  enum Action: Sendable, Hashable {
    /// Requests the missing bytes of a part.
    case request(part: Int, Range<Int64>)
    /// Waits, and then reports it by ``PartPlan/waited(_:)``.
    case wait(part: Int, Duration)
  }

  enum Step: Sendable {
    /// Starts the actions, and continues with the next event.
    case run([Action])
    /// The file is complete.
    case complete
    /// The run ends with an error; the bytes so far are kept.
    case end(NetworkError)
  }

  private enum Phase: Sendable {
    case ready
    case requested
    /// After a failure.
    case waiting
    case complete
  }

  /// The maximum number of requests; a server may send less than a part at a time.
  static let maximumRequests = 1000

  private(set) var parts: DownloadParts
  private var phases: [Phase]
  private var failures: [TransferFailures]
  /// The maximum number of requests at a time.
  private(set) var limit: Int
  private var requests = 0
  private let checkpointInterval: Int64
  /// The number of bytes in the file when the progress was last recorded.
  private var recorded: Int64
  private var isRecording = false

  init(_ parts: DownloadParts, policy: DownloadPolicy, division: PartDivision) {
    self.parts = parts
    phases = parts.list.map { $0.isComplete ? .complete : .ready }
    failures = parts.list.map { TransferFailures(policy, offset: $0.next) }
    limit = division.count
    recorded = parts.downloaded
    checkpointInterval = division.checkpointInterval(of: parts.list.last?.range.upperBound ?? 0)
  }

  /// The number of failures that the parts survived.
  var survivedFailures: Int { failures.reduce(0) { $0 + $1.survived } }

  // MARK: Progress

  /// Records bytes of a part that were written.
  mutating func advance(_ part: Int, to offset: Int64) { parts.advance(part, to: offset) }

  /// Returns the progress to record on disk, if that is due and not already happening.
  mutating func startRecording() -> DownloadParts? {
    let downloaded = parts.downloaded
    guard !isRecording, downloaded - recorded >= checkpointInterval else { return nil }
    (isRecording, recorded) = (true, downloaded)
    return parts
  }

  mutating func endRecording() { isRecording = false }

  // MARK: Events

  /// Starts the other parts when the response to the first request has arrived.
  mutating func start(after lead: Int) -> Step {
    phases[lead] = .requested
    requests += 1
    return step([])
  }

  /// A response for a part ended where it was expected to.
  mutating func ended(_ part: Int) -> Step {
    phases[part] = parts.list[part].isComplete ? .complete : .ready
    return step([])
  }

  /// The wait of a part ended.
  mutating func waited(_ part: Int) -> Step {
    phases[part] = .ready
    return step([])
  }

  /// The request for a part failed.
  mutating func failed(
    _ part: Int, _ error: NetworkError, remaining: Duration?, now: WallTime, random: Double
  ) -> Step {
    // All of its bytes had arrived before.
    guard !parts.list[part].isComplete else { return ended(part) }
    phases[part] = .ready
    let others = phases.count(where: { $0 == .requested })
    if others > 0, Self.findsNoRoom(error) {
      limit = min(limit, others)
      // The dispatcher has no room for it before another request ends.
      if !Self.isServerRefusal(error) { return step([]) }
    }
    let moment = TransferFailures.Moment(
      offset: parts.list[part].next, remaining: remaining, now: now, random: random)
    switch failures[part].decide(onDownload: error, at: moment) {
    case .end(let refusal):
      var last = error
      last.retryRefusal = refusal ?? error.retryRefusal
      return .end(last)
    case .retry(let wait):
      phases[part] = .waiting
      return step([.wait(part: part, wait)])
    }
  }

  /// Adds the requests for which there is room.
  private mutating func step(_ first: [Action]) -> Step {
    guard phases.contains(where: { $0 != .complete }) else { return .complete }
    var actions = first
    var running = phases.count(where: { $0 == .requested })
    for part in phases.indices where phases[part] == .ready && running < limit {
      guard requests < Self.maximumRequests else { return .end(.downloadInTooManyParts) }
      requests += 1
      running += 1
      phases[part] = .requested
      actions.append(.request(part: part, parts.list[part].missing))
    }
    return .run(actions)
  }

  private static func findsNoRoom(_ error: NetworkError) -> Bool {
    switch error.kind {
    case .timeout(.queue), .queueFull, .descriptorsExhausted: true
    default: isServerRefusal(error)
    }
  }

  /// Whether the server refused the request because of too many others.
  private static func isServerRefusal(_ error: NetworkError) -> Bool {
    guard case DownloadFault.status(let head)? = error.underlying else { return false }
    return head.status == .tooManyRequests || head.status == .serviceUnavailable
  }
}

extension PartPlan {
  enum Verdict: Sendable {
    /// The response contains the missing bytes, up to this offset.
    case content(upTo: Int64)
    /// The server has another version of the file, or does not serve ranges of it.
    case replaced
    /// The request failed.
    case refuse(NetworkError)
  }

  /// Returns how to handle the response to the request for the missing bytes of a part.
  ///
  /// - Parameter decoded: The coding that the dispatcher has decoded; nil if the content is as it was sent.
  static func judge(
    _ head: HTTPResponse, length: Int64?, missing: Range<Int64>, of record: DownloadRecord,
    decoded: ContentCoding? = nil
  ) -> Verdict {
    switch head.status {
    case .partialContent:
      if let error = DownloadPlan.refusal(of: head, decoded: decoded) { return .refuse(error) }
      guard case .part(let first, let last, let total)? = ContentRange(in: head.headerFields),
        record.isConfirmed(by: head.headerFields, total: total),
        first == missing.lowerBound, last < missing.upperBound,
        length ?? (last - first + 1) == last - first + 1
      else { return .replaced }
      return .content(upTo: last + 1)
    case .ok, .rangeNotSatisfiable: return .replaced
    default: return .refuse(.download(.status(head)))
    }
  }
}
