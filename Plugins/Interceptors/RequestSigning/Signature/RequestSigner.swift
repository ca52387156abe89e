public import HTTPTypes
public import Interception

/// Computes the header fields that prove who sent a request and that nobody changed it.
///
/// It is a pure function of its arguments; ``SigningInterceptor`` hands in time and nonce. Use it by itself where a request
/// leaves by another way than a pipeline, as in a test or a script.
public struct RequestSigner: Sendable {
  /// `Authorization` and `Content-Type`.
  public static let usualFields: [HTTPField.Name] = [.authorization, .contentType]

  private let key: SigningKey
  private let covered: CoveredFields

  /// Makes a signer.
  ///
  /// - Parameter covering: The header fields that the signature covers where a request has them. Take only those that
  ///   reach the server unchanged: never `Content-Encoding` or `Content-Length`, which compression sets later.
  public init(key: SigningKey, covering: [HTTPField.Name] = usualFields) {
    self.init(key: key, covered: CoveredFields(covering))
  }

  init(key: SigningKey, covered: CoveredFields) {
    self.key = key
    self.covered = covered
  }

  /// Returns the fields to add to a request whose body is in memory.
  public func sign(
    _ head: HTTPRequest, api: APIIdentity? = nil, body: [UInt8], at time: WallTime, nonce: Nonce
  ) throws(CryptographyFailure) -> [HTTPField] {
    try sign(head, api: api, bodyDigest: try Digest.sha256(body), at: time, nonce: nonce)
  }

  /// Returns the fields to add to a request.
  ///
  /// - Parameters:
  ///   - bodyDigest: The 32 bytes of the body's SHA-256, taken before any content coding.
  ///   - time: The moment of signing; its whole seconds count.
  ///   - nonce: A number never used before; ``Nonce/random()`` makes one.
  public func sign(
    _ head: HTTPRequest, api: APIIdentity? = nil, bodyDigest: [UInt8], at time: WallTime, nonce: Nonce
  ) throws(CryptographyFailure) -> [HTTPField] {
    var fields = HTTPFields()
    try sign(head, api: api, bodyDigest: bodyDigest, at: time, nonce: nonce, into: &fields)
    return Array(fields)
  }

  /// Appends the fields to add to a request.
  func sign(
    _ head: HTTPRequest, api: APIIdentity?, bodyDigest: [UInt8], at time: WallTime, nonce: Nonce,
    into fields: inout HTTPFields
  ) throws(CryptographyFailure) {
    let covered = covered.present(in: head.headerFields)
    let api = api.map { CanonicalAPI.encode($0) }
    let canonical = CanonicalRequest(
      keyID: key.id, time: time.seconds, nonce: nonce, method: head.method.rawValue,
      authority: head.authority ?? "", api: api ?? "", path: head.path ?? "",
      bodyDigest: bodyDigest, coveredNames: covered.names,
      coveredValues: covered.values)
    let signature = try canonical.signature(with: key)
    fields.reserveCapacity(fields.count + SignatureFields.all.count)
    fields.append(key.material.field)
    fields.append(Self.unindexed(HTTPField(name: SignatureFields.time, value: String(time.seconds))))
    fields.append(Self.unindexed(HTTPField(name: SignatureFields.nonce, value: nonce.description)))
    if let api { fields.append(HTTPField(name: SignatureFields.api, value: api)) }
    if !covered.values.isEmpty {
      fields.append(HTTPField(name: SignatureFields.covered, value: canonical.coveredNames))
    }
    fields.append(
      Self.unindexed(HTTPField(name: SignatureFields.signature, value: Hexadecimal.encode(signature))))
  }

  /// A field that HPACK must not put into its table: it never comes again, and would push out those that do.
  private static func unindexed(_ field: consuming HTTPField) -> HTTPField {
    field.indexingStrategy = .disallow
    return field
  }
}
