#if SQLite
import DurableQueues
import Interception

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

/// JSON text (RFC 8259) that is written front to back.
struct JSONText {
  private(set) var bytes: [UInt8] = []

  /// Appends JSON as it is.
  mutating func append(_ text: String) { bytes += text.utf8 }

  /// Appends a string.
  mutating func append(quoted text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes += #"\""#.utf8
      case UInt8(ascii: "\\"): bytes += #"\\"#.utf8
      case 0x0A: bytes += #"\n"#.utf8
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        bytes += "\\u00\(digits.utf8.count == 1 ? "0" : "")\(digits)".utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends an event as an object.
  mutating func append(_ event: ActivityEvent) {
    append("{\"id\":")
    append(quoted: event.id)
    append(",\"name\":")
    append(quoted: event.name)
    append(",\"time\":\(event.time.seconds)")
    // The fraction of a time before 1970 would have to be subtracted.
    if event.time.seconds >= 0 {
      append(".\(String(event.time.nanoseconds / 1_000_000 + 1_000).dropFirst())")
    }
    append(",\"attributes\":{")
    for (index, (key, value)) in event.attributes.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { append(",") }
      append(quoted: key)
      append(":")
      append(value)
    }
    append("}}")
  }

  private mutating func append(_ value: ActivityEvent.Value) {
    switch value {
    case .string(let text): append(quoted: text)
    case .integer(let number): append("\(number)")
    case .number(let number): append(number.isFinite ? "\(number)" : "null")
    case .boolean(let isTrue): append(isTrue ? "true" : "false")
    }
  }
}
#endif
