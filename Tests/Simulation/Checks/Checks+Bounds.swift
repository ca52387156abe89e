import Interception
import OfflineMutations
import RequestSharing
import ResponseCaching

extension Checks {
  /// Checks that what an app keeps in memory and in its queue stays within the limits.
  func checkBounds(_ life: Life) {
    let settings = world.plan.settings
    let (count, bytes, limits) = (life.memory.count, life.memory.bytes, settings.storeLimits)
    if count > limits.responses || bytes > limits.bytes {
      fail(.nothingLeft, "the store has \(count) responses and \(bytes) bytes, more than \(limits)")
    }
    if count == limits.responses { self.count("store: full") }
    guard let queue = life.mutations else { return }
    Task { [port = life.port] in
      guard let waiting = try? await queue.pending(limit: 1_000), !port.isDead else { return }
      if waiting.count > settings.queueLimit {
        fail(.nothingLeft, "\(waiting.count) mutations wait, more than \(settings.queueLimit)")
      }
      if waiting.count == settings.queueLimit { self.count("queue: full") }
    }
  }

  /// Checks that nothing is in flight when everything has ended.
  func checkRest(of life: Life) {
    let counts = [
      ("shared flights", life.sharing.flightCount), ("flights of the cache", life.cache.flightCount),
      ("spans", life.tracer?.activeCount ?? 0), ("sleeping tasks", world.clock.sleeperCount),
    ]
    for (name, count) in counts where count > 0 {
      fail(.nothingLeft, "\(count) \(name) are left after the last call")
    }
  }

  /// Checks that no task has kept a process, which it would do if it waited for ever.
  func checkReleased(_ livesLeft: Int) {
    if livesLeft > 0 { fail(.nothingLeft, "\(livesLeft) processes are retained after their end") }
  }
}
