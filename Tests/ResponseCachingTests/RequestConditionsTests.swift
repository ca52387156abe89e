import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import ResponseCaching

/// Conditions that a shared cache evaluates (RFC 9111, section 4.3.2).
@Suite struct RequestConditionsTests {
  /// A minute before the start of the fixture's clock.
  private static let modified = "Sun, 06 Nov 1994 08:48:37 GMT"

  private func fixture(_ fields: HTTPFields, sharing: CacheSharing = .shared) -> CacheFixture {
    var fields = fields
    fields[.cacheControl] = "max-age=30"
    fields[.contentType] = "text/plain"
    let sent = fields
    return CacheFixture(sharing: sharing) { _, number throws(NetworkError) in
      Response(status: .ok, headerFields: sent, bytes: Array("response \(number)".utf8))
    }
  }

  @Test(
    "A fresh stored response that the client has is confirmed with 304, another one is sent",
    arguments: [
      ([.ifNoneMatch: #""a""#], true), ([.ifNoneMatch: #"W/"a""#], true), ([.ifNoneMatch: #""b""#], false),
      ([.ifNoneMatch: #""b", "a" ,"c""#], true), ([.ifNoneMatch: #""b,"a""#], nil),
      ([.ifNoneMatch: "*"], true),
      ([.ifNoneMatch: #""b, "a"" "#], false), ([.ifModifiedSince: modified], true),
      ([.ifModifiedSince: "Sun, 06 Nov 1994 08:48:38 GMT"], true),
      ([.ifModifiedSince: "Sun, 06 Nov 1994 08:48:36 GMT"], false), ([.ifModifiedSince: "yesterday"], nil),
      ([.ifNoneMatch: #""b""#, .ifModifiedSince: modified], false),
      ([.ifNoneMatch: #""a""#, .ifModifiedSince: "Sun, 06 Nov 1994 08:00:00 GMT"], true),
      ([.ifMatch: #""a""#], nil), ([.ifUnmodifiedSince: modified], nil), ([.ifRange: #""a""#], nil),
      ([.ifNoneMatch: #""a""#, .ifMatch: #""a""#], nil),
      ([.ifNoneMatch: #""a""#, .cacheControl: "no-cache"], nil),
      ([.ifNoneMatch: #""a""#, .cacheControl: "no-store"], nil),
    ] as [(HTTPFields, Bool?)])
  func conditions(_ fields: HTTPFields, isConfirmed: Bool?) async throws {
    let fixture = fixture([.eTag: "\"a\"", .lastModified: Self.modified, .vary: "Accept"])
    _ = try await fixture.send(.stated())
    let response = try await fixture.send(.stated(fields: fields))
    let text = String(decoding: try await response.body.collect(upTo: 99), as: UTF8.self)
    guard let isConfirmed else {
      #expect(response.exchange.cache == .forwarded(.bypass, stored: false))
      #expect(fixture.server.requests.last?.head.headerFields == fields)
      return
    }
    #expect(fixture.server.requests.count == 1)
    #expect(response.exchange.cache == .hit(ttl: 30))
    #expect(response.status == (isConfirmed ? .notModified : .ok))
    #expect(text == (isConfirmed ? "" : "response 1"))
    if isConfirmed {
      let names = Set(response.head.headerFields.map(\.name))
      #expect(names == [.eTag, .vary, .cacheControl, .age])
    }
  }

  @Test("A stale response, another account's, and a private cache, leave the conditions to the server")
  func forwarded() async throws {
    let conditions: HTTPFields = [.ifNoneMatch: "\"a\""]
    let shared = fixture([.eTag: "\"a\""])
    _ = try await shared.send(.stated())
    #expect(try await shared.text(.stated(partition: "bob", fields: conditions)) == "response 2")
    shared.clock.advance(by: .seconds(30))
    #expect(try await shared.text(.stated(fields: conditions)) == "response 3")
    let alone = fixture([.eTag: "\"a\""], sharing: .private)
    _ = try await alone.send(.stated())
    #expect(try await alone.text(.stated(fields: conditions)) == "response 2")
  }
}
