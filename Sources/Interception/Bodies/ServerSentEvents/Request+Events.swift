import HTTPTypes

extension Request {
  /// Returns the request made to ask for a stream of events.
  ///
  /// It accepts `text/event-stream`, is stored by no cache, has its answer streamed without a limit of time for the
  /// whole, and names the event to continue after.
  ///
  /// - Parameter lastEventID: The last event that was received; empty for none.
  public func askingForEvents(after lastEventID: String = "") -> Request {
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
