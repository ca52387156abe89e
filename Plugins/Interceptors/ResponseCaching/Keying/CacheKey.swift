import Cryptography
import HTTPTypes
package import Interception

/// The key of a stored response; requests share a key only if they are equivalent.
///
/// The key is a list of length-prefixed fields: a version label, the partition, the SHA-256 of the
/// credentials if there is no partition, or a mark of those of an unknown account, the cache's schema, the
/// API's service and name, the method, the
/// target (scheme, authority in lower case without the scheme's default port, path, and query pairs), and
/// for a request with a body its type, coding and SHA-256. Under `CacheRule.timed(_:)` the order of
/// parameters with different names is insignificant; that of parameters with the same name may be a list's
/// order and is significant. Under a stated rule the key is the URI, and any order is
/// significant (RFC 9111, section 2). Pairs are not decoded: `a`, `a=`, `a=+` and `a=%20` are distinct,
/// which at worst costs a miss.
public struct CacheKey: Sendable {
  /// The bytes of the key; a store saves and compares them, so that a hash collision never returns a wrong
  /// response.
  ///
  /// They contain the query, so they don't belong in a log. Credentials and body are included as hashes only.
  package var preimage: [UInt8] { parts.preimage }
  /// A hash for tables in memory; it differs between processes.
  package var digest: UInt64 { parts.digest }
  /// The parts by which the response can be removed.
  package var subject: CacheSubject { parts.subject }

  // A class, because keys are copied more often than created.
  private let parts: Parts

  private final class Parts: Sendable {
    let preimage: [UInt8]
    let digest: UInt64
    let subject: CacheSubject

    init(preimage: [UInt8], digest: UInt64, subject: CacheSubject) {
      self.preimage = preimage
      self.digest = digest
      self.subject = subject
    }
  }

  /// Creates the key of a request; nil if its body is not in memory.
  init?(
    _ request: Request, schema: String = "", keepsOrder: Bool = false, leavingOut volatile: VolatileParts
  ) {
    let (head, context) = (request.head, request.context)
    self.init(
      head, request.body, partition: context.partition, api: context.api, schema: schema,
      owner: Owner(of: request, sharing: .private, leavingOut: volatile), keepsOrder: keepsOrder,
      leavingOut: volatile)
  }

  /// To whom a stored response without a partition belongs.
  enum Owner {
    /// To everybody, or to the partition.
    case anyone
    /// To the holder of the request's credentials.
    case credentials(CredentialFields)
    /// To an account that is not known when the key is formed: only public responses are stored.
    case unknown

    init(of request: Request, sharing: CacheSharing, leavingOut volatile: VolatileParts) {
      self.init(
        of: request, sharing: sharing,
        hasCredentials: request.head.headerFields.contains {
          request.credentialFields.contains($0.name) && !volatile.contains($0.name)
        })
    }

    /// Determines the owner for a request whose fields were examined before.
    init(of request: Request, sharing: CacheSharing, hasCredentials: Bool) {
      self =
        sharing == .shared
        ? .anyone
        : request.hasUnknownIdentity
          ? .unknown : hasCredentials ? .credentials(request.context.credentialFields) : .anyone
    }
  }

  /// Creates the key of a request whose fields were examined before.
  ///
  /// - Parameters:
  ///   - owner: Whether the credentials are part of the key.
  ///   - keepsOrder: Whether the order of all parameters is significant, as HTTP says: the key is the URI.
  init?(
    _ head: HTTPRequest, _ body: RequestBody, partition: String, api: APIIdentity?, schema: String,
    owner: Owner, keepsOrder: Bool, leavingOut volatile: VolatileParts
  ) {
    // Without SHA-256 the key would have no description and could not include credentials.
    guard Digest.isAvailable, let body = body.bytes else { return nil }
    let method = head.method.rawValue
    let (credentials, content): ([UInt8], [UInt8])
    switch owner {
    case .credentials(let fields) where partition.isEmpty || Request.Identity.isHolder(partition):
      guard let digest = Self.digest(of: fields, in: head.headerFields, leavingOut: volatile) else {
        return nil
      }
      credentials = digest.bytes
    case .unknown: credentials = [0]
    case .anyone, .credentials: credentials = []
    }
    if body.isEmpty {
      content = []
    } else {
      guard let form = Self.form(of: body, head.headerFields) else { return nil }
      content = form
    }
    let uri = CacheTarget(head)
    let isReordered = keepsOrder && uri.isUnsorted(leavingOut: volatile.parameters)
    var target = 0..<0
    let room =
      Self.label.utf8.count + partition.utf8.count + credentials.count + schema.utf8.count
      + (api?.service.utf8.count ?? 0)
      + (api?.name.utf8.count ?? 0) + method.utf8.count + content.count + 2 + 10 * FieldWriter.prefixSize
      + (isReordered ? uri.room + FieldWriter.prefixSize : 0)
    let preimage = FieldWriter.bytes(reserving: room + uri.room) { fields in
      fields.append(Self.label)
      fields.append(partition)
      fields.append(credentials)
      fields.append(schema)
      fields.append(byte: api == nil ? 0 : 1)
      fields.append(api?.service ?? "")
      fields.append(api?.name ?? "")
      fields.append(method)
      target = fields.appendNested { uri.write(to: &$0, leavingOut: volatile.parameters) }
      fields.append(byte: isReordered ? 2 : keepsOrder ? 1 : 0)
      if isReordered {
        _ = fields.appendNested { uri.writeQuery(to: &$0, leavingOut: volatile.parameters) }
      }
      fields.append(written: content)
    }
    self.init(
      preimage: preimage,
      subject: CacheSubject(partition: partition, api: api, method: method, target: preimage[target]))
  }

