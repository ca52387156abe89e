import HTTPTypes
import Interception
import Testing

@testable import Uploads

@Suite("The URL of an upload")
struct UploadTargetTests {
  private static let base = "https://a.example/files/new?key=1"

  private func target(_ locations: String..., base: String = base) throws -> UploadTarget {
    var fields = HTTPFields()
    for location in locations { fields.append(HTTPField(name: .location, value: location)) }
    return try target(fields, base: base)
  }

  private func target(_ fields: HTTPFields, base: String = base) throws -> UploadTarget {
    do throws(NetworkError) {
      return try UploadTarget(of: HTTPResponse(status: .created, headerFields: fields), to: base)
    } catch {
      throw try #require(error.underlying as? UploadFault)
    }
  }

  @Test(
    "A location is absolute or relative to the URL of the creation",
    arguments: [
      ("https://b.example:8443/u/1?t=2", "https://b.example:8443/u/1?t=2"), ("/u/1", "https://a.example/u/1"),
      ("1", "https://a.example/files/1"), ("../u/./1", "https://a.example/u/1"),
      ("//c.example/u", "https://c.example/u"), ("?id=7", "https://a.example/files/new?id=7"),
      ("/a b#part", "https://a.example/a%20b"),
    ])
  func resolved(location: String, url: String) throws {
    #expect(try target(location).url == url)
    #expect(try UploadTarget(url) == target(location))
  }

  @Test("A location of http is accepted from http only, and https from both")
  func schemes() throws {
    #expect(try target("http://a.example/u", base: "http://a.example/files").scheme == "http")
    #expect(try target("https://a.example/u", base: "http://a.example/files").scheme == "https")
    #expect(throws: UploadFault.invalidLocation) { try target("http://a.example/u") }
  }

  @Test(
    "A location that is no http URL is refused",
    arguments: [
      "ftp://a.example/u", "https://user:pw@a.example/u", "https:///u", "file:/etc/passwd", "",
    ])
  func refused(location: String) {
    #expect(throws: UploadFault.invalidLocation) { try target(location) }
  }

  @Test("A location of at most 8 KiB is accepted, and is one that a record can have")
  func lengths() throws {
    let start = "https://a.example/"
    let longest = start + String(repeating: "u", count: 8_192 - start.utf8.count)
    let target = try target(longest)
    let record = UploadRecord(
      identity: String(repeating: "a", count: 64), stamp: try #require(FileStamp("file 9 3 100 5")),
      expires: nil, target: target)
    #expect(UploadRecord(record.bytes) == record)
    for location in [longest + "u", "/u" + String(repeating: " ", count: 3_000) + "u", "?" + longest] {
      #expect(throws: UploadFault.invalidLocation) { try self.target(location) }
    }
    let long = UploadRecord(
      identity: record.identity, stamp: record.stamp, expires: nil,
      target: try #require(UploadTarget(longest + "u")))
    #expect(UploadRecord(long.bytes) == nil)
  }

  @Test("A missing location differs from different ones, and the same one twice is one")
  func ambiguous() throws {
    #expect(throws: UploadFault.notResumable) { try target() }
    #expect(throws: UploadFault.invalidLocation) { try target("/u/1", "/u/2") }
    #expect(try target("/u/1", "/u/1", "/u/1").url == "https://a.example/u/1")
    #expect(try target("", "/u/1").url == "https://a.example/u/1")
  }

  @Test("Bytes that are not UTF-8 are percent-encoded as they are")
  func opaque() throws {
    let fields = HTTPFields([HTTPField(name: .location, value: Array("/u/Jos".utf8) + [0xE9])])
    #expect(try target(fields).url == "https://a.example/u/Jos%E9")
    #expect(try UploadTarget("https://a.example/u/Jos%E9") == target(fields))
  }

  @Test("The error of different locations names the field, and none of them")
  func different() {
    let fields = HTTPFields(["/u/s3cret", "/u/other"].map { HTTPField(name: .location, value: $0) })
    let error = #expect(throws: NetworkError.self) {
      try UploadTarget(of: HTTPResponse(status: .created, headerFields: fields), to: Self.base)
    }
    #expect(error?.reason == "The response has 2 different values of Location; the server must send one.")
    #expect(error?.kind == .protocolViolation)
  }

  @Test("Another origin receives the request's own fields, but not its credentials")
  func credentials() throws {
    let fields: HTTPFields = [.authorization: "Bearer t", .cookie: "c=1", .accept: "*/*"]
    var request = Request(method: .post, authority: "a.example", path: "/files", headerFields: fields)
    try #require(UploadTarget("https://A.example:443/u/1")).apply(to: &request)
    #expect(request.head.headerFields == fields && request.head.path == "/u/1")
    #expect(!request.context.hasLeftOrigin)
    try #require(UploadTarget("https://b.example/u/1")).apply(to: &request)
    #expect(request.head.headerFields == [.accept: "*/*"] && request.head.authority == "b.example")
    #expect(request.context.hasLeftOrigin)
  }

  @Test("A text is shown without the path and the query of the URL")
  func hidden() throws {
    let target = try #require(UploadTarget("https://a.example/u/s3cret-path?token=1"))
    #expect(
      target.hidden(in: "PATCH https://a.example/u/s3cret-path?token=1 failed; see /u/s3cret-path.")
        == "PATCH https://a.example/… failed; see /….")
  }
}
