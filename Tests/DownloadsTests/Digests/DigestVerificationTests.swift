import HTTPTypes
import Interception
import Testing

@testable import Downloads

@Suite("The verification of a download")
struct DigestVerificationTests {
  private static func digest(_ byte: UInt8, _ algorithm: FileDigest.Algorithm = .sha256) throws -> FileDigest
  {
    try FileDigest(algorithm, bytes: [UInt8](repeating: byte, count: algorithm == .sha256 ? 32 : 64))
  }

  private func head(_ code: Int = 200, _ digest: FileDigest? = nil, trailer: String? = nil) -> HTTPResponse {
    var fields = HTTPFields()
    if let digest { fields[DigestFields.representation] = "\(digest.algorithm.rawValue)=:\(digest.base64):" }
    fields[.trailer] = trailer
    return HTTPResponse(status: .init(code: code), headerFields: fields)
  }

  @Test(
    "The server is asked for a digest if the policy says so",
    arguments: [(.none, nil), (.ifSent, nil), (.requested, "sha-256=10"), (.required, "sha-256=10")]
      as [(DownloadPolicy.DigestCheck, String?)])
  func asking(check: DownloadPolicy.DigestCheck, field: String?) {
    let request = Request(authority: "a.example", path: "/")
    let verification = DigestVerification(check)
    #expect(verification.request(from: request).head.headerFields[DigestFields.wanted] == field)
    var own = request
    own.head.headerFields[DigestFields.wanted] = "sha-512=3"
    #expect(verification.request(from: own).head.headerFields[DigestFields.wanted] == "sha-512=3")
  }

  @Test("Digests are those of a response with content, unless the policy ignores them")
  func stated() throws {
    let digest = try Self.digest(1)
    func found(_ check: DownloadPolicy.DigestCheck, _ code: Int) -> [FileDigest] {
      let head = head(code, digest)
      return DigestVerification(check).digests(in: head.headerFields, of: head.status)
    }
    #expect(found(.ifSent, 200) == [digest] && found(.required, 206) == [digest])
    #expect(found(.none, 200) == [] && found(.ifSent, 416) == [] && found(.ifSent, 304) == [])
  }

  @Test("A response whose digest contradicts the expected one is refused before its content")
  func contradiction() throws {
    let verification = DigestVerification(.ifSent, expected: try Self.digest(1))
    let error = verification.refusal(of: head(), stated: [try Self.digest(2)])
    #expect(error?.underlying(as: DownloadFault.self) == .digestMismatch(.sha256))
    #expect(verification.refusal(of: head(), stated: [try Self.digest(1)]) == nil)
    #expect(verification.refusal(of: head(), stated: [try Self.digest(2, .sha512)]) == nil)
    let ignoring = DigestVerification(.none, expected: try Self.digest(1))
    #expect(ignoring.refusal(of: head(), stated: [try Self.digest(2)]) == nil)
  }

  @Test("A required digest may be the expected one, one of the server, or follow in a trailer")
  func required() throws {
    let verification = DigestVerification(.required)
    let missing = DownloadFault.digestMissing
    #expect(verification.refusal(of: head(), stated: [])?.underlying(as: DownloadFault.self) == missing)
    #expect(verification.refusal(ofFileWith: [])?.underlying(as: DownloadFault.self) == missing)
    #expect(verification.refusal(of: head(trailer: "Repr-Digest"), stated: []) == nil)
    #expect(verification.refusal(of: head(), stated: [try Self.digest(1)]) == nil)
    #expect(verification.refusal(ofFileWith: [try Self.digest(1)]) == nil)
    let expecting = DigestVerification(.required, expected: try Self.digest(1))
    #expect(expecting.refusal(of: head(), stated: []) == nil && expecting.refusal(ofFileWith: []) == nil)
    for check in [DownloadPolicy.DigestCheck.none, .ifSent, .requested] {
      #expect(DigestVerification(check).refusal(of: head(), stated: []) == nil)
    }
  }

  @Test("A file is read once, and twice if the digests are by different algorithms")
  func readings() throws {
    let (mine, other) = (try Self.digest(1), try Self.digest(2, .sha512))
    let expecting = DigestVerification(.ifSent, expected: mine)
    #expect(expecting.required(stated: []) == [mine])
    #expect(expecting.required(stated: [other, mine]) == [mine])
    #expect(expecting.required(stated: [other]) == [mine, other])
    #expect(DigestVerification().required(stated: [mine, other]) == [mine])
    #expect(DigestVerification().required(stated: []).isEmpty)
    #expect(DigestVerification(.none).required(stated: [mine]).isEmpty)
    #expect(DigestVerification(.none, expected: mine).required(stated: [other]) == [mine])
  }

  @Test("A mismatch says which digest the file doesn't have, and what to do")
  func mismatch() throws {
    let verification = DigestVerification(.ifSent, expected: try Self.digest(1))
    let mine = verification.mismatch(try Self.digest(1))
    #expect(mine.reason.hasPrefix("The SHA-256 of the file is not the expected one"))
    #expect(mine.kind == .rejected && mine.requestMayHaveBeenProcessed)
    let other = verification.mismatch(try Self.digest(2, .sha512))
    #expect(other.reason.hasPrefix("The SHA-512 of the file is not the one that the server sent"))
    #expect(other.reason.contains("download it again"))
  }

  @Test("A complete target is accepted by the digests that were found when it was downloaded")
  func targets() throws {
    let (mine, other) = (try Self.digest(1), try Self.digest(2))
    #expect(DigestVerification(.ifSent).accepts(targetWith: []) == true)
    #expect(DigestVerification(.required).accepts(targetWith: []) == false)
    #expect(DigestVerification(.required).accepts(targetWith: [other]) == true)
    let expecting = DigestVerification(.none, expected: mine)
    #expect(expecting.accepts(targetWith: [mine]) == true && expecting.accepts(targetWith: [other]) == false)
    // The target must be read.
    #expect(expecting.accepts(targetWith: []) == nil)
    #expect(expecting.accepts(targetWith: [try Self.digest(1, .sha512)]) == nil)
  }
}
