import HTTPTypes
import Interception
import Synchronization

/// The recording of one exchange.
final class ExchangeRecording: Sendable {
  private struct State {
    var sent: [UInt8] = []
    var head: HTTPResponse?
    var received: [UInt8] = []
    var trailers: HTTPFields?
    var isComplete = false
    var failure: Cassette.RecordedFailure?
    var isForgotten = false
  }

  private let state = Mutex(State())
  private let request: Request
  private let redaction: CassetteRedaction
  private let limit: Int

  init(_ request: Request, _ redaction: CassetteRedaction, limit: Int) {
    self.request = request
    self.redaction = redaction
    self.limit = limit
  }

  func restartSending() { state.withLock { $0.sent = [] } }

  func noteSent(_ bytes: [UInt8]) {
    state.withLock { state in
      if state.sent.count < limit { state.sent += bytes.prefix(limit - state.sent.count) }
    }
  }

  func noteHead(_ head: HTTPResponse) { state.withLock { $0.head = head } }

  func noteReceived(_ bytes: [UInt8]) {
    state.withLock { state in
      if state.received.count < limit { state.received += bytes.prefix(limit - state.received.count) }
    }
  }

  func noteEnd(length: Int, trailers: HTTPFields?) {
    state.withLock { state in
      state.isComplete = length == state.received.count
      state.trailers = trailers
    }
  }

  /// Records a failure; a cancelled request is discarded, because the caller caused it.
  func noteFailure(_ error: NetworkError) {
    state.withLock { state in
      if case .cancelled = error.kind { return state.isForgotten = true }
      var limit: Int64?
      if case .bodyTooLarge(let allowed) = error.kind { limit = allowed }
      state.failure = Cassette.RecordedFailure(
        label: error.label, reason: error.reason,
        requestMayHaveBeenProcessed: error.requestMayHaveBeenProcessed, limit: limit)
    }
  }

  /// The recorded exchange; nil while there is neither a response nor a failure.
  var interaction: Cassette.Interaction? {
    state.withLock { state in
      guard !state.isForgotten else { return nil }
      let redacted = redaction.written(request, body: state.sent)
      if let failure = state.failure { return .init(redacted, failing: failure) }
      guard let head = state.head else { return nil }
      let trailers = state.trailers.map(redaction.written)
      return .init(
        redacted,
        Cassette.RecordedResponse(
          status: head.status.code, fields: redaction.written(head.headerFields),
          body: Cassette.Content(redaction.content(state.received)), trailers: trailers,
          isComplete: state.isComplete))
    }
  }
}
