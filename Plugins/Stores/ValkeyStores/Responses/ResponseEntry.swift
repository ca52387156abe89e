import Cryptography
import ResponseCaching

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
