import HTTPTypes
import Interception
import Synchronization

/// An event of a `text/event-stream` (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
  /// The event type; `message` if the server specified none.
  public let type: String
  /// The data, with its lines joined by line feeds.
  public let data: String
  /// The ID of this event, or of the most recent event before it that has one; otherwise empty.
  public let lastEventID: String

  /// Creates an event.
  package init(type: String = "message", data: String, lastEventID: String = "") {
    self.type = type
    self.data = data
    self.lastEventID = lastEventID
  }
}
