import Testing

@testable import Interception

@Suite struct PercentEncodingTests {
  @Test("A component keeps unreserved characters only; a form writes spaces as plus signs")
  func components() {
    let kept = "AZaz09-._~"
    #expect(PercentEncoding.component(kept) == kept && PercentEncoding.form(kept) == kept)
    #expect(PercentEncoding.component(" a+b/é%20*") == "%20a%2Bb%2F%C3%A9%2520%2A")
    #expect(PercentEncoding.form("  a+b/é%20* ") == "++a%2Bb%2F%C3%A9%2520%2A+")
    #expect(PercentEncoding.component("") == "" && PercentEncoding.form("") == "")
  }

  @Test("66 bytes are unreserved, and legal are also the reserved ones and the percent sign (RFC 3986)")
  func sets() {
    let bytes = UInt8.min...UInt8.max
    let unreserved = bytes.filter(PercentEncoding.isUnreserved)
    #expect(unreserved.count == 66)
    // Beside them the 18 reserved characters and the percent sign.
    let legal = bytes.filter(PercentEncoding.isLegal)
    #expect(Set(legal) == Set(unreserved).union(":/?#[]@!$&'()*+,;=%".utf8))
  }

  @Test("A path keeps slashes and triplets, and encodes a percent sign that begins none")
  func paths() {
    #expect(PercentEncoding.path("/a b/%41%4/%zz?#é;v=1%") == "/a%20b/%41%254/%25zz%3F%23%C3%A9;v=1%25")
  }

  @Test("Every byte has a triplet of upper-case digits")
  func triplets() {
    for byte in UInt8.min...UInt8.max {
      let digits = String(byte, radix: 16, uppercase: true)
      #expect(PercentEncoding.encode([byte]) { _ in false } == (byte < 16 ? "%0" : "%") + digits)
    }
  }
}
