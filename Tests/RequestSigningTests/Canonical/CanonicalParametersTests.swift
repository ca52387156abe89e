import Cryptography
import Interception
import Testing

@testable import RequestSigning

@Suite struct CanonicalParametersTests {
  @Test(
    "Parameters are hashed as decoded and sorted pairs, on the fast path too",
    arguments: [
      "/a?b=1", "/a?b=1&c=2", "/a?c=2&b=1", "/a?b", "/a?b=", "/a?=b", "/a?=", "/a?b==c", "/a?&&b=1&&",
      "/a?b=1&b=0",
      "/a?b=%41&c=+", "/a?%62=1", "/a?b=%4", "/a?ab=1&a=2", "/a?a=2&ab=1", "?a=1", "/a?b=?&c=?", "/a?上=海",
      "/a?q=\(String(repeating: "x", count: 2_000))",
    ])
  func form(_ path: String) throws {
    var pairs = QueryPairs(path)
    pairs.sortByName()
    var form = LengthPrefixed()
    form.append(pairs)
    var digest = try Digest()
    let parameters = try CanonicalParameters(of: path, hashingIn: &digest)
    #expect(parameters.hash?.bytes == (try Digest.sha256(form.bytes)))
    #expect(parameters.pathCount == pairs.pathCount)
  }

  @Test("Different queries have different length-prefixed bytes")
  func injective() {
    let queries = ["/?a=1&b=2", "/?a=1%26b%3D2", "/?a=1b=2", "/?a=&1b=2", "/?a1=&b=2", "/?a=1", "/?a", "/"]
    let encoded = queries.map { query in
      var fields = LengthPrefixed()
      fields.append(QueryPairs(query))
      return fields.bytes
    }
    #expect(Set(encoded).count == queries.count)
  }

  @Test("Without parameters there is no hash", arguments: ["", "/a", "/a?", "/a?&", "?"])
  func none(_ path: String) throws {
    var digest = try Digest()
    let parameters = try CanonicalParameters(of: path, hashingIn: &digest)
    #expect(parameters.hash == nil)
    #expect(parameters.pathCount == path.utf8.prefix { $0 != UInt8(ascii: "?") }.count)
  }
}
