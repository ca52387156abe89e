import Cryptography
import Testing

@testable import RequestAuthorization

@Suite struct DigestResponseTests {
  /// Returns the challenge of a test vector, written as a field and parsed, with one protection to choose.
  private func challenge(_ vector: DigestVectors.Case) throws -> DigestChallenge {
    let given = vector.challenge
    var field = "Digest realm=\"\(given.realm)\", nonce=\"\(given.nonce)\""
    if let qop = vector.qop { field += ", qop=\"\(qop)\"" }
    if let algorithm = given.algorithm { field += ", algorithm=\(algorithm)" }
    if let opaque = given.opaque { field += ", opaque=\"\(opaque)\"" }
    if let charset = given.charset { field += ", charset=\(charset)" }
    if given.userhash == true { field += ", userhash=true" }
    let challenges = Challenge.list([field])
    #expect(challenges.count == 1)
    return try #require(DigestChallenge.strongest(of: challenges))
  }

  private func response(_ vector: DigestVectors.Case) throws -> DigestResponse {
    DigestResponse(
      challenge: try challenge(vector), user: vector.username, password: Secret(vector.password),
      method: vector.method, uri: vector.uri, body: Array((vector.entityBody ?? "").utf8),
      count: vector.nc.flatMap { UInt32($0, radix: 16) } ?? 1, clientNonce: vector.cnonce ?? "unused")
  }

  @Test(
    "Every vector of RFC 7616, RFC 2617 and other clients is reproduced",
    .enabled(if: DigestVectors.mustRun, "Requires ../shared/vectors/signing/digest-auth.json"))
  func vectors() throws {
    let vectors = try DigestVectors.read()
    #expect(vectors.cases.count == 14)
    for vector in vectors.cases {
      let response = try response(vector)
      guard response.challenge.algorithm.hash.isAvailable else {
        let error = #expect(throws: CryptographyError.self, "\(vector.id)") { try response.fieldValue() }
        #expect(error?.reason == .unsupported && error?.operation == "SHA-512/256", "\(vector.id)")
        continue
      }
      #expect(try response.sessionKey() == vector.HA1, "\(vector.id)")
      #expect(try response.targetHash() == vector.HA2, "\(vector.id)")
      #expect(try response.response() == vector.response, "\(vector.id)")
      let parsed = try #require(Challenge.list([try response.fieldValue()]).first)
      #expect(parsed.scheme == "digest")
      #expect(parsed.parameters["response"] == vector.response)
      #expect(parsed.parameters["username"] == vector.usernameHash ?? vector.username)
      #expect(parsed.parameters["userhash"] == vector.challenge.userhash.map { "\($0)" })
      #expect(parsed.parameters["nc"] == vector.nc)
      #expect(parsed.parameters["cnonce"] == vector.cnonce)
      #expect(parsed.parameters["qop"] == vector.qop)
      #expect(parsed.parameters["opaque"] == vector.challenge.opaque)
      #expect(parsed.parameters["algorithm"] == vector.challenge.algorithm)
    }
  }

