/// One event of a stream of type `text/event-stream` (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
  /// The event's type; `message` where the server named none.
  public let type: String
  /// The data, its lines joined by line feeds.
  public let data: String
  /// The identity that the server gave to this event, or to the last one before it that has one; empty where
  /// there was none.
  public let lastEventID: String

  /// Makes an event.
  public init(type: String = "message", data: String, lastEventID: String = "") {
    self.type = type
    self.data = data
    self.lastEventID = lastEventID
  }
}
