import HTTPTypes
import Interception
import Testing

@Suite struct RequestTrailersTests {
  private static func checksum() throws -> HTTPField.Name { try #require(HTTPField.Name("X-Checksum")) }

  @Test(
    "A field that must precede the content is no trailer field",
    arguments: [
      "Content-Length", "transfer-encoding", "HOST", "Authorization", "Cookie", "Cache-Control",
      "Content-Type",
      "Content-Encoding", "Content-Range", "Expect", "If-Match", "Range", "TE", "Trailer", "Max-Forwards",
    ])
  func leadingField(name: String) throws {
    let field = try #require(HTTPField.Name(name))
    let fault = try RequestTrailers([Self.checksum(), field]) { [:] }.fault
    #expect(fault?.hasPrefix(name) == true && fault?.contains("in the head") == true)
    #expect(try RequestTrailers([Self.checksum()]) { [:] }.fault == nil)
  }

  @Test("Names are kept once each, and there must be one")
  func names() throws {
    let name = try Self.checksum()
    #expect(RequestTrailers([name, .eTag, name]) { [:] }.names == [name, .eTag])
    #expect(RequestTrailers([]) { [:] }.fault?.contains("no names") == true)
  }

  @Test("Fields that were announced are returned, also fewer of them, and repeated ones")
  func fields() async throws {
    let name = try Self.checksum()
    for expected: HTTPFields in [
      [:], [name: "1"], HTTPFields([.init(name: name, value: "1"), .init(name: name, value: "2")]),
    ] {
      #expect(try await RequestTrailers([name, .eTag]) { expected }.fields() == expected)
    }
  }

  @Test("A field that was not announced, too many bytes and a failure of the closure are errors")
  func refusedFields() async throws {
    let name = try Self.checksum()
    func error(_ form: @escaping @Sendable () async throws(NetworkError) -> HTTPFields) async -> NetworkError?
    {
      do throws(NetworkError) {
        _ = try await RequestTrailers([name], form: form).fields()
        return nil
      } catch {
        return error
      }
    }
    let unannounced = await error { [.eTag: "secret"] }
    #expect(unannounced?.kind == .invalidRequest && unannounced?.reason.contains("ETag") == true)
    #expect(unannounced?.reason.contains("secret") == false)
    let long = String(repeating: "x", count: RequestTrailers.sizeLimit)
    #expect(await error { [name: long] }?.kind == .invalidRequest)
    #expect(
      await error { () throws(NetworkError) in throw NetworkError(.transport, "gone") }?.kind == .transport)
  }

  @Test("A copy of a request and its next attempt keep the fields; what a response retains has none")
  func copies() throws {
    var request = Request(
      method: .put, authority: "estate.example", path: "/",
      body: .bytes([UInt8](repeating: 1, count: 17 << 10)))
    #expect(!request.hasTrailers)
    let bare = request
    request.trailers = try RequestTrailers([Self.checksum()]) { [:] }
    #expect(request.hasTrailers && request.asAttempt(2).hasTrailers && !bare.hasTrailers)
    for body in [request.body, .text("small")] {
      request.body = body
      var response = Response(status: .ok)
      response.note(request, copying: true)
      #expect(response.request?.hasTrailers == false && request.hasTrailers)
      #expect(response.request?.body.bytes == (body.length == 5 ? body.bytes : []))
    }
  }
}
