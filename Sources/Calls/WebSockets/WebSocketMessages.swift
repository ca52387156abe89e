import HTTPTypes
import Interception

/// The messages that a server sends, as an asynchronous sequence.
///
/// ``WebSocket/messages`` ends with its connection. ``ReconnectingWebSocket/messages`` continues with the
/// next connection. If several tasks iterate the messages of a ``WebSocket``, each message goes to one of
/// them.
public struct WebSocketMessages: AsyncSequence, Sendable {
  private let next: @Sendable () async throws(WebSocketError) -> WebSocketMessage?

  init(_ next: @escaping @Sendable () async throws(WebSocketError) -> WebSocketMessage?) { self.next = next }

  /// Returns an iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(receive: next) }

  /// The iterator of the messages.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let receive: @Sendable () async throws(WebSocketError) -> WebSocketMessage?

    /// Returns the next message; nil at the end.
    public mutating func next() async throws(WebSocketError) -> WebSocketMessage? { try await receive() }

    /// Returns the next message; nil at the end.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(WebSocketError) -> WebSocketMessage? {
      try await receive()
    }
  }
}
