import HTTPTypes
public import Interception

extension Request {
  /// Returns a copy of the request that asks for a stream of events.
  ///
  /// It accepts `text/event-stream`, must not be stored by caches, has its response streamed without a time
  /// limit for the whole attempt, and names the event to continue after. The default limit of silence is
  /// removed, because a stream without events is silent; a limit of the request's own is kept.
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
