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
    let now = owner.time.now()
    state.withLock { $0.send(total, at: now) }
  }

  func measured(_ metrics: TaskMetrics) { state.withLock { $0.measurements.metrics = metrics } }

  /// Handles a response head; ignores informational ones.
  func received(_ response: HTTPURLResponse) {
    guard response.statusCode >= 200 || response.statusCode == 101 else { return }
    let head = ResponseHead(response, method: plan.method, behavior: owner.behavior)
    if case .buffered(let limit) = plan.options.delivery, let length = head.length, length > Int64(limit) {
      return fail(.bodyTooLarge(limit: Int64(limit)))
    }
    let isStreamed = plan.options.delivery == .streamed
    let (caller, report) = state.withLock { state -> (ResultContinuation<Response>?, TransportReport?) in
      guard state.receive(head, isStreamed: isStreamed, at: owner.time.now()) else { return (nil, nil) }
      arm(&state.watch)
      return isStreamed ? (state.releaseCaller(), state.report) : (nil, nil)
    }
    guard let caller else { return }
    let exchange = Exchange(attempts: 1, transport: report)
    let stream = BodyStream(length: head.length, ending: ending, ResponseSource(transfer: self))
    caller.resume(returning: .success(Response(head.head, body: .stream(stream), exchange: exchange)))
  }

  /// Handles a part of the body.
  func received(_ data: Data) {
    let unread = owner.configuration.unreadLimit
    let arrival = state.withLock { state in
      let arrival = state.receive(
        data, at: owner.time.now(), limit: bodyLimit, unreadLimit: unread,
        suspends: owner.behavior.suspensionHolds)
      // Under the lock, or a reader could resume the task before it is suspended, for ever.
      if case .kept(_, let handle?) = arrival { handle.pause() }
      return arrival
    }
    switch arrival {
    case .kept(let reader, _): reader?.resume(returning: .success(()))
    case .tooLarge(let limit): fail(.bodyTooLarge(limit: limit))
    case .unread: fail(.unread(limit: unread, origin: origin))
    }
  }

  /// Handles an authentication challenge; if the response has already arrived, it is the result.
  func challenged() { settle { $0.phase.head != nil ? .complete : nil } }

  /// Handles the end of the task.
  func completed(response: HTTPURLResponse?, error: (any Error)?) {
    if let error {
      let (sawConnection, hasEnded) = state.withLock { state in
        (state.phase.head != nil || state.measurements.sentBytes > 0, state.phase.isOver)
      }
      guard !hasEnded else { return }
      return fail(FailureClassifier(error, origin: origin, sawConnection: sawConnection).networkError)
    }
    // On Linux, Foundation withholds the head of a redirect without a target until the end, and discards its
    // body.
    if state.withLock({ $0.phase.head == nil }), let response {
      received(response)
      let head = state.withLock { $0.phase.head }
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

  func read() async throws(NetworkError) -> [UInt8]? {
    guard !Task.isCancelled else {
      cancel()
      throw Self.cancellation
    }
    while true {
      switch next() {
      case .bytes(let bytes, _): return bytes
      case .ended(let end, let report):
        transfer.ending.finish(transport: report)
        if case .failed(let error) = end { throw error }
        return nil
      case .cancelled(let report):
        transfer.ending.finish(transport: report)
        throw Self.cancellation
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
    let (isFirst, reader) = transfer.state.withLock { $0.cancelReading() }
    guard isFirst else { return }
    transfer.fail(Self.cancellation)
    reader?.resume(returning: .success(()))
    transfer.ending.finish()
  }

  private func wait() async throws(NetworkError) {
    try await waitForResult { continuation in
      let isWaiting = transfer.state.withLock { $0.suspend(reader: continuation) }
      if !isWaiting { continuation.resume(returning: .success(())) }
    } onCancel: {
      cancel()
    }
  }

  private func next() -> TransferState<SessionOwner.TaskHandle>.Reading {
    transfer.state.withLock { state in
      let reading = state.read(at: transfer.owner.time.now())
      if case .bytes(_, let handle?) = reading {
        handle.goOn()
        // Meanwhile no limit applied, so that the task that checks them may have ended.
        transfer.arm(&state.watch)
      }
      return reading
    }
  }

  private static var cancellation: NetworkError {
    NetworkError(
      .cancelled(.task), "Reading the response was cancelled.", requestMayHaveBeenProcessed: true)
  }
}
