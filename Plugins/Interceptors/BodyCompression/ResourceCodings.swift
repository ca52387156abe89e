import HTTPTypes
import Interception

/// The codings of request bodies that servers accept, per resource: by RFC 7694 a response applies to its own
/// resource only.
///
/// A pure value: the time is a parameter. Beyond `capacity` entries the oldest is evicted.
struct ResourceCodings: Sendable {
  /// An authority and a path without its query.
  struct Resource: Sendable, Hashable {
    let authority: String
    let path: String

    init(_ head: HTTPRequest) {
      authority = (head.authority ?? "").lowercased()
      let path = head.path ?? ""
      self.path = String(decoding: path.utf8.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
    }
  }

  private struct Entry {
    /// The codings that the server announced last, the best first; nil if it announced none.
    var accepted: [ContentCoding]?
    /// The codings that the server refused, also those that it announces.
    var refused: [ContentCoding] = []
    var notedAt: Duration
  }

  private let capacity: Int
  private let lifetime: Duration
  private var entries: [Resource: Entry] = [:]

  init(capacity: Int = 256, lifetime: Duration = .seconds(24 * 60 * 60)) {
    self.capacity = max(1, capacity)
    self.lifetime = lifetime
  }

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }

  /// Returns the coding for bodies to a resource; nil if they are to be sent unchanged.
  func coding(for resource: Resource, by rule: RequestCompression, at now: Duration) -> ContentCoding? {
    let entry = entry(of: resource, at: now)
    let candidates: [ContentCoding] =
      switch rule {
      case .never: []
      case .whereAccepted: entry?.accepted ?? []
      case .unlessRefused(let coding): entry?.accepted ?? [coding]
      }
    return candidates.first { entry?.refused.contains($0) != true }
  }

  /// Records the codings that a server announced, the best first.
  mutating func noteAccepted(_ codings: [ContentCoding], by resource: Resource, at now: Duration) {
    update(resource, at: now) { entry in
      entry.accepted = codings
      // An announcement doesn't prolong a refusal.
      if entry.refused.isEmpty { entry.notedAt = now }
    }
  }

  /// Records that a server refused codings; that is kept, even if it announces them later.
  mutating func noteRefused(_ codings: [ContentCoding], by resource: Resource, at now: Duration) {
    update(resource, at: now) { entry in
      if entry.refused.isEmpty { entry.notedAt = now }
      entry.refused += codings.filter { !entry.refused.contains($0) }
    }
  }

  private func entry(of resource: Resource, at now: Duration) -> Entry? {
    guard let entry = entries[resource], now - entry.notedAt < lifetime else { return nil }
    return entry
  }

  private mutating func update(_ resource: Resource, at now: Duration, _ change: (inout Entry) -> Void) {
    var entry = entry(of: resource, at: now) ?? Entry(notedAt: now)
    change(&entry)
    entries[resource] = entry
    guard entries.count > capacity else { return }
    // Linear in the capacity, but only when a resource is new.
    if let oldest = entries.min(by: { $0.value.notedAt < $1.value.notedAt }) { entries[oldest.key] = nil }
  }
}
