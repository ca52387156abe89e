import Cryptography
import HTTPTypes
import Interception

extension AWSSignature: SignatureProfile {
  var bodyNeed: InterceptorTraits.RequestBodyNeed { payload == .hashed ? .replayable : .untouched }

  var replayAlternative: String? {
    payload == .hashed && path == .objectKey
      ? "choose the payload .chunked or .unsigned of AWSSignature" : nil
  }

  func payloadUse(of head: HTTPRequest) -> PayloadUse { payload == .hashed ? .hash : .none }

  func sign(
    _ request: SignedFacts, with key: VendorCredentials, at time: WallTime
  ) throws(VendorSignatureError) -> SignatureParts {
    if let expires = key.expires, time >= expires { throw VendorSignatureError(.expiredCredentials) }
    let moment = try keys.moment(at: time, for: key)
    return switch placement {
    case .fields: try signedInFields(request, by: key, moment)
    case .query(let lifetime): try signedInQuery(request, by: key, moment, lifetime: lifetime)
    }
  }

  private func signedInFields(
    _ request: SignedFacts, by key: VendorCredentials, _ moment: AWSKeyCache.Moment
  ) throws(VendorSignatureError) -> SignatureParts {
    let head = request.head
    guard !head.headerFields.contains(.authorization) else {
      throw VendorSignatureError(.alreadySigned("the field Authorization"))
    }
    var parts = SignatureParts()
    parts.fields.reserveCapacity(6)
    parts.fields.append(moment.dateField)
    let token = key.sessionToken.map { HTTPField(unindexed: AWSFields.securityToken, $0) }
    if signsSessionToken, let token { parts.fields.append(token) }
    let hash = try contentHash(of: request)
    if addsContentHash {
      parts.fields.append(HTTPField(unindexed: AWSFields.contentHash, hash))
    }
    var chunks: ChunkPlan?
    if case .chunked(let size, let sendsChecksum) = payload {
      let plan = try ChunkPlan(body: request.body, chunkSize: size, sendsChecksum: sendsChecksum)
      chunks = plan
      parts.fields += plan.fields(replacing: head.headerFields)
    }
    let covered = coveredFields(of: request, adding: parts.fields)
    let text = canonicalRequest(request, items: nil, covering: covered, contentHash: hash)
    let signature = try self.signature(of: text, moment)
    var authorization = CanonicalText(reserving: 256)
    authorization.append("AWS4-HMAC-SHA256 Credential=")
    authorization.append(key.keyID)
    authorization.append(byte: UInt8(ascii: "/"))
    authorization.append(moment.scope)
    authorization.append(", SignedHeaders=")
    covered.writeNames(to: &authorization)
    authorization.append(", Signature=")
    authorization.append(signature)
    parts.fields.append(HTTPField(unindexed: .authorization, authorization.string))
    if !signsSessionToken, let token { parts.fields.append(token) }
    if let chunks {
      parts.body = chunks.body(
        request.body, signedBy: ChunkSigner(moment, seed: signature))
    }
    return parts
  }

  private func signedInQuery(
    _ request: SignedFacts, by key: VendorCredentials, _ moment: AWSKeyCache.Moment, lifetime: Duration
  ) throws(VendorSignatureError) -> SignatureParts {
    let target = request.head.path ?? ""
    var pairs = CanonicalPairs(query: TargetParts(target).query)
    guard !pairs.contains(name: "X-Amz-Signature") else {
      throw VendorSignatureError(.alreadySigned("the query item X-Amz-Signature"))
    }
    let covered = coveredFields(of: request, adding: [])
    var names = CanonicalText(reserving: 128)
    covered.writeNames(to: &names)
    var items: [(name: String, value: String)] = [
      ("X-Amz-Algorithm", AWSFields.algorithm), ("X-Amz-Credential", "\(key.keyID)/\(moment.scope)"),
      ("X-Amz-Date", moment.dateField.value), ("X-Amz-SignedHeaders", names.string),
      ("X-Amz-Expires", "\(lifetime.components.seconds)"),
    ]
    let token = key.sessionToken.map { (name: "X-Amz-Security-Token", value: $0) }
    if signsSessionToken, let token { items.append(token) }
    for (name, value) in items { pairs.append(name: name, value: value) }
    let text = canonicalRequest(
      request, items: pairs, covering: covered, contentHash: try contentHash(of: request))
    let signature = try self.signature(of: text, moment)
    items.append((name: "X-Amz-Signature", value: Hexadecimal.encode(signature)))
    if !signsSessionToken, let token { items.append(token) }
    var added = CanonicalText(reserving: 512)
    for (index, item) in items.enumerated() {
      if index > 0 { added.append(byte: UInt8(ascii: "&")) }
      added.append(item.name)
      added.append(byte: UInt8(ascii: "="))
      added.append(encoding: item.value.utf8)
    }
    var parts = SignatureParts()
    parts.path = TargetParts.adding(added.string, to: target)
    return parts
  }

