import CCurlShims
import CLibcurl
import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite struct RefusedUploadTests {
  private func isWhole(
    _ body: RequestBody = .bytes([1]), length: String? = "2", received: Int64 = 2,
    despite code: CURLcode = CURLE_HTTP2_STREAM
  ) throws -> Bool {
    let request = Request(method: .put, authority: "home.test", path: "/", body: body)
    let plan = try RequestPlan(request, sites: SiteCache(.init(userAgent: nil)))
    var head = HTTPResponse(status: .contentTooLarge)
    head.headerFields[.contentLength] = length
    return RefusedUpload.isWhole(head, to: plan, received: received, despite: code)
  }

  @Test("A response of the announced length is kept although the upload's stream was closed")
  func whole() throws {
    #expect(try isWhole())
    #expect(try isWhole(length: "0", received: 0))
  }

  @Test("A response that is shorter, or has no length, is not kept")
  func partial() throws {
    #expect(try !isWhole(received: 1))
    #expect(try !isWhole(length: nil))
  }

  @Test("Without content, or after any other failure, no response is kept")
  func others() throws {
    #expect(try !isWhole(.empty))
    #expect(try !isWhole(despite: CURLE_PARTIAL_FILE))
    #expect(try !isWhole(despite: CURLE_HTTP2))
  }
}
