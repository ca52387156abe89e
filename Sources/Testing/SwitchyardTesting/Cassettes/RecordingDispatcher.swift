import HTTPTypes
public import Interception
import Synchronization

/// A dispatcher that forwards requests to another dispatcher and records the exchanges.
///
/// ```swift
/// let recorder = RecordingDispatcher(over: CurlDispatcher(), to: "Fixtures/houses.json")
/// let pipeline = try Pipeline.standard(over: recorder)
/// _ = try await pipeline.get("https://api.example.com/houses")
/// try recorder.save()
/// ```
///
/// Use it to create a cassette for a ``ReplayDispatcher`` from a real server; use a ``ScriptedDispatcher``
/// for responses written by hand. Streams are recorded as they are read, up to a limit. Secrets are replaced
/// by ``CassetteRedaction`` before anything is written, and cancelled requests are not recorded.
///
/// Requests are sent with the `Accept-Encoding` of `identity`, so that the content can be read and redacted.
public final class RecordingDispatcher: Dispatcher {
  package let path: String
  private let base: any Dispatcher
  private let redaction: CassetteRedaction
  private let contentLimit: Int
  private let recordings = Mutex<[ExchangeRecording]>([])

  /// Creates a recorder.
  ///
  /// - Parameter path: The path of the cassette's file.
  /// - Parameter contentLimit: The maximum number of bytes recorded per body; a longer response is recorded
  ///   as incomplete. The default is 16 MiB.
  public init(
    over base: some Dispatcher, to path: String, redaction: CassetteRedaction = CassetteRedaction(),
    contentLimit: Int = 16 << 20
  ) {
    self.base = base
    self.path = path
    self.redaction = redaction
    self.contentLimit = max(contentLimit, 0)
  }

  /// The capabilities of the underlying dispatcher.
  public var capabilities: DispatcherCapabilities { base.capabilities }

  /// The exchanges recorded so far; a response that is still being read is marked as incomplete.
  package var cassette: Cassette {
    Cassette(interactions: recordings.withLock(\.self).compactMap(\.interaction))
  }

  /// Writes the cassette to its file atomically.
  ///
  /// - Throws: ``CassetteError``.
  public func save() throws(CassetteError) { try cassette.write(to: path) }

  /// Forwards a request and records the exchange.
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    var recorded = request
    recorded.head.headerFields[.acceptEncoding] = "identity"
    let recording = ExchangeRecording(recorded.identified(over: base), redaction, limit: contentLimit)
    recordings.withLock { $0.append(recording) }
    recorded.body = request.body.recorded(in: recording)
    do throws(NetworkError) {
      let response = try await base.dispatch(recorded)
      return response.recorded(in: recording)
    } catch {
      recording.noteFailure(error)
      throw error
    }
  }
}

extension RecordingDispatcher: IdentifyingDispatcher {
  package var identityProviders: [any Request.IdentityProvider] {
    (base as? any IdentifyingDispatcher)?.identityProviders ?? []
  }
  package var credentialFields: CredentialFields {
    (base as? any IdentifyingDispatcher)?.credentialFields ?? []
  }
}

extension RequestBody {
  fileprivate func recorded(in recording: ExchangeRecording) -> RequestBody {
    if let bytes {
      recording.noteSent(bytes)
      return self
    }
    switch replay {
    case .any:
      return .restartable(length: length) { () throws(NetworkError) in
        recording.restartSending()
        return RecordingByteSource(try await open(), note: recording.noteSent)
      }
    case .once:
      return .once(length: length, OpeningByteSource(self, recording))
    }
  }
}

extension Response {
  fileprivate func recorded(in recording: ExchangeRecording) -> Response {
    recording.noteHead(head)
    switch body {
    case .bytes(let bytes):
      recording.noteReceived(bytes)
      recording.noteEnd(length: bytes.count, trailers: trailers)
      return self
    case .stream(let stream):
      guard let source = try? stream.claim() else { return self }
      let ending = stream.ending
      let recordingSource = RecordingByteSource(
        source, note: recording.noteReceived,
        noteEnd: { length in recording.noteEnd(length: length, trailers: ending.trailers) })
      return Response(
        head, body: .stream(BodyStream(length: stream.length, ending: ending, recordingSource)),
        exchange: exchange)
    }
  }
}

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
        label: error.label, reason: redaction.written(reason: error.reason, of: request),
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
      let trailers = state.trailers.map { redaction.written($0, of: request) }
      return .init(
        redacted,
        Cassette.RecordedResponse(
          status: head.status.code, fields: redaction.written(head.headerFields, of: request),
          body: Cassette.Content(redaction.content(state.received)), trailers: trailers,
          isComplete: state.isComplete))
    }
  }
}

/// Passes bytes on and reports them.
final class RecordingByteSource: ByteSource {
  private let source: any ByteSource
  private let note: @Sendable ([UInt8]) -> Void
  private let noteEnd: @Sendable (_ length: Int) -> Void
  private let length = Mutex(0)

  init(
    _ source: any ByteSource, note: @escaping @Sendable ([UInt8]) -> Void,
    noteEnd: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.source = source
    self.note = note
    self.noteEnd = noteEnd
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    guard let chunk = try await source.read() else {
      noteEnd(length.withLock(\.self))
      return nil
    }
    length.withLock { $0 += chunk.count }
    note(chunk)
    return chunk
  }

  func cancel() { source.cancel() }
}

/// A request body that can be read once, opened at the first read.
final class OpeningByteSource: ByteSource {
  private let body: RequestBody
  private let recording: ExchangeRecording
  private let opened = Mutex<(any ByteSource)?>(nil)

  init(_ body: RequestBody, _ recording: ExchangeRecording) {
    self.body = body
    self.recording = recording
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    if let source = opened.withLock(\.self) { return try await source.read() }
    let source = RecordingByteSource(try await body.open(), note: recording.noteSent)
    opened.withLock { $0 = source }
    return try await source.read()
  }

  func cancel() { opened.withLock(\.self)?.cancel() }
}
