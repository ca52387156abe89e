import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import MessageSignatures

@Suite struct DigestValuesTests {
  private static let field = MessageSignatureFields.contentDigest

  private func bytes(_ base64: String) throws -> [UInt8] {
    [UInt8](try #require(Data(base64Encoded: base64)))
  }

  @Test(
    "All examples of RFC 9530 are written and checked",
    .enabled(if: SignatureVectors.mustRun, "Requires ../shared/vectors/signing"))
  func vectors() throws {
    let vectors = try DigestVectors.read()
    print("rfc9530.json: \(vectors.examples.count) examples, \(vectors.sampleDigests.values.count) digests")
    for example in vectors.examples {
      let algorithm = try #require(DigestAlgorithm(rawValue: example.algorithm))
      let covered = try bytes(example.coversBase64)
      let name = try #require(HTTPField.Name(example.field))
      let digests = DigestValues([algorithm: try algorithm.digest(of: covered)])
      #expect(digests.text == example.fieldValue, "\(example.id)")
      try DigestValues(example.fieldValue, of: name).check(.bytes(covered))
      #expect(throws: MessageSignatureError(.digestMismatch(algorithm)), "\(example.id)") {
        try DigestValues(example.fieldValue, of: name).check(.bytes(covered + [0]))
      }
      if name == Self.field { #expect(example.contentBase64 == example.coversBase64, "\(example.id)") }
    }
    #expect(vectors.examples.count == 18)

    for sample in vectors.sampleDigests.values {
      let text = "\(sample.algorithm)=\(sample.value)"
      let content = SignableMessage.Content.bytes(Array(vectors.sampleDigests.input.utf8))
      if let algorithm = DigestAlgorithm(rawValue: sample.algorithm) {
        #expect(DigestValues([algorithm: try #require(try content.digest(by: algorithm))]).text == text)
      } else {
        // The registry calls the others insecure or deprecated.
        #expect(throws: MessageSignatureError(.unsupportedDigest), "\(sample.algorithm)") {
          try DigestValues(text, of: Self.field).check(content)
        }
      }
    }
    #expect(vectors.sampleDigests.values.count == 8)

    let both = try DigestValues(vectors.multiple.value, of: Self.field)
    #expect(both.digests.count == 2)
    try both.check(.bytes(try bytes(try #require(vectors.multiple.contentBase64))))
    for want in vectors.wantFields {
      let preferences = try StructuredFieldParser.dictionary(want.value)
      #expect(preferences["sha-256"] != nil)
      var writer = StructuredFieldWriter()
      writer.append(preferences)
      #expect(writer.text == want.value)
    }
  }

  @Test("Every digest by a known algorithm must agree, whatever the others are")
  func allMustAgree() throws {
    let content = Array("hello".utf8)
    var digests = [DigestAlgorithm: [UInt8]]()
    for algorithm in DigestAlgorithm.allCases { digests[algorithm] = try algorithm.digest(of: content) }
    try DigestValues(digests).check(.bytes(content))
    digests[.sha512]?[0] ^= 1
    #expect(throws: MessageSignatureError(.digestMismatch(.sha512))) {
      try DigestValues(digests).check(.bytes(content))
    }
  }

  @Test("Content that was hashed while it was received is checked by the digests that are known")
  func streamed() throws {
    let content = Array("hello".utf8)
    let known = SignableMessage.Content.digests(
      [.sha256: try DigestAlgorithm.sha256.digest(of: content)], length: 5)
    try DigestValues([.sha256: try DigestAlgorithm.sha256.digest(of: content)]).check(known)
    #expect(throws: MessageSignatureError(.unsupportedDigest)) {
      try DigestValues([.sha512: try DigestAlgorithm.sha512.digest(of: content)]).check(known)
    }
  }

  @Test(
    "A digest of another length or type is malformed",
    arguments: ["sha-256=:AAAA:", "sha-256=1", "sha-256=(:AAAA:)", "sha-256", "sha-512=\"x\""])
  func malformed(_ text: String) {
    #expect {
      try DigestValues(text, of: Self.field)
    } throws: { error in
      guard case .malformedField(Self.field, _, _)? = (error as? MessageSignatureError)?.reason else {
        return false
      }
      return true
    }
  }

  @Test("A body is hashed as it is read, from memory, a file or a stream")
  func bodies() async throws {
    let chunks = [Array("hel".utf8), Array("lo".utf8)]
    let expected = try DigestAlgorithm.sha512.digest(of: Array("hello".utf8))
    #expect(try await RequestBody.text("hello").digest(by: .sha512) == expected)
    let stream = RequestBody.restartable(length: nil) { ScriptedByteSource(chunks) }
    #expect(try await stream.digest(by: .sha512) == expected)
  }
}
