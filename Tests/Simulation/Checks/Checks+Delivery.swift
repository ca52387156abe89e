import Foundation
import Interception
import OfflineMutations

extension Checks {
  /// A queued change that was acknowledged.
  struct Acknowledged {
    let key: String
    let account: String
    let resource: String
    let begin: Moment
    let end: Moment
  }

  /// A mutation queue has acknowledged a change.
  func acknowledged(_ key: String, account: String, resource: String, since begin: Moment) {
    world.story.tell("\(key) is acknowledged")
    changes.append(Acknowledged(key: key, account: account, resource: resource, begin: begin, end: moment()))
  }

  /// An activity log has acknowledged an event.
  func recorded(_ event: String, since begin: Moment) {
    world.story.tell("\(event) is acknowledged")
    events[event] = (begin, moment())
  }

  /// Asks a queue what it has reported as refused.
  func collectRejected(_ queue: MutationQueue?) {
    guard let queue else { return }
    Task {
      rejected = Set(((try? await queue.rejected(limit: 1_000)) ?? []).map(\.mutation.id))
      waiting = Set(((try? await queue.pending(limit: 1_000)) ?? []).map(\.id))
    }
  }

  /// Something was written to a log, an archive or a trace.
  func written(_ place: String, _ text: String) {
    count("written: \(place)")
    search(place, text)
  }

  /// Searches a text that leaves the app for secrets.
  func search(_ place: String, _ text: String) {
    guard let range = text.range(of: World.secretMark) else { return }
    fail(.secrets, "\(place) contains a secret: …\(text[range.lowerBound...].prefix(40))")
  }

  func checkDelivery() {
    var positions: [String: Int] = [:]
    for (number, effect) in world.api.effects.enumerated() {
      guard let key = effect.key, positions[key] == nil else { continue }
      positions[key] = number
    }
    for change in changes {
      guard let position = positions[change.key] else {
        if !rejected.contains(change.key) {
          fail(
            .delivery,
            "\(change.key) of \(change.account) was acknowledged, and neither delivered nor reported"
              + (waiting.contains(change.key) ? "; it still waits" : ""))
        }
        continue
      }
      count("queue: delivered")
      let effect = world.api.effects[position]
      if effect.account != change.account || effect.resource != change.resource {
        fail(
          .delivery,
          "\(change.key) of \(change.account) was delivered as \(effect.account)'s \(effect.resource)")
      }
      for later in changes where later.resource == change.resource && later.begin > change.end {
        guard let other = positions[later.key], other < position else { continue }
        fail(.delivery, "\(later.key) was delivered before \(change.key), which was queued before it")
      }
    }
    let delivered = world.activities.batches.flatMap(\.events)
    for event in events.keys.sorted() where !delivered.contains(event) {
      fail(.delivery, "\(event) was acknowledged, and not uploaded")
    }
    for (event, copies) in Dictionary(grouping: delivered, by: \.self) where copies.count > 1 {
      fail(.delivery, "\(event) was uploaded in \(copies.count) batches")
    }
    for (index, later) in delivered.enumerated() {
      for earlier in delivered[(index + 1)...] {
        guard let end = events[earlier]?.end, let begin = events[later]?.begin, end < begin else { continue }
        fail(.delivery, "\(later) was uploaded before \(earlier), which was recorded before it")
      }
    }
    if !events.isEmpty { count("log: uploaded") }
  }
}
