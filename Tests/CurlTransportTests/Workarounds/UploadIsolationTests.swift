import CLibcurl
import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite struct UploadCareTests {
  private static let old = LibraryFeatures(bits: CURL_VERSION_HTTP2, version: 0x07_58_01)
  private static let new = LibraryFeatures(bits: CURL_VERSION_HTTP2, version: 0x08_01_00)

  private func care(
    _ body: RequestBody, scheme: String = "https", features: LibraryFeatures = old, isMultiplexed: Bool? = nil
  ) throws -> UploadCare {
    let request = Request(
      method: .put, scheme: scheme, authority: "home.test", path: "/", body: body)
    let plan = try RequestPlan(request, sites: SiteMemory(userAgent: nil), decodable: [])
    return UploadCare(for: plan, features: features, isMultiplexed: isMultiplexed)
  }

  private func bytes(_ count: Int) -> RequestBody { .bytes([UInt8](repeating: 0, count: count)) }

  @Test func `what any server lets come at once is sent to its end, what is longer travels alone`() throws {
    #expect(try care(bytes(1)) == .toTheEnd)
    #expect(try care(bytes(65_535)) == .toTheEnd)
    #expect(try care(bytes(65_536)) == .alone)
    #expect(try care(.once(length: 10, PatternSource(length: 10))) == .toTheEnd)
    #expect(try care(.once(length: 65_536, PatternSource(length: 65_536))) == .alone)
    #expect(try care(.once(length: nil, PatternSource(length: 10))) == .alone)
  }

  @Test func `nothing is needed without content`() throws {
    #expect(try care(.empty) == .none)
  }

  @Test func `nothing is needed where connections carry one request at a time`() throws {
    #expect(try care(bytes(65_536), scheme: "http") == .none)
    #expect(try care(bytes(65_536), isMultiplexed: false) == .none)
    #expect(try care(bytes(65_536), isMultiplexed: true) == .alone)
  }

  @Test func `nothing is needed of a libcurl that sees to it`() throws {
    #expect(try care(.once(length: nil, PatternSource(length: 10)), features: Self.new) == .none)
  }
}
