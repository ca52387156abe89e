import Cryptography
import Foundation
import HTTPTypes
import Interception
import Testing

@testable import VendorSignatures

@Suite(.enabled(if: SignatureVectors.mustRun, "Requires ../shared/vectors/signing/aliyun-acs3.json"))
struct AliyunVectorTests {
  struct File: Decodable, Sendable {
    struct Case: Decodable, Sendable {
      let id: String
      let accessKeyId: String
      let accessKeySecret: String
      let method: String
      let host: String
      let path: String
      let query: [[String]]
      let headers: [[String]]
      let body: String
      let hashedPayload: String
      let signedHeaders: String
      let signature: String
      let authorization: String
    }

    struct Primitive: Decodable, Sendable {
      let key: String
      let message: String
      let hmacSHA256Hex: String
    }

    struct Encoding: Decodable, Sendable {
      let kind: String
      let input: String
      let expected: String
    }

    let cases: [Case]
    let primitives: [Primitive]
    let encoding: [Encoding]
  }

  private func file() throws -> File { try SignatureVectors.read("signing/aliyun-acs3.json", as: File.self) }

  private func encoded(_ text: String, slashes: Bool = false) -> String {
    var encoded = CanonicalText(reserving: 0)
    if slashes {
      CanonicalPath.writeEncoded(text[...].utf8, to: &encoded)
    } else {
      encoded.append(encoding: text.utf8)
    }
    return encoded.string
  }

  @Test("The signature equals that of each ACS3 case")
  func cases() async throws {
    let file = try file()
    SignatureVectors.report("signing/aliyun-acs3.json", file.cases.count)
    #expect(file.cases.count >= 4)
    for vector in file.cases {
      let given = try HTTPFields(pairs: vector.headers)
      var fields = given
      for name in [AliyunFields.date, AliyunFields.nonce, AliyunFields.securityToken] { fields[name] = nil }
      let nonce = try #require(given[AliyunFields.nonce])
      let signature = try AliyunSignature(version: "2000-01-01", nonces: { nonce })
      let credentials = try VendorCredentials(
        keyID: vector.accessKeyId, secret: vector.accessKeySecret,
        sessionToken: given[AliyunFields.securityToken])
      let query = vector.query.map { "\(encoded($0[0]))=\(encoded($0[1]))" }.joined(separator: "&")
      let request = Request(
        method: try #require(HTTPRequest.Method(vector.method)), authority: vector.host,
        path: encoded(vector.path, slashes: true) + (query.isEmpty ? "" : "?\(query)"), headerFields: fields,
        body: .text(vector.body))
      let time = try SignatureVectors.time(try #require(given[AliyunFields.date]))
      let sent = try await VendorSignatureInterceptor(signature, with: credentials, time: .fixed(time))
        .signed(request).head.headerFields
      #expect(sent[.authorization] == vector.authorization, "\(vector.id)")
      #expect(sent[AliyunFields.contentHash] == vector.hashedPayload)
      #expect(sent[AliyunFields.date] == given[AliyunFields.date])
    }
  }

  @Test("The primitives and the encodings of the file are reproduced")
  func primitives() throws {
    let file = try file()
    for primitive in file.primitives {
      let tag = try KeyedHash.sha256.tag(
        key: Array(primitive.key.utf8), message: Array(primitive.message.utf8))
      #expect(Hexadecimal.encode(tag) == primitive.hmacSHA256Hex)
    }
    for encoding in file.encoding {
      #expect(encoded(encoding.input, slashes: encoding.kind == "path") == encoding.expected)
    }
  }
}
