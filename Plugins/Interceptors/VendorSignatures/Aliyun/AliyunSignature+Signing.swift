import Cryptography
import HTTPTypes
import Interception

extension AliyunSignature: SignatureProfile {
  var bodyNeed: InterceptorTraits.RequestBodyNeed { .replayable }

  func payloadUse(of head: HTTPRequest) -> PayloadUse { .hash }

  func sign(
    _ request: SignedFacts, with key: VendorCredentials, at time: WallTime
  ) throws(VendorSignatureError) -> SignatureParts {
    if let expires = key.expires, time >= expires { throw .expiredCredentials }
    let present = request.head.headerFields
    guard !present.contains(.authorization) else { throw .alreadySigned("the field Authorization") }
    guard present.contains(AliyunFields.action) else {
      throw .missingField(AliyunFields.action.rawName)
    }
    var parts = SignatureParts()
    let hash = request.hash.map(Hexadecimal.encode) ?? Hexadecimal.encode(Digest.ofNothing)
    parts.fields = [
      HTTPField(unindexed: AliyunFields.date, SigningDate(time).extended),
      HTTPField(unindexed: AliyunFields.nonce, makeNonce()),
      HTTPField(unindexed: AliyunFields.contentHash, hash),
    ]
    if !present.contains(AliyunFields.version) {
      parts.fields.append(HTTPField(name: AliyunFields.version, value: version))
    }
    if let token = key.sessionToken {
      parts.fields.append(HTTPField(unindexed: AliyunFields.securityToken, token))
    }
    let covered = coveredFields(of: request, adding: parts.fields)
    let signature = try signature(
      of: canonicalRequest(request, covering: covered, contentHash: hash), with: keys.key(for: key))
    var authorization = CanonicalText(reserving: 256)
    authorization.append("\(AliyunFields.algorithm) Credential=\(key.keyID),SignedHeaders=")
    covered.writeNames(to: &authorization)
    authorization.append(",Signature=")
    authorization.append(signature)
    parts.fields.append(HTTPField(unindexed: .authorization, authorization.string))
    return parts
  }

  private func coveredFields(of request: SignedFacts, adding added: [HTTPField]) -> CanonicalFields {
    var covered = CanonicalFields(reserving: added.count + 4)
    covered.insert(HTTPField(name: AliyunFields.host, value: request.authority))
    for field in request.head.headerFields where AliyunFields.isCovered(field.name) {
      if !added.contains(where: { $0.name == field.name }) { covered.insert(field) }
    }
    for field in added { covered.insert(field) }
    return covered
  }

  private func canonicalRequest(
    _ request: SignedFacts, covering covered: CanonicalFields, contentHash: String
  ) -> CanonicalText {
    let target = TargetParts(request.head.path ?? "")
    var text = CanonicalText(reserving: 1_024)
    text.append(request.head.method.rawValue)
    text.endLine()
    CanonicalPath.writeEncodedOnce(target.path, to: &text)
    text.endLine()
    if let query = target.query {
      var pairs = CanonicalPairs()
      pairs.append(parsing: query, plusIsSpace: false)
      pairs.sort()
      pairs.write(to: &text)
    }
    text.endLine()
    covered.writeLines(to: &text)
    text.endLine()
    covered.writeNames(to: &text)
    text.endLine()
    text.append(contentHash)
    return text
  }

  private func signature(
    of canonical: CanonicalText, with key: PreparedKey
  ) throws(VendorSignatureError) -> HashValue {
    try keys.digests.withDigest { digest throws(CryptographyError) in
      let hash = try digest.hash(of: canonical.bytes)
      var text = CanonicalText(reserving: 96)
      text.append(AliyunFields.algorithm)
      text.endLine()
      text.append(hash)
      return try key.value(of: text.bytes, in: &digest)
    }
  }
}
