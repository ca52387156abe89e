import Interception

/// The mutable state of a transfer, which the transfer guards by a lock; `Handle` is the session's task.
struct TransferState<Handle: Sendable> {
  /// What a transfer held that has ended, and how it ended.
  struct Ended {
    let end: TransferEnd
    let measurements: TransferMeasurements
    let place: UInt64?
    let caller: ResultContinuation<Response>?
    let timer: Task<Void, Never>?
    let held: TransferPhase<Handle>.Held
  }

  /// What came of an attempt to launch a request.
  enum Launch: Hashable {
    case launched
    /// The transfer has ended before.
    case isOver
    /// The session makes no tasks any longer.
    case isRefused
  }

  /// What follows from received content.
  enum Arrival {
    /// The content is kept. A reader that waited for it is resumed, and the session's task is suspended, if
    /// they are there.
    case kept(reader: ResultContinuation<Void>?, suspends: Handle?)
    /// The content exceeds the limit of the response, or that of what may be unread.
    case tooLarge(limit: Int64)
    case unread
  }

  /// What a reader does next.
  enum Reading {
    /// It returns the bytes, and resumes the session's task, if there is one.
    case bytes([UInt8], resumes: Handle?)
    case ended(TransferEnd, TransportReport)
    case cancelled(TransportReport)
    case occupied
    case wait
  }

  private(set) var phase = TransferPhase<Handle>.queued
  var watch: LimitWatch
  var measurements: TransferMeasurements
  /// Identifies the transfer to its owner, once it has entered the queue.
  var place: UInt64?
  /// The caller that waits for the response.
  private var caller: ResultContinuation<Response>?

  init(_ options: RequestOptions, handedOver: Duration) {
    watch = LimitWatch(Deadlines(options.timeouts, handedOver: handedOver))
    measurements = TransferMeasurements(handedOver: handedOver)
  }

  // MARK: Transitions

  /// Keeps the caller until its response comes; returns the error if the transfer has ended already.
  mutating func suspend(caller: ResultContinuation<Response>) -> NetworkError? {
    if case .ended(.failed(let error), _) = phase { return error }
    self.caller = caller
    return nil
  }

  /// Begins to collect the body; returns false if the transfer has ended.
  mutating func admit(at now: Duration) -> Bool {
    guard case .queued = phase else { return false }
    phase = .collecting(nil)
    measurements.admittedAt = now
    watch.deadlines.admitted()
    return true
  }

  /// Keeps the task that collects the body, unless it has done so; returns false if the transfer has ended.
  mutating func collect(by upload: Task<Void, Never>) -> Bool {
    if case .collecting = phase { phase = .collecting(upload) }
    return !phase.isOver
  }

  /// Has the request sent.
  ///
  /// - Parameter makeHandle: Makes the session's task, unless the transfer has ended.
  mutating func launch(at now: Duration, _ makeHandle: () -> Handle?) -> Launch {
    guard case .collecting = phase else { return .isOver }
    guard let handle = makeHandle() else {
      phase = .collecting(nil)
      return .isRefused
    }
    phase = .awaitingHead(handle)
    measurements.launchedAt = now
    watch.deadlines.launched(at: now)
    return .launched
  }

  /// Records that bytes of the body were sent.
  mutating func send(_ total: Int64, at now: Duration) {
    measurements.sentBytes = total
    watch.deadlines.sent(at: now)
  }

  /// Takes the final head; returns false unless it is awaited.
  mutating func receive(_ head: ResponseHead, isStreamed: Bool, at now: Duration) -> Bool {
    guard case .awaitingHead(let handle) = phase else { return false }
    phase = .receiving(handle, IncomingResponse(head, isStreamed: isStreamed))
    measurements.firstByteAt = now
    noteReceived(at: now)
    return true
  }

  /// Returns the caller, which then no longer waits for the transfer.
  mutating func releaseCaller() -> ResultContinuation<Response>? { caller.take() }

