import Cryptography
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RequestSigning

@Suite struct SignatureVectorTests {
  @Test("The vectors are complete, and their names differ")
  func document() throws {
    let vectors = try SignatureVectors.document.get()
    #expect(vectors.signatures.count >= 20)
    #expect(vectors.verifications.count >= 70)
    #expect(vectors.responses.count >= 5)
    #expect(vectors.presigned.count >= 5)
    #expect(Set(vectors.signatures.map(\.name)).count == vectors.signatures.count)
    #expect(Set(vectors.verifications.map(\.name)).count == vectors.verifications.count)
  }

  @Test(
    "C7: The signature of each vector has its canonical bytes, its key of the day and its fields",
    arguments: (try? SignatureVectors.document.get().signatures) ?? [])
  func signing(_ vector: RequestToSign) throws {
    #expect(try vector.canonicalBytes() == #require(vector.canonical))
    let derived = try vector.key().material.derivedKey(day: vector.time / 86_400)
    #expect(Hexadecimal.encode(derived) == vector.dailyKey)
    #expect(try vector.signed() == vector.added)
  }

  @Test(
    "C7: The verifier accepts and refuses the requests of each vector, for the stated reasons",
    arguments: (try? SignatureVectors.document.get().verifications) ?? [])
  func verifying(_ vector: SignatureVectors.Verification) throws {
    let keys = try SignatureVectors.document.get().keys.map { id, secret in
      try SigningKey(id: id, secret: RequestToSign.bytes(secret))
    }
    let now = WallTime(secondsSince1970: vector.now)
    let verifier = SignatureVerifier(
      keys: SigningKeys(try #require(keys.first), accepting: keys), start: WallTime(secondsSince1970: 0),
      time: TimeSource(TestClock(), wall: { now }))
    let outcomes = try vector.requests.map { verifier.outcome(of: try $0.signedRequest()) }
    #expect(outcomes == vector.outcomes)
  }

  @Test(
    "C7: The signature of each response has its canonical bytes and its fields, and is verified",
    arguments: (try? SignatureVectors.document.get().responses) ?? [])
  func responses(_ vector: ResponseToSign) throws {
    let (keys, body) = (try vector.keys(), try RequestToSign.bytes(vector.body))
    var head = try vector.head()
    let covered = CoveredFields(try vector.covered()).present(in: head.headerFields)
    let canonical = CanonicalResponse(
      keyID: vector.keyID, requestTime: vector.time, requestNonce: try vector.claims().nonce,
      status: "\(vector.status)", bodyDigest: try Digest.sha256(body), coveredNames: covered.names,
      coveredValues: covered.values)
    #expect(Hexadecimal.encode(canonical.bytes) == vector.canonical)
    let added = try ResponseSigner(keys: keys, covering: vector.covered()).sign(
      head, body: body, for: vector.claims())
    #expect(added.map { [$0.name.rawName, $0.value] } == vector.added)
    for field in added { head.headerFields.append(field) }
    let request = HTTPFields([
      HTTPField(name: SignatureFields.key, value: vector.keyID),
      HTTPField(name: SignatureFields.time, value: "\(vector.time)"),
      HTTPField(name: SignatureFields.nonce, value: vector.nonce),
    ])
    let (context, key) = try (
      #require(ResponseVerification.Context(request)), #require(keys.verificationKey(id: vector.keyID))
    )
    try ResponseVerification(requiredFields: [.contentType]).verify(head, body: body, for: context, with: key)
  }

  @Test(
    "C7: Each presigned URL is as specified, and is accepted",
    arguments: (try? SignatureVectors.document.get().presigned) ?? [])
  func presigned(_ vector: RequestToPresign) throws {
    let head = try RequestToVerify.head(
      method: vector.method, authority: vector.authority, path: vector.path, fields: [])
    let time = WallTime(secondsSince1970: vector.time)
    let signed = try RequestSigner(key: vector.key()).presign(
      head, api: vector.api.map { APIIdentity(service: $0.service, name: $0.name) },
      expiresAfter: .seconds(vector.lifetime), at: time, nonce: #require(Nonce(vector.nonce)))
    #expect(signed.path == vector.presigned)
    let verifier = SignatureVerifier(
      keys: SigningKeys(try vector.key()), time: TimeSource(TestClock(), wall: { time }))
    #expect(try verifier.verifyPresigned(SignedRequest(signed, body: [])).keyID == vector.keyID)
  }
}
