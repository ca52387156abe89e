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
