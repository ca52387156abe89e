import Interception
import Testing

@testable import BodyCompression

@Suite struct AcceptEncodingTests {
  @Test(
    "Whether gzip is acceptable follows RFC 9110",
    arguments: [
      ("gzip", true), ("GZIP", true), ("x-gzip", true), ("br, gzip;q=0.5", true),
      ("br , gzip ; q=0.001", true),
      ("*", true), ("gzip;q=0", false), ("gzip; q=0.000", false), ("*;q=0", false), ("gzip;q=0, *", false),
      ("gzip, *;q=0", true), ("identity", false), ("", false), (", ,;,", false), ("br", false),
      ("x-gzip;q=0, *", false),
    ])
  func gzip(value: String, isAccepted: Bool) {
    #expect(AcceptEncoding(value).accepts(.gzip) == isAccepted)
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
