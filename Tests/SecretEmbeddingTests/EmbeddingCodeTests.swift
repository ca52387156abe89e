import EmbeddedSecrets
import Testing

@testable import SecretEmbedding

@Suite struct EmbeddingCodeTests {
  /// A generator whose numbers are the same in each run.
  private struct Counting: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 33)
    }
  }

  private static let secret = Array("correct horse battery staple".utf8)

  @Test("The shares of a secret give it together, and no two of them do")
  func shares() {
    var generator = SystemRandomNumberGenerator()
    let shares = EmbeddingCode.shares(of: Self.secret, using: &generator)
    #expect(shares.count == 3 && shares.allSatisfy { $0.count == Self.secret.count })
    let joined = EmbeddedSecret(shares: shares[0], shares[1], shares[2])
    #expect(joined.withArray { $0 } == Self.secret)
    for left in 0..<3 {
      #expect(shares[left] != Self.secret)
      for right in 0..<left {
        #expect(EmbeddedSecret(shares: shares[left], shares[right]).withArray { $0 } != Self.secret)
      }
    }
  }

  private func code(_ seed: UInt64) -> EmbeddingCode {
    var generator = Counting(state: seed)
    let secrets = [("platformKey", Self.secret), ("default", [1]), ("empty", [])]
    return EmbeddingCode(secrets.map { .init(name: $0.0, bytes: $0.1) }, using: &generator)
  }

  @Test("The code is Swift with a quoted property for each secret, and differs with the random numbers")
  func text() {
    let first = code(1).text
    #expect(first == code(1).text && first != code(2).text)
    let lines = first.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[1] == "import EmbeddedSecrets" && lines[3] == "extension EmbeddedSecret {")
    #expect(lines[4] == "  nonisolated static var `platformKey`: EmbeddedSecret {")
    #expect(lines[7] == "  nonisolated static var `default`: EmbeddedSecret {")
    #expect(lines[5].hasPrefix("    EmbeddedSecret(shares: [") && lines[5].count { $0 == "[" } == 3)
    #expect(first.hasSuffix("\n}\n"))
    #expect(!first.contains(Self.secret.map(String.init).joined(separator: ", ")))
    #expect(!first.contains("correct"))
  }

  @Test("Code of an earlier build gives its secrets again")
  func reading() {
    let code = code(1)
    #expect(code.secrets.map(\.name) == ["platformKey", "default", "empty"])
    #expect(code.secrets.map(\.bytes) == [Self.secret, [1], []])
    #expect(EmbeddingCode(code.text) == code)
    #expect(EmbeddingCode(code.text)?.secrets == code.secrets)
  }

  @Test("Code that differs in any byte is not that of an earlier build, or gives other secrets")
  func damage() {
    let code = code(1)
    let bytes = Array(code.text.utf8)
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] = damaged[index] == 0x30 ? 0x31 : 0x30
      let read = EmbeddingCode(String(decoding: damaged, as: UTF8.self))
      #expect(read == nil || read?.secrets != code.secrets, "byte \(index)")
    }
    for text in ["", "}", String(code.text.dropLast(2)), code.text + "\n"] {
      #expect(EmbeddingCode(text) == nil)
    }
  }
}
