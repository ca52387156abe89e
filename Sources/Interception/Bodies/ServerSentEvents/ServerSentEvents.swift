import HTTPTypes
import Synchronization

/// The events of an answer, one by one as they arrive.
///
/// ```swift
/// let events = try ServerSentEvents(try await dispatcher.dispatch(request.askingForEvents()))
/// for try await event in events { handle(event) }
/// ```
///
/// The stream is read as fast as events are taken, and cancelled when the reading is. It isn't asked for
/// again when it ends: wait for ``retry`` and send `try request.askingForEvents(after: events.lastEventID)`.
public final class ServerSentEvents: Sendable {
  private struct Standing {
    var lastEventID: String
    var retry: Duration?
  }

  private let stream: BodyStream
  private let limit: Int
  private let standing: Mutex<Standing>

  /// Reads an answer, after a look at its head.
  ///
  /// - Parameters:
  ///   - lastEventID: The identity that the request asked to continue after.
  ///   - limit: The most bytes of one line together with the data of its event.
  /// - Throws: ``NetworkError/Kind/rejected`` unless the status is 200 and the content type
  ///   `text/event-stream`.
  public convenience init(
    _ response: Response, lastEventID: String = "", limit: Int = ServerSentEventParser.defaultLimit
  ) throws(NetworkError) {
    guard response.status == .ok else {
      let remedy = response.status == .noContent ? "the server wants no more requests" : "look at its answer"
      throw Self.refusal("The answer has status \(response.status.code) and no events; \(remedy).")
    }
    let type = response.head.headerFields[.contentType].map(MediaTypeSyntax.essence)
    guard type == "text/event-stream" else {
      throw Self.refusal("The answer is not of type text/event-stream; check the URL and the Accept field.")
    }
    switch response.body {
    case .bytes(let bytes):
      let stream = BodyStream(length: Int64(bytes.count), BufferedByteSource(bytes))
      self.init(stream, lastEventID: lastEventID, limit: limit)
    case .stream(let stream): self.init(stream, lastEventID: lastEventID, limit: limit)
    }
  }

  /// Reads a stream, whatever it was announced as.
  public init(
    _ stream: BodyStream, lastEventID: String = "", limit: Int = ServerSentEventParser.defaultLimit
  ) {
    self.stream = stream
    self.limit = limit
    standing = Mutex(Standing(lastEventID: lastEventID))
  }

  /// The identity to continue after, as of the events taken so far; empty for none.
  public var lastEventID: String { standing.withLock { $0.lastEventID } }

  /// The pause that the server wishes before it is asked again; nil where it wished none.
  public var retry: Duration? { standing.withLock { $0.retry } }

  private static func refusal(_ reason: String) -> NetworkError {
    NetworkError(.rejected, reason, requestMayHaveBeenProcessed: true)
  }

  private func note(_ parser: ServerSentEventParser) {
    standing.withLock { $0 = Standing(lastEventID: parser.lastEventID, retry: parser.retry) }
  }
}

extension ServerSentEvents: AsyncSequence {
  /// Walks the events of a stream.
  public struct Iterator: AsyncIteratorProtocol {
    private let events: ServerSentEvents
    private var parser: ServerSentEventParser
    private var chunks: BodyStream.Iterator
    private var isOver = false

    init(_ events: ServerSentEvents) {
      self.events = events
      parser = ServerSentEventParser(lastEventID: events.lastEventID, limit: events.limit)
      chunks = events.stream.makeAsyncIterator()
    }

    /// Returns the next event, or nil at the end of the stream.
    ///
    /// - Throws: Whatever breaks the stream, and ``NetworkError/Kind/bodyTooLarge(limit:)`` for an event that
    ///   is too long.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> ServerSentEvent? {
      while !isOver {
        do throws(NetworkError) {
          let event = try parser.next()
          events.note(parser)
          if let event { return event }
          guard let chunk = try await chunks.next(isolation: actor) else { break }
          parser.append(chunk)
        } catch {
          isOver = true
          throw error
        }
      }
      isOver = true
      return nil
    }
  }

  /// Starts reading; a second reader's first event is an error.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}
