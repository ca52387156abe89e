import HTTPTypes
package import Interception
package import SwitchyardTesting

/// Receives the batches of the app's activity log.
package final class ActivityServer: SimulatedServer, @unchecked Sendable {
  // Accessed on the scheduler's thread only.

  static let origin = "log.example"

  private unowned let world: World
  /// The batches by their IDs, in the order of their first arrival.
  private(set) var batches: [(id: String, events: [String])] = []

  init(_ world: World) { self.world = world }

  package func reply(to arrival: SimulatedArrival) -> Response {
    guard let id = arrival.field(World.keyField) else { return Response(status: .badRequest) }
    let events = String(decoding: arrival.body, as: UTF8.self).split(separator: ",").map { String($0) }
    if let known = batches.first(where: { $0.id == id }) {
      if known.events != events {
        world.checks.fail(.delivery, "a batch was repeated with other events: \(known.events), \(events)")
      }
    } else {
      batches.append((id, events))
      world.story.tell("the log server receives \(events)")
    }
    return Response(status: .noContent)
  }
}