  /// Creates a key from its bytes and the parts by which it can be removed.
  init(preimage: [UInt8], subject: CacheSubject) {
    self.init(digest: Self.hash(of: preimage), preimage: preimage, subject: subject)
  }

  /// Creates a key from its parts; for tests that need a collision.
  init(digest: UInt64, preimage: [UInt8], subject: CacheSubject) {
    parts = Parts(preimage: preimage, digest: digest, subject: subject)
  }

  private static let label = "switchyard cache 3"

  private static func hash(of bytes: [UInt8]) -> UInt64 {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }

  /// Separates accounts if there is no partition: a refreshed token then costs a miss, but never leaks a
  /// response.
  private static func digest(
    of names: CredentialFields, in headerFields: HTTPFields, leavingOut volatile: VolatileParts
  ) -> HashValue? {
    var credentials = LengthPrefixed(reserving: 256)
    for field in headerFields where names.contains(field.name) && !volatile.contains(field.name) {
      credentials.append(field.name.canonicalName)
      credentials.append(field.bytes)
    }
    return try? HashValue(sha256: credentials.bytes)
  }

  /// Encodes a body as its type, its coding and its hash.
  private static func form(of content: [UInt8], _ headerFields: HTTPFields) -> [UInt8]? {
    guard let digest = try? HashValue(sha256: content) else { return nil }
    var fields = LengthPrefixed(reserving: 128)
    append(.contentType, of: headerFields, to: &fields)
    append(.contentEncoding, of: headerFields, to: &fields)
    fields.append(digest.bytes)
    return fields.bytes
  }

  /// Appends whether a field is present, and its value.
  private static func append(
    _ name: HTTPField.Name, of headerFields: HTTPFields, to fields: inout LengthPrefixed
  ) {
    let value = headerFields.bytes(of: name)
    fields.append(byte: value == nil ? 0 : 1)
    fields.append(value ?? [])
  }
}

extension CacheKey: Hashable {
  /// Whether two keys have the same bytes.
  public static func == (left: CacheKey, right: CacheKey) -> Bool {
    left.parts === right.parts
      || left.digest == right.digest && areEqual(left.preimage, right.preimage)
  }

  /// Compares eight bytes at a time; arrays compare one, and a lookup compares several hundred.
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

  /// Hashes the key by its digest.
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension CacheKey: CustomStringConvertible {
  /// The SHA-256 of the key as 64 hexadecimal digits, suitable as a file name; computed on each access.
  public var description: String {
    (try? HashValue(sha256: preimage))?.description ?? String(repeating: "0", count: 2 * HashValue.size)
  }
}

extension Request {
  /// Returns the request as one of an unknown account if it has a credential that the key leaves out, such as
  /// a signature, and nothing tells whose it is.
  func identifiedBySignature(leavingOut volatile: VolatileParts) -> Request {
    let isHolder = Identity.isHolder(context.partition)
    guard isHolder || context.partition.isEmpty && !hasDeferredCredentials,
      head.headerFields.contains(where: { credentialFields.contains($0.name) && volatile.contains($0.name) })
    else { return self }
    return identified(as: .unknown)
  }
}

/// The parts of a request by which its responses can be removed: partition, API, method and target.
package struct CacheSubject: Sendable, Hashable {
  /// The account.
  package let partition: String
  /// The API, if the request named one.
  package let api: APIIdentity?
  /// The method.
  package let method: String
  /// The target URI in canonical, injective bytes.
  package let target: ArraySlice<UInt8>

  /// Creates a subject from its parts.
  init(partition: String, api: APIIdentity?, method: String, target: ArraySlice<UInt8>) {
    self.partition = partition
    self.api = api
    self.method = method
    self.target = target
  }

  /// Creates the subject of a request.
  init(_ request: Request, leavingOut volatile: VolatileParts) {
    let context = request.context
    self.init(
      partition: context.partition, api: context.api, method: request.head.method.rawValue,
      target: CacheTarget(request.head).bytes(leavingOut: volatile.parameters)[...])
  }
}
