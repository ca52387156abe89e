import HTTPTypes
public import Interception

/// The events of a stream that is requested again when it ends or is lost (WHATWG HTML, section 9.2).
///
/// ```swift
/// let events = ReconnectingEvents(over: dispatcher) { try Request("https://api.example.com/events") }
/// for try await event in events { handle(event) }
/// ```
///
/// A stream that is requested again continues after the last event with an ID, if the server supports
/// `Last-Event-ID`. Choose ``ServerSentEvents`` for a stream that has an end, such as the answer of a
/// language model; this sequence would take the end for a loss.
///
/// The task that iterates the sequence connects and waits; cancelling that task ends everything. Each
/// iterator reads its own streams.
public struct ReconnectingEvents: Sendable {
  private let dispatcher: any Dispatcher
  private let policy: EventReconnection
  private let lastEventID: String
  private let limit: Int
  private let time: TimeSource
  private let random: @Sendable () -> Double
  private let request: @Sendable () async throws -> Request

  /// Creates a sequence that sends nothing before it is iterated.
  ///
  /// - Parameters:
  ///   - dispatcher: The pipeline that sends the requests.
  ///   - policy: When the stream is requested again.
  ///   - lastEventID: The ID after which the first stream continues.
  ///   - limit: The maximum number of bytes of one line together with the data of its event.
  ///   - time: The clock of the waits.
  ///   - request: Makes the request of each attempt; it need not ask for events.
  public init(
    over dispatcher: any Dispatcher, policy: EventReconnection = EventReconnection(),
    lastEventID: String = "",
    limit: Int = 1 << 20, time: TimeSource = .system,
    request: @escaping @Sendable () async throws -> Request
  ) {
    self.init(
      over: dispatcher, policy: policy, lastEventID: lastEventID, limit: limit, time: time,
      random: { Double.random(in: 0..<1) }, request: request)
  }

  init(
    over dispatcher: any Dispatcher, policy: EventReconnection, lastEventID: String = "",
    limit: Int = 1 << 20, time: TimeSource,
    random: @escaping @Sendable () -> Double,
    request: @escaping @Sendable () async throws -> Request
  ) {
    self.dispatcher = dispatcher
    self.policy = policy
    self.lastEventID = lastEventID
    self.limit = limit
    self.time = time
    self.random = random
    self.request = request
  }

  /// Sends one request.
  private func response(after lastEventID: String) async throws(NetworkError) -> Response {
    do {
      return try await dispatcher.dispatch(try await request().askingForEvents(after: lastEventID))
    } catch let error as NetworkError {
      throw error
    } catch is CancellationError {
      throw NetworkError(.cancelled(.task), "The task that reads the events was cancelled.")
    } catch {
      throw NetworkError(foreign: error, from: "The request of ReconnectingEvents")
    }
  }
}

extension ReconnectingEvents: AsyncSequence {
  /// An iterator over the events.
  public struct Iterator: AsyncIteratorProtocol {
    private struct Stream {
      let events: ServerSentEvents
      var iterator: ServerSentEvents.Iterator
    }

    private let source: ReconnectingEvents
    private var course: EventCourse
    private var stream: Stream?
    private var hasEvents = false
    private var isOver = false

    fileprivate init(_ source: ReconnectingEvents) {
      self.source = source
      course = EventCourse(source.policy, lastEventID: source.lastEventID)
    }

    /// Returns the next event; nil once the server responded with the status 204.
    ///
    /// - Throws: The error after which the stream is not requested again, as ``EventReconnection`` says, and
    ///   `NetworkError.Kind.cancelled(_:)` if the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> ServerSentEvent? {
      while !isOver {
        let ending: EventCourse.Ending
        var fault: NetworkError?
        do throws(NetworkError) {
          if let event = try await event(isolation: actor) { return event }
          ending = .end
        } catch {
          fault = error
          ending =
            if let refused = error.underlying as? RefusedStream { .status(refused.response.head) } else {
              .failure(error)
            }
        }
        let decision = course.decide(
          on: ending, hasEvents: hasEvents, now: source.time.wallTime(), random: source.random())
        (stream, hasEvents) = (nil, false)
        switch decision {
        case .finish: isOver = true
        case .rethrow:
          isOver = true
          throw fault ?? Self.limitReached
        case .reconnect(let wait): try await pause(wait)
        }
      }
      return nil
    }

    /// Returns the next event of the present stream, or of a new one; nil at its end.
    private mutating func event(
      isolation actor: isolated (any Actor)?
    ) async throws(NetworkError) -> ServerSentEvent? {
      if stream == nil {
        let response = try await source.response(after: course.lastEventID)
        guard response.status == .ok else { throw RefusedStream(response: response).networkError }
        let events = try ServerSentEvents(response, lastEventID: course.lastEventID, limit: source.limit)
        stream = Stream(events: events, iterator: events.makeAsyncIterator())
      }
      defer {
        if let events = stream?.events {
          course.noteStream(lastEventID: events.lastEventID, retry: events.retry)
        }
      }
      guard let event = try await stream?.iterator.next(isolation: actor) else { return nil }
      course.noteEvent()
      hasEvents = true
      return event
    }

    private mutating func pause(_ wait: Duration) async throws(NetworkError) {
      do {
        try await source.time.sleep(for: wait)
      } catch {
        isOver = true
        throw NetworkError(.cancelled(.task), "The task that reads the events was cancelled.")
      }
    }

    private static let limitReached = NetworkError(
      .transport,
      "The stream ended without an event as often as EventReconnection(failureLimit:) permits; check the server.",
      requestMayHaveBeenProcessed: true)
  }

  /// Starts to read the events.
  public func makeAsyncIterator() -> Iterator { Iterator(self) }
}

/// The response that brought another status than 200.
private struct RefusedStream: Error {
  let response: Response

  var networkError: NetworkError {
    NetworkError(
      .rejected, "The stream of events was answered with the status \(response.status.code); check its URL.",
      requestMayHaveBeenProcessed: true, underlying: self)
  }
}
