import Testing

@testable import CurlTransport

@Suite struct LookOutTests {
  @Test func `it goes on looking as long as somebody comes`() {
    var lookOut = LookOut()
    for _ in 0..<1000 {
      let begins = lookOut.begins()
      #expect(begins)
      lookOut.end(hasSeen: true)
    }
  }

  @Test func `where nobody comes it looks rarely, and where somebody comes again, always`() {
    var lookOut = LookOut()
    var looks = 0
    for _ in 0..<1000 where lookOut.begins() {
      looks += 1
      lookOut.end(hasSeen: false)
    }
    #expect((2...20).contains(looks))
    while !lookOut.begins() {}
    lookOut.end(hasSeen: true)
    let begins = lookOut.begins()
    #expect(begins)
  }
}
