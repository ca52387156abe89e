import HTTPTypes
import Testing

@testable import BodyCompression

@Suite struct DecodingPlanTests {
  @Test(
    "What is decoded follows from the status, the method and the codings",
    arguments: [
      (200, .get, ["gzip"], .decode(["gzip"])), (200, .post, ["BR"], .decode(["br"])),
      (201, .put, ["x-gzip"], .decode(["gzip"])), (404, .get, ["zstd"], .decode(["zstd"])),
      (500, .get, ["deflate"], .decode(["deflate"])), (304, .get, ["gzip"], .asSent),
      (200, .get, ["br, gzip"], .decode(["br", "gzip"])),
      (200, .get, ["br", "gzip"], .decode(["br", "gzip"])),
      // Without content, the field describes that of another response.
      (200, .head, ["gzip"], .asSent), (204, .get, ["gzip"], .asSent), (101, .get, ["gzip"], .asSent),
      (200, .head, ["snappy"], .asSent), (304, .get, ["snappy"], .asSent),
      // A part of coded content can't be decoded.
      (206, .get, ["gzip"], .asSent), (206, .get, ["snappy"], .asSent),
      (200, .get, [], .asSent), (200, .get, ["identity"], .asSent), (200, .get, [""], .asSent),
      (200, .get, ["none, identity", ","], .asSent),
      (200, .get, ["identity, GZIP ,none"], .decode(["gzip"])),
      (200, .get, ["snappy"], .refuse(["snappy"])),
      (200, .get, ["gzip, snappy"], .refuse(["gzip", "snappy"])),
      (200, .get, ["compress"], .refuse(["compress"])), (200, .get, ["gzip br"], .refuse(["gzip br"])),
      (200, .get, ["gzip, gzip", "gzip"], .refuse(["gzip", "gzip", "gzip"])),
    ] as [(Int, HTTPRequest.Method, [String], DecodingPlan)])
  func plan(status: Int, method: HTTPRequest.Method, values: [String], plan: DecodingPlan) {
    let fields = HTTPFields(values.map { HTTPField(name: .contentEncoding, value: $0) })
    let head = HTTPResponse(status: .init(code: status), headerFields: fields)
    #expect(DecodingPlan(for: head, to: method) == plan)
  }
}
