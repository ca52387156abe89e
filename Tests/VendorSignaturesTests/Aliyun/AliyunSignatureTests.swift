import HTTPTypes
import Interception
import Testing

@testable import VendorSignatures

@Suite struct AliyunSignatureTests {
  private let now = WallTime(secondsSince1970: 1_698_315_752)

  private func signed(_ fields: HTTPFields) async throws -> HTTPFields {
    let credentials = try VendorCredentials(keyID: "K", secret: String(repeating: "s", count: 100))
    return try await VendorSignatureInterceptor(
      try AliyunSignature(version: "2014-05-26"), with: credentials, time: .fixed(now)
    ).signed(Request(authority: "ecs.example", path: "/", headerFields: fields)).head.headerFields
  }

  @Test("C7: Each signature has its own nonce and covers it")
  func nonces() async throws {
    let fields: HTTPFields = [AliyunFields.action: "Describe"]
    let first = try await signed(fields)
    let second = try await signed(fields)
    #expect(first[AliyunFields.nonce]?.count == 32)
    #expect(first[AliyunFields.nonce] != second[AliyunFields.nonce])
    #expect(first[.authorization]?.part("Signature=") != second[.authorization]?.part("Signature="))
    #expect(first[.authorization]?.part("SignedHeaders=")?.contains("x-acs-signature-nonce") == true)
  }

  @Test("The version of the profile is used unless the request names one")
  func version() async throws {
    let own: HTTPFields = [AliyunFields.action: "Describe", AliyunFields.version: "2020-01-01"]
    #expect(try await signed(own)[values: AliyunFields.version] == ["2020-01-01"])
    #expect(try await signed([AliyunFields.action: "Describe"])[AliyunFields.version] == "2014-05-26")
  }

  @Test("A request without an action, and one with credentials of its own, are refused")
  func refused() async throws {
    await #expect(throws: VendorSignatureError(.missingField("x-acs-action"))) { try await signed([:]) }
    await #expect(throws: VendorSignatureError(.alreadySigned("the field Authorization"))) {
      try await signed([AliyunFields.action: "Describe", .authorization: "Bearer t"])
    }
  }
}
