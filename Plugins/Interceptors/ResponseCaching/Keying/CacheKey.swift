import HTTPTypes
import Interception

/// What a stored answer is filed under: two requests share a key only if they ask for the same thing.
///
/// The key is a list of length-prefixed fields: a version label, the partition, the SHA-256 of the credentials
/// where no partition is named, the API's service and name, the method, the target (scheme, authority in lower case without
/// the scheme's default port, path, and the query's pairs), and for a request with content its type, coding and
/// SHA-256. The order of differently named parameters doesn't matter; that of equally named ones does, because it may be a list's.
/// Pairs are taken as they are written: `a`, `a=`, `a=+` and `a=%20` are four things, which costs a miss at worst.
public struct CacheKey: Sendable {
  /// The whole key; a store keeps it and compares it, so that no collision of a hash mixes up answers.
  ///
  /// It holds the query, so it doesn't belong in a log. Credentials and content are in it as hashes only.
  public let preimage: [UInt8]
  /// A hash for tables in memory; another process gives the same key another one.
  let digest: UInt64
  let subject: CacheSubject

  /// Makes the key of a request; nil when it has content that is not in memory.
  init?(_ request: Request, leavingOut volatile: VolatileParts) {
    // Without SHA-256 a key would have no name, and credentials no place in it.
    guard SHA256Digest.isAvailable else { return nil }
    let (head, context) = (request.head, request.context)
    var fields = KeyFields(reserving: CacheTarget.room(for: head) + 256)
    fields.append("switchyard cache 1")
    fields.append(context.partition)
    guard Self.appendCredentials(of: head.headerFields, in: context.partition, to: &fields) else {
      return nil
    }
    fields.append(byte: context.api == nil ? 0 : 1)
    fields.append(context.api?.service ?? "")
    fields.append(context.api?.name ?? "")
    fields.append(head.method.rawValue)
    let target = fields.appendNested { CacheTarget.write(head, to: &$0, leavingOut: volatile.parameters) }
    guard Self.appendContent(of: request, to: &fields) else { return nil }
    let preimage = fields.bytes
    self.init(
      digest: Self.hash(of: preimage), preimage: preimage,
      subject: CacheSubject(request, target: preimage[target]))
  }

  /// Makes a key of its parts; for tests that need a collision.
  init(digest: UInt64, preimage: [UInt8], subject: CacheSubject) {
    self.digest = digest
    self.preimage = preimage
    self.subject = subject
  }

  private static func hash(of bytes: [UInt8]) -> UInt64 {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }

  /// Keeps accounts apart where nobody named a partition: a token's refresh then costs a miss, never a leak.
  private static func appendCredentials(
    of headerFields: HTTPFields, in partition: String, to fields: inout KeyFields
  ) -> Bool {
    guard partition.isEmpty, headerFields.contains(where: { isCredential($0.name) }) else {
      fields.append("")
      return true
    }
    var credentials = KeyFields(reserving: 256)
    append(.authorization, of: headerFields, to: &credentials)
    append(.cookie, of: headerFields, to: &credentials)
    guard let digest = SHA256Digest(of: credentials.bytes) else { return false }
    fields.append(digest)
    return true
  }

  /// A look at the first letter answers for most names.
  private static func isCredential(_ name: HTTPField.Name) -> Bool {
    switch name.canonicalName.utf8.first {
    case UInt8(ascii: "a"): name == .authorization
    case UInt8(ascii: "c"): name == .cookie
    default: false
    }
  }

  private static func appendContent(of request: Request, to fields: inout KeyFields) -> Bool {
    guard let bytes = request.body.bytes else { return false }
    guard !bytes.isEmpty else { return true }
    guard let digest = SHA256Digest(of: bytes) else { return false }
    let headerFields = request.head.headerFields
    append(.contentType, of: headerFields, to: &fields)
    append(.contentEncoding, of: headerFields, to: &fields)
    fields.append(digest)
    return true
  }

  /// Writes whether a field is there, and its value.
  private static func append(
    _ name: HTTPField.Name, of headerFields: HTTPFields, to fields: inout KeyFields
  ) {
    let value = headerFields.value(of: name)
    fields.append(byte: value == nil ? 0 : 1)
    fields.append(value ?? "")
  }
}

extension CacheKey: Hashable {
  /// Whether two keys have the same hash and were made of the same bytes.
  public static func == (left: CacheKey, right: CacheKey) -> Bool {
    left.digest == right.digest && areEqual(left.preimage, right.preimage)
  }

  /// Compares eight bytes at a time; arrays compare one, and a look-up compares some hundreds.
  private static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return left.withUnsafeBytes { left in
      right.withUnsafeBytes { right in
        var offset = 0
        while offset + 8 <= left.count {
          guard
            left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
              == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          else { return false }
          offset += 8
        }
        return left[offset...].elementsEqual(right[offset...])
      }
    }
  }

  /// Feeds the hash's first bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension CacheKey: CustomStringConvertible {
  /// The SHA-256 of ``preimage`` as 64 hexadecimal digits, fit for a file's name; worked out anew each time.
  public var description: String {
    SHA256Digest(of: preimage)?.description ?? String(repeating: "0", count: 2 * SHA256Digest.size)
  }
}
