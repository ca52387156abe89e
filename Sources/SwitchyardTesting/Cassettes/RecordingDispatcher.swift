public import Interception
import Synchronization

/// A dispatcher that hands everything on to another one, and writes down what passes.
///
/// ```swift
/// let recorder = RecordingDispatcher(over: CurlDispatcher(), to: "Fixtures/houses.json")
/// … // use it as the end of a pipeline
/// try recorder.save()
/// ```
///
/// Choose it to make a cassette for a ``ReplayDispatcher`` from a real server; choose a
/// ``ScriptedDispatcher`` where you can say the answer by hand. Streams are written down as they pass, and
/// hold their bytes up to a limit; secrets are replaced by ``CassetteRedaction`` before anything is written,
/// cancelled requests are not written at all.
public final class RecordingDispatcher: Dispatcher {
  /// The file that the cassette is written to.
  public let path: String
  private let base: any Dispatcher
  private let redaction: CassetteRedaction
  private let contentLimit: Int
  private let tapes = Mutex<[CassetteTape]>([])

  /// Makes a recorder.
  ///
  /// - Parameter contentLimit: The most bytes of one content that are held; longer answers are written as
  ///   incomplete. 16 MiB.
  public init(
    over base: some Dispatcher, to path: String, redaction: CassetteRedaction = CassetteRedaction(),
    contentLimit: Int = 16 << 20
  ) {
    self.base = base
    self.path = path
    self.redaction = redaction
    self.contentLimit = max(contentLimit, 0)
  }

  /// The abilities of the dispatcher behind it.
  public var capabilities: DispatcherCapabilities { base.capabilities }

  /// What was recorded so far; an answer that is still being read stands there as incomplete.
  public var cassette: Cassette {
    Cassette(interactions: tapes.withLock(\.self).compactMap(\.interaction))
  }

  /// Writes the cassette to its file, whole or not at all.
  ///
  /// - Throws: ``CassetteError``.
  public func save() throws(CassetteError) { try cassette.write(to: path) }

  /// Hands a request on, and writes down what comes of it.
  public func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    let tape = CassetteTape(request, redaction, limit: contentLimit)
    tapes.withLock { $0.append(tape) }
    var recorded = request
    recorded.body = request.body.recorded(on: tape)
    do throws(NetworkError) {
      let response = try await base.dispatch(recorded)
      return response.recorded(on: tape)
    } catch {
      tape.noteFailure(error)
      throw error
    }
  }
}

extension RequestBody {
  fileprivate func recorded(on tape: CassetteTape) -> RequestBody {
    if let bytes {
      tape.noteSent(bytes)
      return self
    }
    switch replay {
    case .any:
      return .restartable(length: length) { () throws(NetworkError) in
        tape.restartSending()
        return RecordingByteSource(try await open(), note: tape.noteSent)
      }
    case .once:
      return .once(length: length, OpeningByteSource(self, tape))
    }
  }
}

extension Response {
  fileprivate func recorded(on tape: CassetteTape) -> Response {
    tape.noteHead(head)
    switch body {
    case .bytes(let bytes):
      tape.noteReceived(bytes)
      tape.noteEnd(length: bytes.count, trailers: trailers)
      return self
    case .stream(let stream):
      guard let source = try? stream.claim() else { return self }
      let ending = stream.ending
      let recording = RecordingByteSource(
        source, note: tape.noteReceived,
        noteEnd: { length in tape.noteEnd(length: length, trailers: ending.trailers) })
      return Response(
        head, body: .stream(BodyStream(length: stream.length, ending: ending, recording)),
        exchange: exchange)
    }
  }
}
