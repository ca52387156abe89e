import HTTPTypes
import Interception

/// What servers have said about coded request bodies, by resource: RFC 7694 lets an answer speak for no other
/// one.
///
/// A pure value: the time is handed in, and the oldest of `capacity` entries yields to a new one.
struct CodingMemory: Sendable {
  /// What a resource takes.
  enum Verdict: Sendable, Hashable {
    /// Gzip-coded bodies.
    case accepts
    /// Only bodies that aren't coded.
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

  /// What is known of a resource.
  func verdict(on resource: Resource, at now: Duration) -> Verdict? {
    guard let entry = entries[resource], now - entry.notedAt < lifetime else { return nil }
    return entry.verdict
  }

  /// Notes what a server said.
  ///
  /// A refusal stands for its lifetime: a server that says it accepts and yet refuses is believed by what it
  /// did.
  mutating func note(_ verdict: Verdict, on resource: Resource, at now: Duration) {
    if verdict == .accepts, self.verdict(on: resource, at: now) != nil { return }
    entries[resource] = Entry(verdict: verdict, notedAt: now)
    guard entries.count > capacity else { return }
    // Linear in the capacity, and only when a resource is new.
    if let oldest = entries.min(by: { $0.value.notedAt < $1.value.notedAt }) { entries[oldest.key] = nil }
  }
}
