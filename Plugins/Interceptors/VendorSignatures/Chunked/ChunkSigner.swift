import Cryptography
import HTTPTypes

/// Signs the chunks of a body, each together with the signature of the previous one.
struct ChunkSigner: Sendable {
  static let signaturePrefix = ";chunk-signature="
  static let trailerSignatureName = "x-amz-trailer-signature"

  private let key: PreparedKey
  /// Time and scope, each with a line break.
  private let context: [UInt8]
  private var previous: HashValue

  /// - Parameter seed: The signature of the request's head.
  init(_ moment: AWSKeyCache.Moment, seed: HashValue) {
    key = moment.key
    context = Array("\(moment.dateField.value)\n\(moment.scope)\n".utf8)
    previous = seed
  }

  /// Returns a chunk as it is sent: size and signature in a line, and the data, which a line break ends
  /// unless they are empty.
  mutating func chunk(_ data: ArraySlice<UInt8>) throws(CryptographyError) -> [UInt8] {
    var digest = try Digest()
    guard data.withUnsafeBytes({ digest.takes($0) }) else { throw Digest.failure }
    let hash = try digest.value()
    var text = CanonicalText(reserving: 320)
    text.append("AWS4-HMAC-SHA256-PAYLOAD\n")
    text.append(context)
    text.append(previous)
    text.endLine()
    // The hash of an empty text: chunks have no fields.
    text.append(Hexadecimal.encode(Digest.ofNothing))
    text.endLine()
    text.append(hash)
    previous = try key.value(of: text.bytes, in: &digest)
    var chunk = CanonicalText(reserving: data.count + 104)
    chunk.append(String(data.count, radix: 16))
    chunk.append(Self.signaturePrefix)
    chunk.append(previous)
    chunk.append("\r\n")
    if !data.isEmpty {
      chunk.append(data)
      chunk.append("\r\n")
    }
    return chunk.bytes
  }

  /// Returns a trailer and its signature, each in a line.
  mutating func trailer(_ name: String, _ value: String) throws(CryptographyError) -> [UInt8] {
    var digest = try Digest()
    let hash = try digest.hash(of: Array("\(name):\(value)\n".utf8))
    var text = CanonicalText(reserving: 256)
    text.append("AWS4-HMAC-SHA256-TRAILER\n")
    text.append(context)
    text.append(previous)
    text.endLine()
    text.append(hash)
    previous = try key.value(of: text.bytes, in: &digest)
    var lines = CanonicalText(reserving: 160)
    lines.append("\(name):\(value)\r\n\(Self.trailerSignatureName):")
    lines.append(previous)
    lines.append("\r\n")
    return lines.bytes
  }
}

extension ChunkSigner: CustomReflectable {
  /// Empty, so that `dump` and `Mirror` can't reveal material derived from the secret.
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
