import Cryptography
import HTTPTypes
public import Interception
import NonceStores

/// Verifies the signatures of messages (RFC 9421, section 3.2): coverage, times, key, algorithm, signature,
/// content and nonce, in this order.
///
/// One verifier serves all threads of a process; copies share its nonces. Only nonces of valid signatures are
/// remembered, so a client without a key can't fill the memory.
///
/// ```swift
/// let verifier = MessageVerifier(keys: MessageKeys(clientKey))
/// let signature = try verifier.verify(SignableMessage(request, content: body))
/// ```
///
/// Behind a load balancer a replay may reach another process, which doesn't know the nonce. There, use
/// ``SharedMessageVerifier``, whose nonces are in a store that all processes share.
public struct MessageVerifier: Sendable {
  private let keys: any TrustedMessageKeySource
  private let policy: SignaturePolicy
  private let fieldTypes: [String: StructuredFieldType]
  let maximumAge: Int64
  let skew: Int64
  private let nonceCapacity: Int
  private let nonces: NonceRecord
  let time: TimeSource

  /// Creates a verifier.
  ///
  /// - Parameters:
  ///   - keys: The keys that are accepted.
  ///   - policy: What a signature must have.
  ///   - nonceCapacity: The maximum number of nonces remembered, about 130 bytes each. They are kept until
  ///     their signatures are too old, so the default of 262,144 is enough for 700 requests per second with
  ///     the default policy; beyond it requests are refused.
  ///   - start: The time since which the nonces are complete, that of the verifier's creation by default: a
  ///     message with a nonce that may have been accepted before is refused with 503. A client's clock may be
  ///     fast by the policy's clock skew, so by default all of them are refused for that time. If no process
  ///     accepted messages before, give an earlier time; otherwise choose a small skew, or keep the nonces
  ///     in a file with ``SharedMessageVerifier``.
  ///   - time: The local clock.
  public init(
    keys: some TrustedMessageKeySource, policy: SignaturePolicy = .request, nonceCapacity: Int = 1 << 18,
    start: WallTime? = nil, time: TimeSource = .system
  ) {
    self.keys = keys
    self.policy = policy
    self.nonceCapacity = nonceCapacity
    self.time = time
    fieldTypes = Dictionary(
      policy.structuredFields.map { ($0.key.canonicalName, $0.value) },
      uniquingKeysWith: { first, _ in first })
    maximumAge = Self.seconds(min(max(policy.maximumAge, .seconds(1)), .seconds(86_400)))
    skew = Self.seconds(min(max(policy.clockSkew, .zero), .seconds(86_400)))
    nonces = NonceRecord(
      NonceLedger(
        window: maximumAge + skew, capacity: nonceCapacity, start: start ?? time.wallTime(),
        lead: .seconds(skew)))
  }

  /// The number of nonces currently remembered.
  package var nonceCount: Int { nonces.count }

  /// Verifies a message's signature, and accepts its nonce once.
  ///
  /// - Parameters:
  ///   - message: The message as received.
  ///   - request: The request of a response, as it was sent.
  /// - Throws: ``MessageSignatureError``, of the kind `replayed` for a repeated message.
  @discardableResult
  public func verify(
    _ message: SignableMessage, inResponseTo request: SignableMessage? = nil
  ) throws(MessageSignatureError) -> VerifiedSignature {
    let now = time.wallTime().seconds
    let verified = try authenticate(message, inResponseTo: request, at: now)
    guard let nonce = verified.nonce else { return verified }
    let verdict = nonces.record(
      try Nonce(hashing: nonce), keyID: verified.keyID, signedAt: verified.created.seconds, now: now)
    switch verdict {
    case .accepted: return verified
    case .replayed: throw MessageSignatureError(.replayedNonce)
    case .forgotten: throw MessageSignatureError(.forgottenNonce)
    case .full: throw MessageSignatureError(.tooManyNonces(limit: nonceCapacity))
    }
  }

  /// Verifies everything except whether the nonce was used before.
  ///
  /// Use it only if another store remembers nonces, per key and until the signature is too old.
  ///
  /// - Throws: ``MessageSignatureError``.
  package func authenticate(
    _ message: SignableMessage, inResponseTo request: SignableMessage? = nil
  ) throws(MessageSignatureError) -> VerifiedSignature {
    try authenticate(message, inResponseTo: request, at: time.wallTime().seconds)
  }

