import BodyCompression
import ContentCodings
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite struct ResponseCodingsTests {
  private func asked(_ change: (inout Request) -> Void = { _ in }) async throws -> [ContentCoding] {
    let dispatcher = ScriptedDispatcher()
    var request = Request(authority: "a.test", path: "/")
    change(&request)
    _ = try await Pipeline(over: dispatcher) { CompressionInterceptor() }.send(request)
    return dispatcher.requests[0].options.acceptedCodings
  }

  @Test("E9: Four content codings are offered by default")
  func defaults() async throws {
    #expect(try await asked() == [.gzip, .brotli, .zstd, .deflate])
  }

  @Test("The caller's own codings, Accept-Encoding and Range are kept")
  func callersOwn() async throws {
    #expect(try await asked { $0.options.acceptedCodings = [.deflate] } == [.deflate])
    #expect(try await asked { $0.head.headerFields[.acceptEncoding] = "br" } == [])
    #expect(try await asked { $0.head.headerFields[.range] = "bytes=0-99" } == [])
  }

  @Test("A dispatcher that doesn't decode is refused, unless no codings are offered")
  func needsADecoder() throws {
    let plain = ScriptedDispatcher(capabilities: []) { _, _ throws(NetworkError) in Response(status: .ok) }
    let issue = #expect(throws: PipelineIssue.self) { try Pipeline(over: plain) { CompressionInterceptor() } }
    #expect(
      issue?.faults == [
        .missingCapability(
          .responseDecoding, neededBy: "CompressionInterceptor", dispatcher: "ScriptedDispatcher")
      ])
    _ = try Pipeline(over: plain) { CompressionInterceptor(accepting: []) }
  }

  @Test("Called without a pipeline over a dispatcher that doesn't decode, it offers no codings")
  func asksNothingOfAPlainDispatcher() async throws {
    let plain = ScriptedDispatcher(capabilities: []) { _, _ throws(NetworkError) in Response(status: .ok) }
    _ = try await CompressionInterceptor().intercept(
      Request(authority: "a.test", path: "/"), next: plain)
    #expect(plain.requests.first?.options.acceptedCodings == [])
  }

  @Test("A response that is still encoded is returned unchanged")
  func stillCoded() async throws {
    let coded = try #require(try ContentCoding.gzip.encode(SampleBytes.text(3_000_000)))
    let dispatcher = ScriptedDispatcher(
      answering: Response(
        status: .ok, headerFields: [.contentEncoding: "gzip", .eTag: "\"x\""], bytes: coded))
    let response = try await Pipeline(over: dispatcher) { CompressionInterceptor() }
      .send(Request(authority: "a.test", path: "/"))
    #expect(try await response.body.collect(upTo: coded.count) == coded)
    #expect(response.head.headerFields == [.contentEncoding: "gzip", .eTag: "\"x\""])
  }
}