  /// The last line of the canonical request.
  private func contentHash(of request: SignedFacts) throws(VendorSignatureError) -> String {
    switch payload {
    case .hashed: return request.hash.map(Hexadecimal.encode) ?? Hexadecimal.encode(Digest.ofNothing)
    case .unsigned:
      guard request.usesTLS || placement != .fields else {
        throw VendorSignatureError(.requiresTLS("leaves the body unsigned"))
      }
      return AWSFields.unsignedPayload
    case .chunked(_, let sendsChecksum):
      return sendsChecksum ? AWSFields.chunkedPayloadWithTrailer : AWSFields.chunkedPayload
    }
  }

  private func coveredFields(of request: SignedFacts, adding added: [HTTPField]) -> CanonicalFields {
    let fields = request.head.headerFields
    var covered = CanonicalFields(reserving: fields.count + added.count + 1)
    covered.insert(HTTPField(name: AWSFields.host, value: request.authority))
    for field in fields {
      let name = field.name
      if AWSFields.isUncovered(name.canonicalName) || added.contains(where: { $0.name == name }) { continue }
      covered.insert(field)
    }
    for field in added { covered.insert(field) }
    return covered
  }

  /// Writes the canonical request: method, path, query, fields, names of the fields, and hash of the body.
  ///
  /// - Parameter items: The query items, if they differ from those of the request.
  private func canonicalRequest(
    _ request: SignedFacts, items: CanonicalPairs?, covering covered: CanonicalFields, contentHash: String
  ) -> CanonicalText {
    var text = CanonicalText(reserving: 1_024)
    text.append(request.head.method.rawValue)
    text.endLine()
    let target = TargetParts(request.head.path ?? "")
    switch path {
    case .normalized: CanonicalPath.writeNormalized(target.path, to: &text)
    case .unnormalized: CanonicalPath.writeEncoded(target.path, to: &text)
    case .objectKey: CanonicalPath.writeEncodedOnce(target.path, to: &text)
    }
    text.endLine()
    text.append(items ?? CanonicalPairs(query: target.query), covered, contentHash: contentHash)
    return text
  }

  /// Signs the algorithm, the time, the scope and the hash of the canonical request.
  private func signature(
    of canonical: CanonicalText, _ moment: AWSKeyCache.Moment
  ) throws(VendorSignatureError) -> HashValue {
    try keys.digests.withDigest { digest throws(CryptographyError) in
      let hash = try digest.hash(of: canonical.bytes)
      var text = CanonicalText(reserving: 192)
      text.append(AWSFields.algorithm)
      text.endLine()
      text.append(moment.dateField.value)
      text.endLine()
      text.append(moment.scope)
      text.endLine()
      text.append(hash)
      return try moment.key.value(of: text.bytes, in: &digest)
    }
  }
}

/// The fields and constants of AWS Signature Version 4.
enum AWSFields {
  static let host = HTTPField.Name(signature: "Host")
  static let date = HTTPField.Name(signature: "X-Amz-Date")
  static let contentHash = HTTPField.Name(signature: "X-Amz-Content-SHA256")
  static let securityToken = HTTPField.Name(signature: "X-Amz-Security-Token")
  static let decodedLength = HTTPField.Name(signature: "X-Amz-Decoded-Content-Length")
  static let trailer = HTTPField.Name(signature: "X-Amz-Trailer")

  static let algorithm = "AWS4-HMAC-SHA256"
  static let unsignedPayload = "UNSIGNED-PAYLOAD"
  static let chunkedPayload = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
  static let chunkedPayloadWithTrailer = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"

  /// The fields that the signature itself adds, whose values in a request are replaced.
  static let added: [HTTPField.Name] = [date, contentHash, securityToken]

  /// Whether the signature leaves out a field, by its name in lower case, because the transport or a proxy
  /// may change it.
  static func isUncovered(_ name: String) -> Bool {
    switch name.utf8.first {
    case UInt8(ascii: "a"): name == "accept-encoding" || name == "authorization"
    case UInt8(ascii: "c"): name == "connection"
    case UInt8(ascii: "e"): name == "expect"
    case UInt8(ascii: "h"): name == "host"
    case UInt8(ascii: "k"): name == "keep-alive"
    case UInt8(ascii: "p"):
      name == "proxy-authenticate" || name == "proxy-authorization" || name == "proxy-connection"
    case UInt8(ascii: "t"): name == "te" || name == "trailer" || name == "transfer-encoding"
    case UInt8(ascii: "u"): name == "upgrade" || name == "user-agent"
    case UInt8(ascii: "x"):
      name == "x-amzn-trace-id" || name == "x-amz-date" || name == "x-amz-content-sha256"
        || name == "x-amz-security-token"
    default: false
    }
  }
}
