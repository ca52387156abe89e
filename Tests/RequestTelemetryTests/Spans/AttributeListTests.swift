import HTTPTypes
import Interception
import Testing
import Tracing

@testable import RequestTelemetry

@Suite struct AttributeListTests {
  @Test(
    "The server's address has no brackets, and its port is that of the scheme if the URL names none",
    arguments: [
      ("https", "a.test", "a.test", 443), ("http", "a.test", "a.test", 80),
      ("https", "u:p@a.test:8443", "a.test", 8443), ("https", "[2001:db8::1]:81", "2001:db8::1", 81),
      ("HTTPS", "[::1]", "::1", 443), ("ftp", "a.test", "a.test", nil), ("https", "a.test:x", "a.test", 443),
    ])
  func server(scheme: String, authority: String, address: String, port: Int?) {
    let head = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
    var attributes = AttributeList(capacity: 4)
    attributes.add(head, MethodLabel(.get), url: "", resendCount: 0)
    #expect(attributes["server.address"] == .string(address))
    #expect(attributes["server.port"] == port.map { .int64(Int64($0)) })
  }

  @Test("A method that isn't known is a label of its own, and the span's name says HTTP")
  func unknownMethod() throws {
    let method = try #require(HTTPRequest.Method("BREW"))
    let label = MethodLabel(method)
    let head = HTTPRequest(method: method, scheme: "https", authority: "a.test", path: "/")
    var attributes = AttributeList(capacity: 4)
    attributes.add(head, label, url: "", resendCount: 0)
    #expect(attributes["http.request.method"] == .string("_OTHER"))
    #expect(attributes["http.request.method_original"] == .string("BREW"))
    #expect(SpanName.request(label, nil) == "HTTP")
    #expect(SpanName.request(MethodLabel(.get), nil) == "GET")
  }

  @Test(
    "The HTTP version is written as its number",
    arguments: [(TransportReport.HTTPVersion.http1, "1.1"), (.http2, "2"), (.http3, "3")])
  func versions(version: TransportReport.HTTPVersion, text: String) {
    var attributes = AttributeList(capacity: 4)
    attributes.add(TransportReport(version: version))
    #expect(attributes["network.protocol.version"] == .string(text))
  }
}
