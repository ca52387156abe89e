public import Interception
import Synchronization

/// A dispatcher that forwards requests to another dispatcher and records the exchanges.
///
/// ```swift
/// let recorder = RecordingDispatcher(over: CurlDispatcher(), to: "Fixtures/houses.json")
/// … // use it as the dispatcher of a pipeline
/// try recorder.save()
/// ```
///
/// Use it to create a cassette for a ``ReplayDispatcher`` from a real server; use a ``ScriptedDispatcher``
/// for responses written by hand. Streams are recorded as they are read, up to a limit. Secrets are replaced
/// by ``CassetteRedaction`` before anything is written, and cancelled requests are not recorded.
public final class RecordingDispatcher: Dispatcher {
  /// The path of the cassette's file.
  public let path: String
  private let base: any Dispatcher
  private let redaction: CassetteRedaction
  private let contentLimit: Int
  private let recordings = Mutex<[ExchangeRecording]>([])

  /// Creates a recorder.
  ///
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
  public var cassette: Cassette {
    Cassette(interactions: recordings.withLock(\.self).compactMap(\.interaction))
  }

  /// Writes the cassette to its file atomically.
  ///
  /// - Throws: ``CassetteError``.
  public func save() throws(CassetteError) { try cassette.write(to: path) }

  /// Forwards a request and records the exchange.
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    let recording = ExchangeRecording(request, redaction, limit: contentLimit)
    recordings.withLock { $0.append(recording) }
    var recorded = request
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
