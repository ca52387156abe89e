#if SQLite
import Foundation
import LoopbackServing
import QueueCrashing
import SwitchyardTesting

/// A server on the loopback network that counts the deliveries of activity logs, by path.
final class ActivitySink: Sendable {
  /// An uploaded batch.
  struct Delivery: Sendable, Hashable, Decodable {
    struct Event: Sendable, Hashable, Decodable {
      let id: String
      let name: String
    }

    let id: String
    let events: [Event]
    let lost: [String: Int]
  }

  private let deliveries = WaitableValue<[String: [Delivery]]>([:])
  private let server: ScriptedServer

  init() throws {
    server = try ScriptedServer { [deliveries] request in
      guard let delivery = try? JSONDecoder().decode(Delivery.self, from: Data(request.body)),
        request.value(of: "Idempotency-Key") == "\"\(delivery.id)\""
      else { return .text("not a batch", status: 400) }
      deliveries.update { $0[request.target, default: []].append(delivery) }
      return .text("")
    }
  }

  var port: Int { server.port }

  /// What is wrong with what a trial has delivered; empty if nothing is.
  func violations(_ trial: CrashTrial) -> [String] {
    let deliveries = deliveries(to: trial.path)
    var faults: [String] = []
    let repeats = deliveries.count - Set(deliveries.map(\.id)).count
    if repeats > trial.kills { faults.append("\(repeats) batches were repeated after \(trial.kills) kills") }
    for (id, attempts) in Dictionary(grouping: deliveries, by: \.id) where Set(attempts).count > 1 {
      faults.append("the batch \(id) was sent with different events")
    }
    var seen: Set<String> = []
    let first = deliveries.filter { seen.insert($0.id).inserted }
    return faults + trial.violations(delivered: first.flatMap { $0.events.map(\.name) })
  }

  /// The batches that were sent to a path, in order of arrival.
  func deliveries(to path: String) -> [Delivery] { deliveries.value[path] ?? [] }
}
#endif
