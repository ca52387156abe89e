import Cryptography
import HTTPTypes
import Interception
import ResponseCaching

/// The commands that store a response, in two round trips.
struct ResponseWrite: Sendable {
  /// The maximum number of tags of a response; one with more is not stored.
  static let maximumTagCount = 64

  /// What follows the first round trip.
  enum Commit {
    /// Send the commands.
    case store(RESPCommands)
    /// Store nothing: a newer response is stored.
    case decline
  }

  let response: StoredResponse
  let keys: ResponseKeys
  /// The maximum time for which anything is stored.
  let maximumLifetime: Duration
  /// The time to live of the response.
  let lifetime: Duration

  /// Creates the commands for a response; nil if it must not or can't be stored.
  init?(
    _ response: StoredResponse, _ limits: ValkeyResponseStore.Limits, keys: ResponseKeys, at now: CacheInstant
  ) {
    let lifetime = min(response.remaining(at: now, staleFor: limits.staleFor), limits.lifetime)
    guard !response.isInMemoryOnly, response.tags.count <= Self.maximumTagCount,
      response.size <= limits.responseBytes, lifetime >= .milliseconds(1)
    else { return nil }
    self.response = response
    self.keys = keys
    self.lifetime = lifetime
    maximumLifetime = limits.lifetime
  }

  /// The commands of the first round trip: they create missing tokens of groups, whose time to live is that
  /// of the longest stored response, and read them and the variants.
  ///
  /// - Parameter token: The token of groups that have none.
  func preparation(token: String) -> RESPCommands {
    var commands = RESPCommands()
    let milliseconds = String(Self.milliseconds(maximumLifetime))
    for name in keys.groups(of: response.key.subject) + keys.groups(of: response.tags) {
      commands.append("SET", name, token, "NX", "PX", milliseconds)
      commands.append("PEXPIRE", name, milliseconds)
    }
    commands.append(contentsOf: lookup.tagCommands(of: response.tags))
    commands.append(contentsOf: lookup.commands)
    return commands
  }

  /// The commands of the second round trip: they delete the variants that the response replaces, and store
  /// it; a response that is older than one of them is declined, and nothing is deleted.
  ///
  /// - Parameter replies: The replies of the first round trip; nil is returned if they lack a token.
  func commit(after replies: [RESPReply], runID: String, requestFields: HTTPFields) -> Commit? {
    let read = Array(replies.suffix(lookup.commands.count))
    let tags = replies.dropLast(read.count).suffix(response.tags.count)
    let tokens = read.dropFirst(ResponseKeys.slotCount)
    guard let generation = ResponseEntry.generation(runID: runID, tokens: tokens),
      let tagGeneration = ResponseEntry.generation(runID: runID, tokens: tags)
    else { return nil }
    let replaced = lookup.variants(in: read, runID: runID, requestFields: requestFields)
    let isLate = replaced.contains { variant in
      // One with other tags may have been removed by them.
      variant.response.tags == response.tags && variant.tagGeneration == tagGeneration
        && response.isOlder(than: variant.response)
    }
    guard !isLate else { return .decline }
    let encoded = response.encoded()
    guard !encoded.isEmpty else { return nil }
    let names = keys.slots(of: response.key)
    let others = lookup.variants(in: read, runID: runID, requestFields: nil)
    let slot = replaced.first?.slot ?? freeSlot(butNot: others.map(\.slot))
    var commands = RESPCommands()
    for variant in replaced where variant.slot != slot { commands.append("DEL", names[variant.slot]) }
    let entry = ResponseEntry(generation: generation, tagGeneration: tagGeneration, response: encoded)
    commands.appendSet(names[slot], entry.encoded, milliseconds: Self.milliseconds(lifetime))
    return .store(commands)
  }

  /// Returns the slot for a variant that replaces none: that of its selector, or another one if it is taken.
  private func freeSlot(butNot taken: [Int]) -> Int {
    let free = (0..<ResponseKeys.slotCount).filter { !taken.contains($0) }
    let preferred = ResponseKeys.slot(of: response.selector)
    return free.contains(preferred) ? preferred : free.first ?? preferred
  }

  private var lookup: ResponseLookup { ResponseLookup(key: response.key, keys: keys) }

  private static func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return max(1, min(seconds, 1 << 40) * 1_000 + attoseconds / 1_000_000_000_000_000)
  }
}

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
