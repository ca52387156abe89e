import HTTPTypes
public import Interception
import Synchronization

/// The events of a response, delivered as they arrive.
///
/// ```swift
/// let events = try ServerSentEvents(try await dispatcher.dispatch(request.askingForEvents()))
/// for try await event in events { handle(event) }
/// ```
///
/// The stream is read only as fast as events are consumed, and cancelled together with the reading task. At
/// the end of the stream the sequence ends, whereas ``ReconnectingEvents`` request a stream again.
public final class ServerSentEvents: Sendable {
  private struct Standing {
    var lastEventID: String
    var retry: Duration?
  }

  private let stream: BodyStream
  private let limit: Int
  private let standing: Mutex<Standing>

  /// Reads the events of a response, after checking its status, content type and content coding.
  ///
  /// - Parameters:
  ///   - lastEventID: The ID after which the request asked to continue.
  ///   - limit: The maximum number of bytes of one line together with the data of its event.
  /// - Throws: `NetworkError.Kind.rejected` unless the status is 200, the content type is
  ///   `text/event-stream`, and the content is not coded.
  public convenience init(
    _ response: Response, lastEventID: String = "", limit: Int = 1 << 20
  ) throws(NetworkError) {
    guard response.status == .ok else {
      let remedy = response.status == .noContent ? "do not reconnect" : "inspect its body"
      throw Self.refusal("The response has the status \(response.status.code) instead of 200; \(remedy).")
    }
    let type = response.head.headerFields.mediaType.map(MediaTypeSyntax.essence)
    guard type == "text/event-stream" else {
      throw Self.refusal(
        "The response's content type is not text/event-stream; check the URL and the Accept field.")
    }
    if let reason = response.head.headerFields.undecodedContentReason { throw Self.refusal(reason) }
    switch response.body {
    case .bytes(let bytes):
      let stream = BodyStream(length: Int64(bytes.count), BufferedByteSource(bytes))
      self.init(stream, lastEventID: lastEventID, limit: limit)
    case .stream(let stream): self.init(stream, lastEventID: lastEventID, limit: limit)
    }
  }

  /// Reads the events of a stream, regardless of its content type.
  package init(
    _ stream: BodyStream, lastEventID: String = "", limit: Int = 1 << 20
  ) {
    self.stream = stream
    self.limit = limit
    standing = Mutex(Standing(lastEventID: lastEventID))
  }

  /// The ID to continue after, as of the events consumed so far, or an empty string.
  public var lastEventID: String { standing.withLock { $0.lastEventID } }

  /// The reconnection time that the server requested, or nil.
  public var retry: Duration? { standing.withLock { $0.retry } }

  private static func refusal(_ reason: String) -> NetworkError {
    NetworkError(.rejected, reason, requestMayHaveBeenProcessed: true)
  }

  private func note(_ parser: ServerSentEventParser) {
    standing.withLock { $0 = Standing(lastEventID: parser.lastEventID, retry: parser.retry) }
  }
}

extension ServerSentEvents: AsyncSequence {
  /// An iterator over the events of a stream.
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
    /// - Throws: The error that ends the stream early, or `NetworkError.Kind.bodyTooLarge(limit:)` for an
    ///   event that is too long.
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

  /// Starts reading; if the stream already has a reader, the iterator's first call throws.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

extension Request {
  /// Returns a copy of the request that asks for a stream of events.
  ///
  /// The copy accepts `text/event-stream`, forbids caches to store the response, and names the event to
  /// continue after. Its response is streamed without a time limit for the whole attempt. The default limit
  /// of silence is removed, because a stream without events is silent; a limit that the request sets is kept.
  ///
  /// - Parameter lastEventID: The ID of the last event received, or an empty string.
  /// - Throws: `NetworkError.Kind.invalidRequest` if `lastEventID` contains a line break or a null byte,
  ///   which no event ID does.
  public func askingForEvents(after lastEventID: String = "") throws(NetworkError) -> Request {
    // In a field value they would become spaces, and the field would name another event.
    guard !lastEventID.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else {
      throw NetworkError(
        .invalidRequest,
        "The last event ID contains a line break or a null byte; pass ServerSentEvents.lastEventID unchanged."
      )
    }
    var copy = self
    copy.head.headerFields[.accept] = "text/event-stream"
    copy.head.headerFields[.cacheControl] = "no-store"
    if let name = HTTPField.Name("Last-Event-ID") {
      copy.head.headerFields[name] = lastEventID.isEmpty ? nil : lastEventID
    }
    copy.options.delivery = .streamed
    copy.options.timeouts.whole = nil
    if copy.options.timeouts.idle == RequestOptions.Timeouts().idle { copy.options.timeouts.idle = nil }
    return copy
  }
}
