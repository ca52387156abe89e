import Cryptography
import Interception
import ResponseCaching

/// The names of a store's keys on the server.
///
/// They contain hashes only, so that no URL or account is readable.
struct ResponseKeys: Sendable {
  /// The number of keys for the variants of a response.
  static let slotCount = 4

  let prefix: String

  /// The keys under which the variants for a cache key are stored.
  func slots(of key: CacheKey) -> [String] {
    let hash = key.description
    return (0..<Self.slotCount).map { "\(prefix)response:\(hash):\($0)" }
  }

  /// The preferred slot of a variant, which is derived from its selecting header fields.
  static func slot(of selector: VariantSelector) -> Int {
    Int(truncatingIfNeeded: (hash(selector.encoded)?.prefix ?? 0) % UInt64(slotCount))
  }

  /// The keys of the groups to which a response belongs, by which it can be removed.
  func groups(of subject: CacheSubject) -> [String] {
    var groups = [all, partition(subject.partition), target(subject.target)]
    if let api = subject.api { groups += [service(api.service), self.api(api)] }
    return groups
  }

  /// The keys of the groups of tags, sorted.
  func groups(of tags: Set<CacheRule.Tag>) -> [String] {
    tags.map { group("tag", [Array($0.name.utf8)]) }.sorted()
  }

  /// The keys to delete in order to remove a selection.
  ///
  /// One request is removed with all others of its target: to remove too much costs misses only.
  func removed(by selection: CacheSelection) -> [String] {
    switch selection.kind {
    case .all: [all]
    case .partition(let partition): [self.partition(partition)]
    case .service(let service): [self.service(service)]
    case .api(let api): [self.api(api)]
    case .tags(let tags): groups(of: tags)
    case .target(let target): [self.target(target)]
    case .subject(let subject): [target(subject.target)]
    case .key(let key): slots(of: key)
    }
  }

  /// The group of all responses.
  var all: String { prefix + "group:all" }

  /// The group of a target.
  func target(_ target: ArraySlice<UInt8>) -> String { group("target", [Array(target)]) }

  private func partition(_ partition: String) -> String { group("partition", [Array(partition.utf8)]) }

  private func service(_ service: String) -> String { group("service", [Array(service.utf8)]) }

  private func api(_ api: APIIdentity) -> String {
    group("api", [Array(api.service.utf8), Array(api.name.utf8)])
  }

  private func group(_ kind: String, _ parts: [[UInt8]]) -> String {
    var fields = LengthPrefixed()
    for part in parts { fields.append(part) }
    // Without a hash all groups of a kind are one, which removes more than was selected.
    return "\(prefix)group:\(kind):\(Self.hash(fields.bytes)?.description ?? "")"
  }

  private static func hash(_ bytes: [UInt8]) -> HashValue? { try? HashValue(sha256: bytes) }
}
