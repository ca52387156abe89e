import HTTPTypes
import Interception
import Testing

@testable import VendorSignatures

@Suite(.enabled(if: SignatureVectors.mustRun, "Requires ../shared/vectors/aws-sigv4/cases.json"))
struct AWSVectorTests {
  static let cases = (try? AWSVector.read()) ?? []

  @Test("The file of AWS cases is read whole, and its number of cases is printed")
  func count() throws {
    let count = try AWSVector.read().count
    SignatureVectors.report("aws-sigv4/cases.json", count)
    #expect(count >= 24)
  }

  @Test("A signature in the fields equals that of each AWS case", arguments: cases)
  func fields(_ vector: AWSVector) async throws {
    let interceptor = VendorSignatureInterceptor(
      try vector.profile(.fields), with: try vector.credentials,
      time: .fixed(try SignatureVectors.time(vector.files.context.timestamp)))
    let signed = try await interceptor.signed(RequestText(vector.files.request).request)
    let expected = try RequestText(vector.files.headerSignedRequest)
    #expect(
      signed.head.headerFields[.authorization]?.part("Signature=") == vector.files.headerSignature)
    var sent = signed.head.headerFields
    sent.append(HTTPField(name: AWSFields.host, value: signed.head.authority ?? ""))
    #expect(sent.sortedLines == expected.fields.sortedLines)
    #expect(signed.head.path == expected.target)
    #expect(signed.body.bytes == Array(expected.body.utf8))
  }

  @Test("A signature in the query equals that of each AWS case", arguments: cases)
  func query(_ vector: AWSVector) async throws {
    let lifetime: Duration = .seconds(vector.files.context.expiration_in_seconds)
    let interceptor = VendorSignatureInterceptor(
      try vector.profile(.query(lifetime: lifetime)), with: try vector.credentials,
      time: .fixed(try SignatureVectors.time(vector.files.context.timestamp)))
    let signed = try await interceptor.signed(RequestText(vector.files.request).request)
    let path = try #require(signed.head.path)
    let expected = try RequestText(vector.files.querySignedRequest)
    #expect(path.split(separator: "X-Amz-Signature=").last?.prefix(64) == vector.files.querySignature[...])
    func items(_ target: String) -> [String] {
      target.split(separator: "?", maxSplits: 1).last?.split(separator: "&").map(String.init).sorted() ?? []
    }
    #expect(items(path) == items(expected.target))
    #expect(path.prefix { $0 != "?" } == expected.target.prefix { $0 != "?" })
    #expect(!signed.head.headerFields.contains(.authorization))
  }
}
