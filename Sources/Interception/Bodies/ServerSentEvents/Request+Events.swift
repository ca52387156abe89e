import HTTPTypes

extension Request {
  /// Returns the request made to ask for a stream of events.
  ///
  /// It accepts `text/event-stream`, is stored by no cache, has its answer streamed without a limit of time
  /// for the whole, and names the event to continue after.
  ///
  /// - Parameter lastEventID: The last event that was received; empty for none.
  /// - Throws: ``NetworkError/Kind/invalidRequest`` when `lastEventID` holds a line break or a zero byte,
  ///   which no event's identity has.
  public func askingForEvents(after lastEventID: String = "") throws(NetworkError) -> Request {
    // As a field's value they would become spaces, and name another event.
    guard !lastEventID.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A || $0 == 0 }) else {
      throw NetworkError(
        .invalidRequest,
        "The identity of the last event holds a line break or a zero byte; pass on ServerSentEvents.lastEventID as it is."
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
    return copy
  }
}