  @Test(
    "The challenges and the credentials printed in RFC 7616 and RFC 2617 are read and written",
    .enabled(if: DigestVectors.mustRun, "Requires ../shared/vectors/signing/digest-auth.json"))
  func samples() throws {
    let vectors = try DigestVectors.read()
    #expect(vectors.headerSamples.count == 5)
    let two = Challenge.list(vectors.fields("rfc7616-3.9.1-challenges"))
    #expect(two.map { $0.parameters["algorithm"] } == ["SHA-256", "MD5"])
    let chosen = try #require(DigestChallenge.strongest(of: two.reversed()))
    #expect(chosen.algorithm.name == "SHA-256")
    #expect(chosen.protection == .auth)
    let sha = try #require(vectors.cases.first { $0.id == "rfc7616-3.9.1-sha256" })
    #expect(
      [try response(sha).fieldValue()] == vectors.fields("rfc7616-3.9.1-sha256-authorization"))
    let hashing = try #require(
      DigestChallenge.strongest(of: Challenge.list(vectors.fields("rfc7616-3.9.2-challenge"))))
    #expect(hashing.hashesUser && hashing.algorithm.name == "SHA-512-256")
    let old = try #require(
      DigestChallenge.strongest(of: Challenge.list(vectors.fields("rfc2617-3.5-challenge"))))
    #expect(!old.namesAlgorithm && old.algorithm == .byDefault)
    #expect(old.protections == [.auth, .authInt])
    // The user's name in UTF-8, if the server doesn't ask for its hash.
    let starred = DigestResponse(
      challenge: old, user: "Jäsøn Doe", password: Secret("x"), method: "GET", uri: "/", count: 1,
      clientNonce: "c")
    let written = try #require(vectors.fields("rfc7616-3.9.2-username-star").first)
    #expect(try starred.fieldValue().hasPrefix("Digest username*=\(written), realm="))
  }

  @Test("Quotes and backslashes of the server's and the user's texts are escaped")
  func escaping() throws {
    let field = #"Digest realm="a \"b\" \\c", nonce="n\"", opaque="\\", qop=auth"#
    let challenge = try #require(DigestChallenge.strongest(of: Challenge.list([field])))
    let response = DigestResponse(
      challenge: challenge, user: #"J"D\"#, password: Secret("x"), method: "GET", uri: #"/a?b="c""#,
      count: 255,
      clientNonce: "c")
    let parsed = try #require(Challenge.list([try response.fieldValue()]).first)
    #expect(parsed.parameters["realm"] == #"a "b" \c"#)
    #expect(parsed.parameters["nonce"] == #"n""#)
    #expect(parsed.parameters["opaque"] == #"\"#)
    #expect(parsed.parameters["username"] == #"J"D\"#)
    #expect(parsed.parameters["uri"] == #"/a?b="c""#)
    #expect(parsed.parameters["nc"] == "000000ff")
  }

  @Test(
    "A challenge that can't be met is not chosen",
    arguments: [
      "Basic realm=x", "Digest realm=x", "Digest nonce=x", #"Digest realm=x, nonce="""#,
      "Digest realm=x, nonce=y, algorithm=SHA-1", "Digest realm=x, nonce=y, algorithm=",
      "Digest realm=x, nonce=y, algorithm=MD5-sess", "Digest realm=x, nonce=y, algorithm=MD5-sess, qop=token",
    ])
  func unsupported(_ field: String) {
    #expect(DigestChallenge.strongest(of: Challenge.list([field])) == nil)
  }

  @Test(
    "Unknown options of qop are ignored, and a list of them alone counts as absent; auth-int is never weakened",
    arguments: [
      ("", nil), (",", nil), (" ", nil), ("auth-conf", nil), ("token, auth-conf", nil), ("none", nil),
      ("auth", .auth), ("AUTH", .auth), ("auth-conf,auth", .auth), ("auth-int , auth", .auth),
      ("auth auth-int", .auth), ("auth;auth-int", .auth), ("auth-int", .authInt), ("Auth-Int,", .authInt),
      ("auth-int,token", .authInt), ("auth-int;token", .authInt),
    ] as [(String, DigestChallenge.Protection?)])
  func protections(_ qop: String, _ protection: DigestChallenge.Protection?) throws {
    let challenge = try #require(
      DigestChallenge.strongest(of: Challenge.list(["Digest realm=x, nonce=y, qop=\"\(qop)\""])))
    #expect(challenge.protection == protection)
    let response = DigestResponse(
      challenge: challenge, user: "u", password: Secret("p"), method: "GET", uri: "/", count: 1,
      clientNonce: "c")
    let written = try #require(Challenge.list([try response.fieldValue()]).first).parameters
    #expect(written["qop"] == protection?.rawValue)
    #expect(
      (written["cnonce"] == nil) == (protection == nil) && (written["nc"] == nil) == (protection == nil))
  }

  @Test("The strongest algorithm is chosen, and the first of equally strong ones")
  func strongest() throws {
    func chosen(_ algorithms: String...) -> String? {
      let fields = algorithms.map { "Digest realm=x, nonce=y, qop=auth, algorithm=\($0)" }
      return DigestChallenge.strongest(of: Challenge.list(fields))?.algorithm.name
    }
    // CryptoKit has no SHA-512/256, so that the next one is chosen.
    let hasAll = HashAlgorithm.sha512By256.isAvailable
    #expect(chosen("MD5", "sha-256", "SHA-512-256") == (hasAll ? "SHA-512-256" : "SHA-256"))
    #expect(chosen("SHA-256", "SHA-512", "SHA-512-256") == (hasAll ? "SHA-512-256" : "SHA-512"))
    #expect(chosen("SHA-256", "SHA-512-sess", "SHA-512") == "SHA-512-sess")
    #expect(chosen("MD5", "SHA-256-sess", "SHA-256", "MD5-sess") == "SHA-256-sess")
    #expect(chosen("SHA-1", "MD5") == "MD5")
  }
}
