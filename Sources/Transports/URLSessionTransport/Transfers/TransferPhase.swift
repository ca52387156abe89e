import Interception

/// The result of a transfer.
enum TransferEnd: Sendable {
  case complete
  case failed(NetworkError)
}

/// What a transfer does at the moment, and what exists only meanwhile; `Handle` is the session's task.
///
/// The life of a transfer, in order:
///
/// 1. `SessionOwner.submit` gives it a place or has it wait: ``queued``.
/// 2. `Transfer.start` has the body collected, by a task if it isn't in memory: ``collecting(_:)``.
/// 3. `Transfer.launch` makes and starts the session's task: ``awaitingHead(_:)``. Connecting and sending
///    can't be told apart.
/// 4. The final head has come: ``receiving(_:_:)``. The caller of a streamed response has it from now on, and
///    the content waits for its reader.
/// 5. The transfer has ended, with the session's task or before it: ``ended(_:_:)``.
enum TransferPhase<Handle: Sendable> {
  case queued
  case collecting(Task<Void, Never>?)
  case awaitingHead(Handle)
  case receiving(Handle, IncomingResponse)
  /// The response is one whose reader may not have read all of it; nil for any other.
  case ended(TransferEnd, IncomingResponse?)

  /// What an ended transfer held.
  struct Held {
    var upload: Task<Void, Never>?
    var handle: Handle?
    /// The response that the caller is given as a whole.
    var response: IncomingResponse?
    /// The reader that waits for content.
    var reader: ResultContinuation<Void>?
  }

  /// Ends the transfer, unless it has ended; returns what it held.
  mutating func end(_ end: TransferEnd) -> Held {
    // Consumed, here and below, so that the content is not copied.
    switch consume self {
    case .queued:
      self = .ended(end, nil)
      return Held()
    case .collecting(let upload):
      self = .ended(end, nil)
      return Held(upload: upload)
    case .awaitingHead(let handle):
      self = .ended(end, nil)
      return Held(handle: handle)
    case .receiving(let handle, var response):
      guard response.isStreamed else {
        self = .ended(end, nil)
        return Held(handle: handle, response: response)
      }
      let reader = response.releaseReader()
      self = .ended(end, response)
      return Held(handle: handle, reader: reader)
    case .ended(let end, let response):
      self = .ended(end, response)
      return Held()
    }
  }

  /// Changes the response; returns nil if there is none.
  mutating func withResponse<Result>(
    _ change: (inout IncomingResponse) -> Result
  ) -> Result? {
    // Each case by its name: with one binding for all others, Swift 6.3 copies the content in every case.
    switch consume self {
    case .receiving(let handle, var response):
      let result = change(&response)
      self = .receiving(handle, response)
      return result
    case .ended(let end, .some(var response)):
      let result = change(&response)
      self = .ended(end, response)
      return result
    case .ended(let end, nil):
      self = .ended(end, nil)
      return nil
    case .queued:
      self = .queued
      return nil
    case .collecting(let upload):
      self = .collecting(upload)
      return nil
    case .awaitingHead(let handle):
      self = .awaitingHead(handle)
      return nil
    }
  }

  var isOver: Bool { if case .ended = self { true } else { false } }

  /// Whether the request may have reached the server; false after the end.
  var isLaunched: Bool {
    switch self {
    case .queued, .collecting, .ended: false
    case .awaitingHead, .receiving: true
    }
  }

  /// The session's task, until the end.
  var handle: Handle? {
    switch self {
    case .awaitingHead(let handle), .receiving(let handle, _): handle
    case .queued, .collecting, .ended: nil
    }
  }

  /// The response, until the end, and that of a stream also after it; a copy.
  var response: IncomingResponse? {
    switch self {
    case .receiving(_, let response), .ended(_, .some(let response)): response
    case .queued, .collecting, .awaitingHead, .ended: nil
    }
  }

  var head: ResponseHead? { response?.head }

