import HTTPTypes
import Testing

@testable import EstateServer

@Suite struct AnswerTests {
  @Test(
    "Lists, details and rates have a strong entity tag and answer 304 to it",
    arguments: ["/v1/houses", "/v1/condos?page=2", "/v1/multi-family", "/v1/homes/7", "/v1/mortgage-rates"])
  func conditional(target: String) async throws {
    let caller = try APICaller()
    let first = try await caller.get(target)
    let tag = try #require(first.fields[.eTag])
    #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count == 34)
    #expect(first.fields[.cacheControl] == "private, max-age=60")
    for condition in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
      let again = try await caller.get(target, fields: [.ifNoneMatch: condition])
      #expect(again.status == .notModified)
      #expect(again.bytes.isEmpty && again.fields[.contentLength] == String(first.bytes.count))
      #expect(again.fields[.eTag] == tag)
      #expect(again.fields[.cacheControl] == "private, max-age=60")
    }
    let other = try await caller.get(target, fields: [.ifNoneMatch: "\"other\""])
    #expect(other.status == .ok && other.bytes == first.bytes)
  }

  @Test("Different pages have different tags, and equal pages equal ones")
  func tags() async throws {
    let caller = try APICaller()
    let one = try await caller.get("/v1/houses?page=1").fields[.eTag]
    let same = try await APICaller().get("/v1/houses").fields[.eTag]
    let two = try await caller.get("/v1/houses?page=2").fields[.eTag]
    #expect(one == same && one != two)
  }

  @Test("A client that accepts gzip receives it, with another tag")
  func coded() async throws {
    let caller = try APICaller()
    let plain = try await caller.get("/v1/houses?size=100")
    let coded = try await caller.get("/v1/houses?size=100", fields: [.acceptEncoding: "br, gzip;q=0.5"])
    #expect(plain.fields[.contentEncoding] == nil)
    #expect(coded.fields[.contentEncoding] == "gzip")
    #expect(coded.fields[.contentLength] == String(coded.bytes.count))
    #expect(coded.bytes.count < plain.bytes.count / 4)
    #expect(try GzipCoding.decode(coded.bytes, limit: 1 << 20) == plain.bytes)
    #expect(coded.fields[.vary] == "Accept-Encoding" && plain.fields[.vary] == "Accept-Encoding")
    let tag = try #require(coded.fields[.eTag])
    #expect(tag != plain.fields[.eTag])
    let fields: HTTPFields = [.ifNoneMatch: tag, .acceptEncoding: "gzip"]
    #expect(try await caller.get("/v1/houses?size=100", fields: fields).status == .notModified)
    // The tag is that of the gzip-coded bytes.
    #expect(try await caller.get("/v1/houses?size=100", fields: [.ifNoneMatch: tag]).status == .ok)
  }

  @Test("A short response is not coded")
  func short() async throws {
    let reply = try await APICaller().get("/v1/homes/1", fields: [.acceptEncoding: "gzip"])
    #expect(reply.fields[.contentEncoding] == nil)
  }

  @Test(
    "Accept-Encoding is evaluated with its weights",
    arguments: [
      (nil, ContentCoding.identity), ("", .identity), ("gzip", .gzip), ("GZIP", .gzip), ("x-gzip", .gzip),
      ("*", .gzip), ("gzip;q=0", .identity), ("gzip; q=0.001", .gzip), ("*;q=0", .identity),
      ("gzip;q=0, *", .identity), ("br", .identity), ("gzip;q=oops", .identity), (",,;", .identity),
    ] as [(String?, ContentCoding)])
  func acceptEncoding(field: String?, expected: ContentCoding) {
    #expect(ContentCoding(acceptEncoding: field) == expected)
  }

  @Test("SHA-256 computes the digests of the standard's examples")
  func digest() {
    let digest = Hexadecimal.text(SHA256Digest.bytes(of: Array("abc".utf8)))
    #expect(digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    let empty = Hexadecimal.text(SHA256Digest.bytes(of: []))
    #expect(empty == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }
}
