import Interception
import Testing

@testable import BodyCompression

@Suite struct AcceptEncodingTests {
  @Test(
    "The weight of gzip follows RFC 9110",
    arguments: [
      ("gzip", 1000), ("GZIP", 1000), ("x-gzip", 1000), ("br, gzip;q=0.5", 500), ("br , gzip ; q=0.001", 1),
      ("*", 1000), ("gzip;q=0", 0), ("gzip; q=0.000", 0), ("*;q=0", 0), ("gzip;q=0, *", 0),
      ("gzip, *;q=0", 1000), ("identity", 0), ("", 0), (", ,;,", 0), ("br", 0), ("x-gzip;q=0, *", 0),
      ("gzip;q=1.000", 1000), ("gzip;q=0.25", 250), ("gzip;q=0.0004", 1), ("*;q=0.3", 300),
      ("gzip;q=much", 1000), ("gzip;q=-1", 1000), ("gzip;q=0.99999999999999999999999", 999),
    ])
  func gzip(value: String, weight: Int) {
    #expect(AcceptEncoding(value).weight(of: .gzip) == weight)
  }

  @Test(
    "The codings with the highest weight come first, and of equal ones those that save most",
    arguments: [
      ("gzip, br, zstd", ["zstd", "br", "gzip"]), ("gzip;q=1, br;q=0.9, zstd;q=0", ["gzip", "br"]),
      ("deflate, *;q=0.1", ["deflate", "zstd", "br", "gzip"]), ("identity", []), ("", []),
    ])
  func order(value: String, names: [String]) {
    let codings: [ContentCoding] = [.zstd, .brotli, .gzip, .deflate]
    #expect(AcceptEncoding(value).accepted(of: codings).map(\.name) == names)
  }

  @Test("A value of many members is read up to the 64th")
  func manyMembers() {
    let value = (0..<100_000).map { "x\($0)" }.joined(separator: ",")
    #expect(AcceptEncoding("gzip, \(value)").weight(of: .gzip) == 1000)
    #expect(AcceptEncoding("\(value), gzip").weight(of: .gzip) == 0)
  }

  @Test(
    "Identity is acceptable unless excluded",
    arguments: [
      ("", true), ("gzip", true), ("identity;q=0", false), ("*;q=0", false), ("*;q=0, identity", true),
      ("gzip, identity;q=0.5", true), ("br;q=0", true),
    ])
  func identity(value: String, isAccepted: Bool) {
    #expect(AcceptEncoding(value).acceptsIdentity == isAccepted)
  }
}
