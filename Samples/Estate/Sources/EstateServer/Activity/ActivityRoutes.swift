import HTTPServing
import HTTPTypes

/// The endpoints of the users' actions: apps report them in batches, and the newest ones can be read.
struct ActivityRoutes {
  private struct Batch: Decodable {
    let id: String
    let events: [ReportedEvent]
  }
  private struct EventsBody: Encodable {
    let events: [ReportedEvent]
    let received: Int
  }

  private static let path = "/v1/activity"
  private static let standardLimit = 20
  private static let longestBatchID = 200

  let activity = ReportedActivity()

  func add(to router: inout HTTPRouter<Answer>) {
    router.on(.post, Self.path) { request in
      let batch = try request.json(as: Batch.self)
      guard (1...Self.longestBatchID).contains(batch.id.utf8.count) else {
        throw APIError.badBody("'id' in the body must have 1 to \(Self.longestBatchID) bytes.")
      }
      if let index = batch.events.firstIndex(where: { $0.size > ReportedEvent.longest }) {
        throw APIError.badBody("Event \(index) of the body has more than \(ReportedEvent.longest) bytes.")
      }
      // A client that has not seen the answer sends the batch again.
      let isNew = activity.add(batch.events, of: batch.id)
      return try Answer.json(["accepted": isNew ? batch.events.count : 0], status: isNew ? .created : .ok)
    }
    router.on(.get, Self.path) { request in
      let newest = activity.newest(try Self.limit(of: request))
      return try Answer.json(EventsBody(events: newest.events, received: newest.received))
    }
  }

  private static func limit(of request: ReceivedRequest) throws(APIError) -> Int {
    let parameters = try QueryParameters(rawQuery: request.query.map(String.init))
    guard let text = try parameters.value("limit") else { return standardLimit }
    guard let limit = Int(text), (1...ReportedActivity.capacity).contains(limit) else {
      throw .badParameter(
        "limit must be a whole number from 1 to \(ReportedActivity.capacity), not '\(text.prefix(40))'.")
    }
    return limit
  }
}
