import Cryptography
import HTTPTypes
import Interception
import ResponseCaching

/// The commands that look up a response, and the meaning of their replies.
struct ResponseLookup: Sendable {
  /// A variant that was found.
  struct Variant: Sendable {
    let slot: Int
    let response: StoredResponse
    /// The generation of its tags when it was stored.
    let tagGeneration: [UInt8]
  }

  let key: CacheKey
  let keys: ResponseKeys

  /// The commands: the variants, then the tokens of the groups.
  ///
  /// The tokens are read last, so that a removal between the two makes the lookup a miss.
  var commands: RESPCommands {
    var commands = RESPCommands()
    for name in keys.slots(of: key) + keys.groups(of: key.subject) { commands.append("GET", name) }
    return commands
  }

  /// Returns the stored variants that match a request, in the order of their arrival.
  ///
  /// Those that were removed, are malformed or have another key are left out. Without header fields all
  /// others are returned.
  func variants(in replies: [RESPReply], runID: String, requestFields: HTTPFields?) -> [Variant] {
    let slots = replies.prefix(ResponseKeys.slotCount)
    guard let current = ResponseEntry.generation(runID: runID, tokens: replies.dropFirst(slots.count)) else {
      return []
    }
    let variants = slots.enumerated().compactMap { slot, reply -> Variant? in
      guard case .bytes(let bytes) = reply, let entry = ResponseEntry(encoded: bytes),
        entry.generation == current, let response = StoredResponse(encoded: entry.response),
        response.key == key, requestFields.map(response.selector.matches) ?? true
      else { return nil }
      return Variant(slot: slot, response: response, tagGeneration: entry.tagGeneration)
    }
    return variants.sorted { $0.response.freshness.received.wall < $1.response.freshness.received.wall }
  }

  /// Returns the most recent of some variants, which are in the order of their arrival.
  static func newest(of variants: [Variant]) -> Variant? {
    variants.reduce(nil) { former, variant in
      guard let former, variant.response.isOlder(than: former.response) else { return variant }
      return former
    }
  }

  /// The commands that read the tokens of tags.
  func tagCommands(of tags: Set<CacheRule.Tag>) -> RESPCommands {
    var commands = RESPCommands()
    for name in keys.groups(of: tags) { commands.append("GET", name) }
    return commands
  }
}

/// The value of a key on the server: a response, and the generation of its groups when it was stored.
///
/// Each group has a random token on the server, and a removal deletes it. A response counts only while all
/// tokens are those with which it was stored. A token that was evicted, or lost with the server, therefore
/// costs misses, and never brings back what was removed.
struct ResponseEntry: Sendable, Hashable {
  /// A hash of the server's run id and the tokens of the groups that a request has.
  let generation: [UInt8]
  /// A hash of the server's run id and the tokens of the response's tags.
  let tagGeneration: [UInt8]
  /// The encoded response.
  let response: [UInt8]

  private static let label = "switchyard shared response 1"

  /// Creates an entry.
  init(generation: [UInt8], tagGeneration: [UInt8], response: [UInt8]) {
    self.generation = generation
    self.tagGeneration = tagGeneration
    self.response = response
  }

  /// Decodes an entry; nil if it is malformed.
  init?(encoded: [UInt8]) {
    var fields = LengthPrefixedReader(encoded[...])
    guard fields.text() == Self.label, let generation = fields.field(),
      let tagGeneration = fields.field(), let response = fields.field(), fields.isAtEnd
    else { return nil }
    self.init(
      generation: Array(generation), tagGeneration: Array(tagGeneration), response: Array(response))
  }

  /// The bytes that are stored.
  var encoded: [UInt8] {
    var fields = LengthPrefixed(reserving: response.count + 192)
    fields.append(Self.label)
    fields.append(generation)
    fields.append(tagGeneration)
    fields.append(response)
    return fields.bytes
  }

  /// Returns the generation of groups; nil if one has no token.
  ///
  /// - Parameters:
  ///   - runID: Identifies the start of the server: after a restart, removals could be missing.
  ///   - tokens: The replies with the groups' tokens, in their order.
  static func generation(runID: String, tokens: some Collection<RESPReply>) -> [UInt8]? {
    var fields = LengthPrefixed(reserving: 256)
    fields.append(runID)
    for token in tokens {
      guard case .bytes(let bytes) = token else { return nil }
      fields.append(bytes)
    }
    return (try? HashValue(sha256: fields.bytes))?.bytes
  }
}