  /// How the transfer ended.
  var end: TransferEnd? { if case .ended(let end, _) = self { end } else { nil } }
}

/// A response from its head on, with the content that is not yet given to anybody.
struct IncomingResponse {
  /// Who receives the content.
  private enum Recipient {
    /// The caller, with the whole response.
    case caller
    /// A reader, who takes it at some time.
    case reader
    /// A reader that waits for it.
    case waiting(ResultContinuation<Void>)
    /// A reader that takes it at some time; the session's task is suspended until then.
    case suspended
    /// None: the reader has cancelled.
    case none
  }

  /// What follows from received content.
  struct Arrival {
    /// The reader that waited for it.
    var reader: ResultContinuation<Void>?
    /// Whether the session's task is, or must be, suspended; content may come that was on its way before.
    var isSuspended = false
    /// Whether it must be suspended now.
    var mustSuspend = false
    /// Whether more content is unread than permitted.
    var isTooMuch = false
  }

  /// What a reader finds.
  enum Reading {
    case bytes([UInt8], endsSuspension: Bool)
    /// There is no content at the moment, or no more of it.
    case nothing
    /// Another reader waits.
    case occupied
    case cancelled
  }

  let head: ResponseHead
  private var recipient: Recipient
  private var content: [UInt8] = []
  /// The maximum number of bytes that waited for a reader.
  private(set) var peak = 0

  init(_ head: ResponseHead, isStreamed: Bool) {
    self.head = head
    recipient = isStreamed ? .reader : .caller
  }

  var isStreamed: Bool { if case .caller = recipient { false } else { true } }

  /// Whether the session's task is suspended.
  var isSuspended: Bool { if case .suspended = recipient { true } else { false } }

  /// The whole content of a response that is not streamed.
  var bytes: [UInt8] { content }

  /// Takes received content.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of unread bytes of a stream.
  ///   - suspends: Whether the session's task can be suspended, which happens at an eighth of the limit.
  mutating func receive(_ bytes: some Collection<UInt8>, unreadLimit limit: Int, suspends: Bool) -> Arrival {
    if case .none = recipient { return Arrival() }
    content.append(contentsOf: bytes)
    guard isStreamed else { return Arrival() }
    peak = max(peak, content.count)
    guard content.count <= limit else { return Arrival(isTooMuch: true) }
    let reader = releaseReader()
    let mustSuspend = suspends && !isSuspended && content.count >= limit / 8
    if mustSuspend { recipient = .suspended }
    return Arrival(reader: reader, isSuspended: isSuspended, mustSuspend: mustSuspend)
  }

  /// Gives a reader the content.
  mutating func read() -> Reading {
    switch recipient {
    case .none: return .cancelled
    case .waiting: return .occupied
    case .caller, .reader, .suspended: break
    }
    guard !content.isEmpty else { return .nothing }
    let endsSuspension = isSuspended
    if endsSuspension { recipient = .reader }
    defer { content = [] }
    return .bytes(content, endsSuspension: endsSuspension)
  }

  /// Keeps a reader until content comes; returns false if it has nothing to wait for, and must look again.
  mutating func suspend(_ reader: ResultContinuation<Void>) -> Bool {
    guard content.isEmpty, case .reader = recipient else { return false }
    recipient = .waiting(reader)
    return true
  }

  /// Returns the reader that waits, if any, which then doesn't.
  mutating func releaseReader() -> ResultContinuation<Void>? {
    guard case .waiting(let reader) = recipient else { return nil }
    recipient = .reader
    return reader
  }

  /// Discards the content, because the reader has cancelled; returns whether it had not before, and the
  /// reader that waits, if any.
  mutating func cancel() -> (isFirst: Bool, reader: ResultContinuation<Void>?) {
    if case .none = recipient { return (false, nil) }
    let reader = releaseReader()
    recipient = .none
    content = []
    return (true, reader)
  }
}
