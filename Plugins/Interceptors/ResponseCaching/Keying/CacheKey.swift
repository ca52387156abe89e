import HTTPTypes
import Interception

/// What a stored answer is filed under: two requests share a key only if they ask for the same thing.
///
/// The key is the SHA-256 of length-prefixed fields: a version label, the partition, the credentials
/// where no partition is named, the API's service and name, the method, the target (scheme, authority in lower case without
/// the scheme's default port, path, and the query's pairs), and for a request with content its type, coding and
/// hash. The order of differently named parameters doesn't matter; that of equally named ones does, because it may be a list's.
/// Pairs are taken as they are written: `a`, `a=`, `a=+` and `a=%20` are four things, which costs a miss at worst.
public struct CacheKey: Sendable {
  /// The bytes that were hashed; a store keeps them and compares them, so that not even a collision mixes up answers.
  ///
  /// They hold the query, so they don't belong in a log. Credentials and content are in them as hashes only.
  public let preimage: [UInt8]
  let digest: SHA256Digest
  let subject: CacheSubject

  /// Makes the key of a request; nil when it has content that is not in memory.
  init?(_ request: Request, leavingOut volatile: VolatileParts) {
    let subject = CacheSubject(request, leavingOut: volatile)
    var fields = LengthPrefixed(reserving: subject.target.count + 224)
    fields.append("switchyard cache 1")
    fields.append(subject.partition)
    guard Self.appendCredentials(of: request.head.headerFields, in: subject.partition, to: &fields) else {
      return nil
    }
    fields.append(byte: subject.api == nil ? 0 : 1)
    fields.append(subject.api?.service ?? "")
    fields.append(subject.api?.name ?? "")
    fields.append(subject.method)
    fields.append(subject.target)
    guard Self.appendContent(of: request, to: &fields), let digest = SHA256Digest(of: fields.bytes) else {
      return nil
    }
    self.init(digest: digest, preimage: fields.bytes, subject: subject)
  }

  /// Makes a key of its parts; for tests that need a collision.
  init(digest: SHA256Digest, preimage: [UInt8], subject: CacheSubject) {
    self.digest = digest
    self.preimage = preimage
    self.subject = subject
  }

  /// Keeps accounts apart where nobody named a partition: a token's refresh then costs a miss, never a leak.
  private static func appendCredentials(
    of headerFields: HTTPFields, in partition: String, to fields: inout LengthPrefixed
  ) -> Bool {
    guard partition.isEmpty,
      headerFields.contains(where: { $0.name == .authorization || $0.name == .cookie })
    else {
      fields.append("")
      return true
    }
    var credentials = LengthPrefixed(reserving: 256)
    append(.authorization, of: headerFields, to: &credentials)
    append(.cookie, of: headerFields, to: &credentials)
    guard let digest = SHA256Digest(of: credentials.bytes) else { return false }
    digest.append(to: &fields)
    return true
  }

  private static func appendContent(of request: Request, to fields: inout LengthPrefixed) -> Bool {
    guard let bytes = request.body.bytes else { return false }
    guard !bytes.isEmpty else { return true }
    guard let digest = SHA256Digest(of: bytes) else { return false }
    let headerFields = request.head.headerFields
    append(.contentType, of: headerFields, to: &fields)
    append(.contentEncoding, of: headerFields, to: &fields)
    digest.append(to: &fields)
    return true
  }

  /// Writes whether a field is there, and its value.
  private static func append(
    _ name: HTTPField.Name, of headerFields: HTTPFields, to fields: inout LengthPrefixed
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
  /// The hash as 64 hexadecimal digits, fit for a file's name.
  public var description: String { digest.description }
}
