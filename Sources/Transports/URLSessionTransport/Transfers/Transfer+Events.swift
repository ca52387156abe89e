import Foundation
import HTTPTypes
import Interception
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Events of the session's delegate, which arrive on one serial queue.
extension Transfer {
  func sent(_ total: Int64) {
    state.withLock { state in
      state.sentBytes = total
      state.deadlines.sent(at: owner.time.now())
    }
  }

  func measured(_ metrics: TaskMetrics) { state.withLock { $0.metrics = metrics } }

  /// Handles a response head; ignores informational ones.
  func received(_ response: HTTPURLResponse) {
    guard response.statusCode >= 200 || response.statusCode == 101 else { return }
    let head = ResponseHead(response, method: plan.method, behavior: owner.behavior)
    if case .buffered(let limit) = plan.options.delivery, let length = head.length, length > Int64(limit) {
      return fail(.bodyTooLarge(limit: Int64(limit)))
    }
    let waiter: ResultContinuation<Response>? = state.withLock { state in
      guard state.end == nil, state.head == nil else { return nil }
      state.head = head
      let now = owner.time.now()
      state.firstByteAt = now
      state.lastByteAt = now
      state.deadlines.received(at: now)
      rearm(&state)
      guard case .streamed = plan.options.delivery else { return nil }
      state.isStreaming = true
      defer { state.waiter = nil }
      return state.waiter
    }
    guard let waiter else { return }
    let exchange = Exchange(attempts: 1, transport: state.withLock { $0.report })
    let stream = BodyStream(length: head.length, ending: ending, ResponseSource(transfer: self))
    waiter.resume(returning: .success(Response(head.head, body: .stream(stream), exchange: exchange)))
  }

  /// Handles a part of the body.
  func received(_ data: Data) {
    let (failure, reader) = state.withLock { state -> (NetworkError?, ResultContinuation<Void>?) in
      guard state.end == nil, state.head != nil else { return (nil, nil) }
      let now = owner.time.now()
      state.lastByteAt = now
      state.deadlines.received(at: now)
      state.decodedBytes += Int64(data.count)
      if let limit = bodyLimit, state.decodedBytes > limit {
        return (.bodyTooLarge(limit: limit), nil)
      }
      state.buffer.append(contentsOf: data)
      state.peak = max(state.peak, state.buffer.count)
      guard state.isStreaming else { return (nil, nil) }
      let unread = owner.configuration.unreadLimit
      guard state.buffer.count <= unread else {
        return (.unread(limit: unread, origin: origin), nil)
      }
      let mustPause = owner.behavior.suspensionHolds && !state.isPaused && state.buffer.count >= unread / 8
      if mustPause {
        state.isPaused = true
        state.deadlines.paused()
        // Under the lock, or a reader could resume the task before it is suspended, for ever.
        state.handle?.pause()
      }
      defer { state.reader = nil }
      return (nil, state.reader)
    }
    reader?.resume(returning: .success(()))
    if let failure { fail(failure) }
  }

  /// Handles an authentication challenge; if the response has already arrived, it is the result.
  func challenged() { settle { $0.head != nil ? .complete : nil } }

  /// Handles the end of the task.
  func completed(response: HTTPURLResponse?, error: (any Error)?) {
    if let error {
      let (sawConnection, hasEnded) = state.withLock { ($0.head != nil || $0.sentBytes > 0, $0.end != nil) }
      guard !hasEnded else { return }
      return fail(FailureClassifier(error, origin: origin, sawConnection: sawConnection).networkError)
    }
    // On Linux, Foundation withholds the head of a redirect without a target until the end, and discards its
    // body.
    if state.withLock({ $0.head == nil }), let response {
      received(response)
      let head = state.withLock { $0.head }
      if let head, head.mayHaveContent, head.announcedLength != 0 {
        return fail(
          NetworkError(
            .protocolViolation,
            "\(origin) sent a redirect without a valid Location, and Foundation discards its content; correct the server.",
            requestMayHaveBeenProcessed: true))
      }
    }
    settle { _ in .complete }
  }

  private var bodyLimit: Int64? {
    switch plan.options.delivery {
    case .buffered(let limit): Int64(limit)
    case .streamed: plan.options.streamLimit
    }
  }
}

/// The content of a streamed response.
struct ResponseSource: ByteSource {
  let transfer: Transfer

  private enum Step {
    case bytes([UInt8])
    case ended(TransferState.End, TransportReport)
    case occupied
    case wait
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    guard !Task.isCancelled else {
      cancel()
      throw Self.cancellation
    }
    while true {
      switch next() {
      case .bytes(let bytes): return bytes
      case .ended(let end, let report):
        transfer.ending.finish(transport: report)
        if case .failed(let error) = end { throw error }
        return nil
      case .occupied:
        throw NetworkError(
          .bodyNotReplayable,
          "The response's stream is already being read; read it in one task only.",
          requestMayHaveBeenProcessed: true)
      case .wait: try await wait()
      }
    }
  }

  func cancel() {
    let isNews = transfer.state.withLock { state in
      state.buffer = []
      defer { state.isAbandoned = true }
      return !state.isAbandoned
    }
    guard isNews else { return }
    transfer.fail(Self.cancellation)
    transfer.ending.finish()
  }

  private func wait() async throws(NetworkError) {
    try await waitForResult { continuation in
      let isReady = transfer.state.withLock { state in
        let isReady = !state.buffer.isEmpty || state.end != nil
        if !isReady { state.reader = continuation }
        return isReady
      }
      if isReady { continuation.resume(returning: .success(())) }
    } onCancel: {
      cancel()
    }
  }

  private func next() -> Step {
    transfer.state.withLock { state in
      if state.isAbandoned { return .ended(.failed(Self.cancellation), state.report) }
      if state.reader != nil { return .occupied }
      if !state.buffer.isEmpty {
        let bytes = state.buffer
        state.buffer = []
        guard state.isPaused else { return .bytes(bytes) }
        state.isPaused = false
        state.deadlines.released(at: transfer.owner.time.now())
        state.handle?.goOn()
        return .bytes(bytes)
      }
      if let end = state.end { return .ended(end, state.report) }
      return .wait
    }
  }

  private static var cancellation: NetworkError {
    NetworkError(
      .cancelled(.task), "Reading the response was cancelled.", requestMayHaveBeenProcessed: true)
  }
}
