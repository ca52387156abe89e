import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(5)))
struct LookOutTests {
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

  @Test func `a wait ends with the news, without it with the time`() {
    var looks = 0
    #expect(
      LookOut.waits(.seconds(60)) {
        looks += 1
        return looks == 1_000
      })
    #expect(looks == 1_000)
    #expect(!LookOut.waits(.microseconds(10)) { false })
  }
}
