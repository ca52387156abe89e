import Cryptography
public import HTTPTypes
public import Interception
import Synchronization

/// Computes the header fields that prove the sender and the integrity of a request.
///
/// It is a pure function of its arguments; ``SigningInterceptor`` supplies time and nonce. Use it directly
/// for requests that aren't sent through a pipeline, as in a test or a script.
public struct RequestSigner: Sendable {
  /// `Authorization` and `Content-Type`.
  public static let usualFields: [HTTPField.Name] = [.authorization, .contentType]

  let key: SigningKey
  private let covered: CoveredFields
  private let platform: PlatformKey?

  /// Creates a signer.
  ///
  /// - Parameters:
  ///   - key: The key to sign with.
  ///   - covering: The header fields that the signature covers if a request has them; those that override
  ///     the method, such as `X-HTTP-Method-Override`, are always covered. Choose only fields that reach the
  ///     server unchanged: never `Content-Encoding` or `Content-Length`, which compression sets later.
  ///   - platform: The open platform to which the key is sealed and sent with each request; nil for a server
  ///     that knows the key.
  public init(
    key: SigningKey, covering: [HTTPField.Name] = usualFields, sealingTo platform: PlatformKey? = nil
  ) {
    self.init(key: key, covered: CoveredFields(covering), platform: platform)
  }

  init(key: SigningKey, covered: CoveredFields, platform: PlatformKey?) {
    self.key = key
    self.covered = covered
    self.platform = platform
  }

  /// Returns the fields to add to a request whose body is in memory.
  public func sign(
    _ head: HTTPRequest, api: APIIdentity? = nil, body: [UInt8], at time: WallTime, nonce: Nonce
  ) throws(SigningError) -> [HTTPField] {
    let digest: [UInt8]
    do throws(CryptographyError) { digest = try Digest.sha256(body) } catch { throw SigningError(error) }
    return try sign(head, api: api, bodyDigest: digest, at: time, nonce: nonce)
  }

  /// Returns the fields to add to a request.
  ///
  /// - Parameters:
  ///   - bodyDigest: The 32 bytes of the body's SHA-256, computed before any content coding.
  ///   - time: The time of signing; fractions of a second are ignored.
  ///   - nonce: A number that was never used before; see `Nonce.random()`.
  package func sign(
    _ head: HTTPRequest, api: APIIdentity? = nil, bodyDigest: [UInt8], at time: WallTime, nonce: Nonce
  ) throws(SigningError) -> [HTTPField] {
    var signed = head
    try sign(
      &signed, to: CanonicalAuthority.of(head.authority ?? ""), api: api.map(SignatureFieldCache.field(for:)),
      bodyDigest: bodyDigest, at: time, timeField: SignatureFieldCache.field(for: time), nonce: nonce)
    return Array(signed.headerFields.dropFirst(head.headerFields.count))
  }

  /// Appends the signature's fields to a request's fields.
  ///
  /// - Parameters:
  ///   - head: The request, changed in place, because a copy would share its fields and have them copied.
  ///   - authority: The request's authority, as spelled by ``CanonicalAuthority``.
  ///   - api: The field that names the API.
  ///   - timeField: The field for the time.
  func sign(
    _ head: inout HTTPRequest, to authority: String, api: HTTPField?, bodyDigest: [UInt8],
    at time: WallTime, timeField: HTTPField, nonce: Nonce
  ) throws(SigningError) {
    let covered = covered.present(in: head.headerFields)
    let canonical = CanonicalRequest(
      keyID: key.id, time: time.seconds, nonce: nonce, method: head.method.rawValue,
      authority: authority, api: api?.value ?? "", path: head.path ?? "",
      bodyDigest: bodyDigest, coveredNames: covered.names,
      coveredValues: covered.values)
    let hash: HashValue
    do throws(CryptographyError) {
      hash = try canonical.signature(with: key, time: timeField.value)
    } catch { throw SigningError(error) }
    let signature = SignatureText.encode(hash)
    var fields = [
      key.material.field, timeField,
      HTTPField(name: SignatureFields.nonce, value: nonce.description).unindexed,
    ]
    fields.reserveCapacity(SignatureFields.all.count)
    if let api { fields.append(api) }
    if let names = covered.field { fields.append(names) }
    fields.append(HTTPField(name: SignatureFields.signature, value: signature).unindexed)
    if let platform { fields.append(try sealedKey(to: platform, for: canonical)) }
    // At once: each insertion is a generic call, as is `append(contentsOf:)` for each of its fields.
    head.headerFields.reserveCapacity(head.headerFields.count + fields.count)
    head.headerFields.insert(contentsOf: fields, at: head.headerFields.endIndex)
  }

  /// Returns the field that carries the key, sealed for one request.
  private func sealedKey(
    to platform: PlatformKey, for canonical: CanonicalRequest
  ) throws(SigningError) -> HTTPField {
    do throws(CryptographyError) {
      guard let random = RandomWords.draw(4) else { throw CryptographyError(operation: "random numbers") }
      let sealed = try key.material.secret.withArray { secret throws(CryptographyError) in
        try SealedKey(
          sealing: secret, to: platform, for: canonical.bytes(),
          ephemeralKey: random.withUnsafeBytes { Array($0) })
      }
      return HTTPField(name: SignatureFields.sealedKey, value: sealed.text).unindexed
    } catch { throw SigningError(error) }
  }
}

/// Caches signature fields that are the same for many requests.
final class SignatureFieldCache: Sendable {
  /// The maximum number of APIs cached; an app has few, and fields of further APIs are not cached.
  static let capacity = 256

  private let apis = Mutex<[APIIdentity: HTTPField]>([:])
  private let latest = Mutex<(seconds: Int64, field: HTTPField)?>(nil)

  /// Returns the field that names an API.
  func api(_ api: APIIdentity) -> HTTPField {
    if let known = apis.withLock({ $0[api] }) { return known }
    let field = Self.field(for: api)
    apis.withLock { if $0.count < Self.capacity { $0[api] = field } }
    return field
  }

  /// Returns the field for a time, in whole seconds.
  func time(_ time: WallTime) -> HTTPField {
    let known: HTTPField? = latest.withLock { latest in
      guard let latest, latest.seconds == time.seconds else { return nil }
      return latest.field
    }
    if let known { return known }
    let field = Self.field(for: time)
    latest.withLock { $0 = (time.seconds, field) }
    return field
  }

  /// Creates the field that names an API.
  static func field(for api: APIIdentity) -> HTTPField {
    HTTPField(name: SignatureFields.api, value: CanonicalAPI.encode(api))
  }

  /// Creates the field for a time.
  static func field(for time: WallTime) -> HTTPField {
    HTTPField(name: SignatureFields.time, value: String(time.seconds)).unindexed
  }
}

extension HTTPField {
  /// The field, excluded from HPACK's dynamic table: its value never recurs and would evict others.
  var unindexed: HTTPField {
    var field = self
    field.indexingStrategy = .disallow
    return field
  }
}