  func authenticate(
    _ message: SignableMessage, inResponseTo request: SignableMessage?, at now: Int64
  ) throws(MessageSignatureError) -> VerifiedSignature {
    let received = try ReceivedSignature(of: message, selecting: policy.selection)
    let parameters = received.parameters
    try checkCoverage(of: parameters, in: message, request)
    let created = try checkTimes(of: parameters, at: now)
    guard let keyID = parameters.keyID else { throw MessageSignatureError(.missingParameter("keyid")) }
    if policy.requiresNonce, parameters.nonce == nil {
      throw MessageSignatureError(.missingParameter("nonce"))
    }
    guard let key = keys.messageKey(id: keyID) else { throw MessageSignatureError(.unknownKey) }
    if let name = parameters.algorithm {
      guard let algorithm = SignatureAlgorithm(rawValue: name) else {
        throw MessageSignatureError(.unknownAlgorithm(name))
      }
      guard algorithm == key.algorithm else {
        throw MessageSignatureError(.wrongAlgorithm(algorithm, expected: key.algorithm))
      }
    }
    let base = try SignatureBase.bytes(
      of: parameters,
      in: ComponentValues(message: message, request: request, fieldTypes: fieldTypes))
    guard try key.verifies(received.signature, of: base) else { throw MessageSignatureError(.mismatch) }
    try checkContent(of: message, coveredBy: parameters)
    return VerifiedSignature(
      label: received.label, keyID: keyID, algorithm: key.algorithm,
      created: WallTime(secondsSince1970: created),
      expires: parameters.expires.map { WallTime(secondsSince1970: $0) }, nonce: parameters.nonce,
      tag: parameters.tag, components: parameters.components)
  }

  private func checkCoverage(
    of parameters: SignatureParameters, in message: SignableMessage, _ request: SignableMessage?
  ) throws(MessageSignatureError) {
    for required in policy.requiredComponents {
      if parameters.components.contains(where: { $0.includes(required) }) { continue }
      guard case .field(let name, let form, let inTrailers) = required.kind else {
        throw MessageSignatureError(.uncovered(required))
      }
      guard let source = required.isOfRequest ? request : message else {
        throw MessageSignatureError(.uncovered(required))
      }
      if name == MessageSignatureFields.contentDigest.canonicalName, !required.isOfRequest {
        guard message.content.isEmpty else { throw MessageSignatureError(.uncovered(required)) }
      }
      // A member of the request's fields binds the response to it, so its absence is no excuse.
      if case .member = form, required.isOfRequest { throw MessageSignatureError(.uncovered(required)) }
      guard source.values(of: name, inTrailers: inTrailers) == nil else {
        throw MessageSignatureError(.uncovered(required))
      }
    }
    // Whatever the policy, because such a field makes `@method` meaningless to a server that obeys it.
    for name in MessageSignatureFields.methodOverrides where message.values(of: name.canonicalName) != nil {
      let required = MessageComponent.field(name)
      guard message.isResponse || parameters.components.contains(where: { $0.includes(required) }) else {
        throw MessageSignatureError(.uncovered(required))
      }
    }
  }

  /// Returns the time of creation.
  private func checkTimes(
    of parameters: SignatureParameters, at now: Int64
  ) throws(MessageSignatureError) -> Int64 {
    guard let created = parameters.created else { throw MessageSignatureError(.missingParameter("created")) }
    let age = now - created
    guard age >= -skew else { throw MessageSignatureError(.createdInFuture(by: .seconds(-age - skew))) }
    guard age <= maximumAge + skew else {
      throw MessageSignatureError(.tooOld(by: .seconds(age - maximumAge)))
    }
    if let expires = parameters.expires {
      guard expires > created else { throw MessageSignatureError(.malformedParameter("expires")) }
      guard now < expires + skew else { throw MessageSignatureError(.expired(by: .seconds(now - expires))) }
    }
    return created
  }

  /// Throws unless the content is the one whose digest the signature covers.
  private func checkContent(
    of message: SignableMessage, coveredBy parameters: SignatureParameters
  ) throws(MessageSignatureError) {
    let field = MessageSignatureFields.contentDigest
    for component in parameters.components where !component.isOfRequest {
      guard case .field(field.canonicalName, let form, let inTrailers) = component.kind,
        let values = message.values(of: field.canonicalName, inTrailers: inTrailers)
      else { continue }
      var digests = try DigestValues(values.joined(separator: ", "), of: field)
      // The other members of the dictionary aren't authentic then.
      if case .member(let key) = form { digests.digests = digests.digests.filter { $0.key.rawValue == key } }
      try digests.check(message.content)
    }
  }

  /// Returns whole seconds, rounded up.
  private static func seconds(_ duration: Duration) -> Int64 {
    let (seconds, rest) = duration.components
    return seconds + (rest > 0 ? 1 : 0)
  }
}

extension Nonce {
  /// Creates the nonce under which that of a message is remembered: half of its SHA-256, which bounds the
  /// memory for a nonce of any length and has no collisions in practice.
  init(hashing nonce: String) throws(MessageSignatureError) {
    let hash: HashValue
    do throws(CryptographyError) { hash = try HashValue(sha256: Array(nonce.utf8)) } catch {
      throw MessageSignatureError(.cryptography(operation: error.operation))
    }
    let (high, low) = hash.withBytes { bytes in
      (bytes.load(as: UInt64.self), bytes.load(fromByteOffset: 8, as: UInt64.self))
    }
    // The same number on every machine of a fleet.
    self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
  }
}
