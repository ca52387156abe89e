import HTTPTypes
import Interception
import Testing

@testable import BodyCompression

@Suite struct RefusedCodingTests {
  @Test(
    "A 415 refuses the coding, unless it excludes uncompressed content",
    arguments: [
      (415, "identity", true), (415, "", true), (415, "gzip", true), (415, nil, false),
      (415, "identity;q=0, br", nil), (415, "*;q=0", nil), (400, "identity", nil), (200, "br", nil),
      (411, nil, nil),
    ] as [(Int, String?, Bool?)])
  func statuses(status: Int, field: String?, isCertain: Bool?) {
    let head = HTTPResponse(
      status: .init(code: status), headerFields: field.map { [.acceptEncoding: $0] } ?? [:])
    let refusal = RefusedCoding(.gzip, by: head, isStream: false)
    #expect(refusal?.isCertain == isCertain)
    #expect(refusal.map(\.codings) == isCertain.map { _ in [.gzip] })
  }

  @Test("A 411 refuses every coding of a stream")
  func lengthRequired() {
    let refusal = RefusedCoding(.gzip, by: HTTPResponse(status: .lengthRequired), isStream: true)
    #expect(refusal?.codings == [.zstd, .brotli, .gzip, .deflate] && refusal?.isCertain == true)
  }
}
