import HTTPTypes
import Interception

/// Whether servers accept compressed request bodies, per resource: by RFC 7694 a response applies to its own
/// resource only.
///
/// A pure value: the time is a parameter. Beyond `capacity` entries the oldest is evicted.
struct ResourceCodings: Sendable {
  /// The request bodies that a resource accepts.
  enum Verdict: Sendable, Hashable {
    /// Gzip-coded bodies.
    case accepts
    /// Only uncompressed bodies.
    case refuses
  }

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
    let verdict: Verdict
    let notedAt: Duration
  }

  private let capacity: Int
  private let lifetime: Duration
  private var entries: [Resource: Entry] = [:]

  init(capacity: Int = 256, lifetime: Duration = .seconds(24 * 60 * 60)) {
    self.capacity = max(1, capacity)
    self.lifetime = lifetime
  }

  var count: Int { entries.count }

  /// Returns what is known about a resource.
  func verdict(on resource: Resource, at now: Duration) -> Verdict? {
    guard let entry = entries[resource], now - entry.notedAt < lifetime else { return nil }
    return entry.verdict
  }

  /// Records a verdict.
  ///
  /// A refusal is kept for its whole lifetime, even if the server later claims to accept the coding.
  mutating func note(_ verdict: Verdict, on resource: Resource, at now: Duration) {
    if verdict == .accepts, self.verdict(on: resource, at: now) != nil { return }
    entries[resource] = Entry(verdict: verdict, notedAt: now)
    guard entries.count > capacity else { return }
    // Linear in the capacity, but only when a resource is new.
    if let oldest = entries.min(by: { $0.value.notedAt < $1.value.notedAt }) { entries[oldest.key] = nil }
  }
}
