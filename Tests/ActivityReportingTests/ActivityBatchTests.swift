#if SQLite
import DurableQueues
import Foundation
import Interception
import Testing

@testable import ActivityReporting

@Suite struct ActivityBatchTests {
  private let event = ActivityEvent(
    "a \"quoted\" name\n\u{1}\u{1F3E0}",
    [
      "text": "back\\slash", "count": 7, "price": 0.5, "sold": true, "open": false,
      "unknown": .number(.infinity), "least": .integer(.min),
    ],
    time: WallTime(secondsSince1970: 1_700_000_000, nanoseconds: 45_600_000), id: "e1")

  @Test("A batch is valid JSON with all values, and the same bytes each time")
  func json() throws {
    let batch = ActivityBatch(id: "b", events: [event, event], lost: ActivityLoss())
    let object = try JSONSerialization.jsonObject(with: Data(batch.json)) as? [String: Any]
    let events = try #require(object?["events"] as? [[String: Any]])
    #expect(events.count == 2 && object?["id"] as? String == "b")
    #expect(events[0]["name"] as? String == event.name && events[0]["time"] as? Double == 1_700_000_000.045)
    let attributes = try #require(events[0]["attributes"] as? [String: Any])
    #expect(attributes["text"] as? String == "back\\slash" && attributes["count"] as? Int == 7)
    #expect(attributes["price"] as? Double == 0.5 && attributes["sold"] as? Bool == true)
    #expect(attributes["unknown"] is NSNull && attributes["least"] as? Int64 == .min)
    #expect(String(decoding: batch.json, as: UTF8.self).contains(#""time":1700000000.045"#))
    let restored = try ActivityEvent(record: event.record)
    #expect(ActivityBatch(id: "b", events: [restored, event], lost: ActivityLoss()).json == batch.json)
  }

  @Test("An event is stored whole, and each changed or missing byte is noticed")
  func record() throws {
    let record = event.record
    #expect(try ActivityEvent(record: record) == event)
    for index in record.indices {
      var changed = record
      changed[index] ^= 1
      #expect(throws: RecordDamage.self) { try ActivityEvent(record: changed) }
      #expect(throws: RecordDamage.self) { try ActivityEvent(record: Array(record[..<index])) }
    }
  }

  @Test("IDs are random")
  func identifiers() {
    let ids = Set((0..<100).map { _ in ActivityEvent("x").id })
    #expect(ids.count == 100 && ids.allSatisfy { $0.count == 32 })
  }
}
#endif
