import Interception

/// The mutable state of a transfer, which the transfer guards by a lock.
struct TransferState {
  /// The result of a transfer.
  enum End: Sendable {
    case complete
    case failed(NetworkError)
  }

  var deadlines: Deadlines
  var id: UInt64?
  var end: End?
  var waiter: ResultContinuation<Response>?
  var reader: ResultContinuation<Void>?
  var handle: SessionOwner.TaskHandle?
  var upload: Task<Void, Never>?
  var timer: Task<Void, Never>?
  /// The time of the timer's next check.
  var armed: Duration?

  var head: ResponseHead?
  var isStreaming = false
  var isPaused = false
  var isAbandoned = false
  var buffer: [UInt8] = []
  var peak = 0
  var metrics: TaskMetrics?

  var handedOver: Duration
  var admittedAt: Duration?
  var launchedAt: Duration?
  var firstByteAt: Duration?
  var lastByteAt: Duration?
  var sentBytes: Int64 = 0
  var decodedBytes: Int64 = 0

  init(_ options: RequestOptions, handedOver: Duration) {
    self.handedOver = handedOver
    deadlines = Deadlines(options.timeouts, handedOver: handedOver)
  }

  /// Whether the request may have reached the server.
  var wasLaunched: Bool { launchedAt != nil }

  /// Ends the transfer, unless it has ended already; returns what it held, and how it ended.
  ///
  /// - Parameter decide: Returns how, or nil if it must not end yet. It is called in the same step, so that
  ///   an error can't deny that the request was sent when it was sent just before.
  mutating func settle(
    _ decide: (inout TransferState) -> End?
  ) -> (former: TransferState, end: End)? {
    guard end == nil, var end = decide(&self) else { return nil }
    if case .failed(var error) = end {
      error.progress = .init(receivedBytes: decodedBytes)
      end = .failed(error)
    }
    self.end = end
    let former = self
    (waiter, reader, upload, timer, handle) = (nil, nil, nil, nil, nil)
    return (former, end)
  }

  /// The report of the transfer so far.
  var report: TransportReport {
    let received = head?.coding == nil ? decodedBytes : (head?.announcedLength ?? 0)
    return TransportReport(
      phases: .init(
        queue: admittedAt.map { $0 - handedOver }, name: metrics?.name, connect: metrics?.connect,
        tls: metrics?.tls, firstByte: span(launchedAt, firstByteAt),
        lastByte: span(firstByteAt, lastByteAt)),
      bytes: .init(sent: sentBytes, received: received, decoded: decodedBytes),
      version: metrics?.version, connectionWasReused: metrics?.isReused ?? false,
      contentCoding: head?.coding)
  }

  private func span(_ start: Duration?, _ end: Duration?) -> Duration? {
    guard let start, let end else { return nil }
    return end - start
  }
}

/// The time limits of one transfer: its current phase, and the deadlines of that phase and of the whole
/// attempt.
struct Deadlines {
  /// The time at which a phase exceeds its limit.
  struct Deadline: Hashable {
    let time: Duration
    let phase: NetworkError.Phase
  }

  private enum Stage {
    case queued(since: Duration)
    case reading
    case awaiting(since: Duration)
    case receiving(last: Duration)
    case paused
  }

  let limits: RequestOptions.Timeouts
  private let end: Deadline?
  private var stage: Stage

  /// Starts at the time of the caller's request.
  init(_ limits: RequestOptions.Timeouts, handedOver: Duration) {
    self.limits = limits
    end = limits.overall.map { Deadline(time: handedOver + $0.limit, phase: $0.phase) }
    stage = .queued(since: handedOver)
  }

  /// Ends the wait for admission; the time for reading the body is not limited by a phase.
  mutating func admitted() { stage = .reading }

  /// Records that the request was passed to the session; connecting and sending cannot be distinguished after
  /// this.
  mutating func launched(at now: Duration) { stage = .awaiting(since: now) }

  /// Records that bytes of the body were sent.
  mutating func sent(at now: Duration) { if case .awaiting = stage { stage = .awaiting(since: now) } }

  /// Records that bytes of the response were received.
  mutating func received(at now: Duration) { stage = .receiving(last: now) }

  /// Records that the reader's buffer is full.
  mutating func paused() { if case .receiving = stage { stage = .paused } }

  /// Records that the reader made room.
  mutating func released(at now: Duration) { if case .paused = stage { stage = .receiving(last: now) } }

  /// The end of the silence before a response: by the limit of the first byte, or by that of any silence.
  private func silence(since: Duration) -> Deadline? {
    let idle = limits.idle.map { Deadline(time: since + $0, phase: .idle) }
    guard let limit = limits.firstByte, since + limit <= idle?.time ?? since + limit else { return idle }
    return Deadline(time: since + limit, phase: .firstByte)
  }

  /// The earliest deadline if nothing else happens.
  var next: Deadline? {
    let own: Deadline? =
      switch stage {
      case .queued(let since): limits.queue.map { Deadline(time: since + $0, phase: .queue) }
      case .awaiting(let since): silence(since: since)
      case .receiving(let last): limits.idle.map { Deadline(time: last + $0, phase: .idle) }
      case .reading, .paused: nil
      }
    guard let end else { return own }
    if let own, own.time <= end.time { return own }
    return end
  }
}
