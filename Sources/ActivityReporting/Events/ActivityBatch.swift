#if SQLite
/// The events of one upload, in the order in which they were recorded.
public struct ActivityBatch: Sendable, Hashable, Identifiable {
  /// Identifies the batch; the same for each attempt to upload it, also after a restart, with the same
  /// events.
  public let id: String
  /// The events.
  public let events: [ActivityEvent]
  /// The events lost since the previous batch was delivered.
  public let lost: ActivityLoss

  /// The batch as JSON.
  ///
  /// ```
  /// {"id":"…","lost":{"count":0,"bytes":0,"age":0,"setAside":0,"damaged":0},
  ///  "events":[{"id":"…","name":"listing.opened","time":1700000000.250,"attributes":{"listing":"42"}}]}
  /// ```
  ///
  /// Times are seconds since 1970; attributes are sorted by name.
  public var json: [UInt8] {
    var json = JSONText()
    json.append("{\"id\":")
    json.append(quoted: id)
    json.append(",\"lost\":{\"count\":\(lost.beyondCount),\"bytes\":\(lost.beyondBytes)")
    json.append(",\"age\":\(lost.beyondAge),\"setAside\":\(lost.beyondSetAside)")
    json.append(",\"damaged\":\(lost.damaged)},\"events\":[")
    for (index, event) in events.enumerated() {
      if index > 0 { json.append(",") }
      json.append(event)
    }
    json.append("]}")
    return json.bytes
  }
}
#endif
