import Cryptography
import Interception

extension CacheKey {
  /// The key as bytes, for a store that keeps keys outside of the process.
  ///
  /// They contain ``preimage``, so they don't belong in a log. They have no checksum; those of a whole
  /// response have one.
  public var encoded: [UInt8] {
    let target = subject.target
    var fields = LengthPrefixed(reserving: preimage.count + target.count + 160)
    fields.append(preimage)
    fields.append(subject.partition)
    fields.append(byte: subject.api == nil ? 0 : 1)
    fields.append(subject.api?.service ?? "")
    fields.append(subject.api?.name ?? "")
    fields.append(subject.method)
    fields.append(target)
    return fields.bytes
  }

  /// Restores a key from ``encoded``; nil if the bytes are malformed.
  public init?(encoded: [UInt8]) { self.init(encoded: encoded[...]) }

  init?(encoded: ArraySlice<UInt8>) {
    var fields = LengthPrefixedReader(encoded)
    guard let preimage = fields.field().map(Array.init), let partition = fields.text(),
      let hasAPI = fields.flag(), let service = fields.text(), let name = fields.text(),
      let method = fields.text(), let target = fields.field(), fields.isAtEnd
    else { return nil }
    self.init(
      preimage: preimage,
      subject: CacheSubject(
        partition: partition, api: hasAPI ? APIIdentity(service: service, name: name) : nil, method: method,
        // A copy, because a slice would retain the bytes of the whole response.
        target: Array(target)[...]))
  }
}