  /// Takes received content, if a head has come and the transfer has not ended.
  mutating func receive(
    _ bytes: some Collection<UInt8>, at now: Duration, limit: Int64?, unreadLimit: Int, suspends: Bool
  ) -> Arrival {
    guard case .receiving = phase else { return .kept(reader: nil, suspends: nil) }
    noteReceived(at: now)
    measurements.decodedBytes += Int64(bytes.count)
    if let limit, measurements.decodedBytes > limit { return .tooLarge(limit: limit) }
    let arrival = phase.withResponse { response in
      response.receive(bytes, unreadLimit: unreadLimit, suspends: suspends)
    }
    guard let arrival, !arrival.isTooMuch else { return .unread }
    if arrival.isSuspended { watch.deadlines.paused() }
    return .kept(reader: arrival.reader, suspends: arrival.mustSuspend ? phase.handle : nil)
  }

  private mutating func noteReceived(at now: Duration) {
    measurements.lastByteAt = now
    watch.deadlines.received(at: now)
  }

  /// Gives the reader of a stream the content, or says what it does without.
  mutating func read(at now: Duration) -> Reading {
    switch phase.withResponse({ $0.read() }) {
    case .bytes(let bytes, let endsSuspension):
      guard endsSuspension else { return .bytes(bytes, resumes: nil) }
      watch.deadlines.released(at: now)
      return .bytes(bytes, resumes: phase.handle)
    case .occupied: return .occupied
    case .cancelled: return .cancelled(report)
    case .nothing, nil:
      guard let end = phase.end else { return .wait }
      return .ended(end, report)
    }
  }

  /// Keeps the reader of a stream until content or the end comes; returns false if one is there.
  mutating func suspend(reader: ResultContinuation<Void>) -> Bool {
    guard !phase.isOver else { return false }
    return phase.withResponse { $0.suspend(reader) } ?? false
  }

  /// Discards the content of a stream, whose reader has cancelled; the transfer has yet to be ended.
  ///
  /// Returns whether the reader had not cancelled before, and the reader that waits, if any.
  mutating func cancelReading() -> (isFirst: Bool, reader: ResultContinuation<Void>?) {
    phase.withResponse { $0.cancel() } ?? (false, nil)
  }

  /// Ends the transfer, unless it has ended already; returns what it held, and how it ended.
  ///
  /// - Parameter decide: Returns how, or nil if it must not end yet. It is called in the same step, so that
  ///   an error can't deny that the request was sent when it was sent just before.
  mutating func settle(_ decide: (inout TransferState) -> TransferEnd?) -> Ended? {
    guard !phase.isOver, var end = decide(&self) else { return nil }
    if case .failed(var error) = end {
      error.progress = .init(receivedBytes: measurements.decodedBytes)
      end = .failed(error)
    }
    let held = phase.end(end)
    return Ended(
      end: end, measurements: measurements, place: place, caller: releaseCaller(), timer: watch.end(),
      held: held)
  }

  // MARK: Facts

  /// The report of the transfer so far.
  var report: TransportReport { measurements.report(head: phase.head) }
}

/// When the steps of a transfer began, and how many bytes were sent and received.
struct TransferMeasurements {
  private let handedOver: Duration
  var admittedAt: Duration?
  var launchedAt: Duration?
  var firstByteAt: Duration?
  var lastByteAt: Duration?
  var sentBytes: Int64 = 0
  var decodedBytes: Int64 = 0
  /// The system's own measurements, if it has made them.
  var metrics: TaskMetrics?

  init(handedOver: Duration) { self.handedOver = handedOver }

  /// Returns the report of a transfer with a response head, if one has come.
  func report(head: ResponseHead?) -> TransportReport {
    let received = head?.coding == nil ? decodedBytes : (head?.announcedLength ?? 0)
    return TransportReport(
      phases: .init(
        queue: admittedAt.map { $0 - handedOver }, name: metrics?.name, connect: metrics?.connect,
        tls: metrics?.tls, firstByte: Self.span(launchedAt, firstByteAt),
        lastByte: Self.span(firstByteAt, lastByteAt)),
      bytes: .init(sent: sentBytes, received: received, decoded: decodedBytes),
      version: metrics?.version, connectionWasReused: metrics?.isReused ?? false,
      contentCoding: head?.coding)
  }

  private static func span(_ start: Duration?, _ end: Duration?) -> Duration? {
    guard let start, let end else { return nil }
    return end - start
  }
}
