import Cryptography
import Testing

@Suite struct RandomWordsTests {
  @Test("The requested number of words is drawn, and no two are equal")
  func distinct() throws {
    let words = try #require(RandomWords.draw(1_000))
    #expect(words.count == 1_000)
    #expect(Set(words).count == 1_000)
  }

  @Test("Drawing no words gives an empty list")
  func none() { #expect(RandomWords.draw(0) == []) }
}
