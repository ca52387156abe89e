import SwitchyardTesting
import Testing

@testable import Mediation

@Suite struct ByteWordsTests {
  private static func isPlain(_ byte: UInt8) -> Bool {
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._".utf8.contains(byte)
  }

  @Test("A word contains the bytes at any offset")
  func words() {
    for count in 0...40 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 7 &* $0 &+ 3) }
      for offset in 0...count {
        for length in 0...min(8, count - offset) {
          var expected: UInt64 = 0
          for position in 0..<length { expected |= UInt64(bytes[offset + position]) << UInt64(8 * position) }
          #expect(ByteWords.load(bytes.span, at: offset, count: length) == expected)
        }
      }
    }
  }

  @Test("Each byte is lowercased independently of its neighbours")
  func lowercase() {
    for byte in UInt8.min...UInt8.max {
      for neighbour in [0x00, 0x20, 0x23, 0x24, 0x2F, 0x61, 0x7A, 0x7B, 0x7F, 0x80, 0xFF] as [UInt8] {
        for place in 0..<8 {
          var bytes = [UInt8](repeating: neighbour, count: 8)
          bytes[place] = byte
          let word = ByteWords.load(bytes.span, at: 0)
          let shift = UInt64(8 * place)
          #expect(UInt8(truncatingIfNeeded: ByteWords.lowercase(word) >> shift) == URLHead.lowercase(byte))
        }
      }
    }
  }

  @Test("The marks are the non-plain bytes among the next 64")
  func marks() {
    var numbers = SeededRandom(seed: 7)
    for count in 0...150 {
      // Half of the bytes are arbitrary, half are typical of URLs.
      let bytes = (0..<count).map { _ in
        Bool.random(using: &numbers)
          ? UInt8.random(in: .min ... .max, using: &numbers)
          : Array("azAZ09-._/%?#&=".utf8).randomElement(using: &numbers) ?? 0
      }
      for base in 0...count {
        var expected: UInt64 = 0
        for place in 0..<min(64, count - base) where !Self.isPlain(bytes[base + place]) {
          expected |= 1 << UInt64(place)
        }
        #expect(ByteWords.marks(bytes.span, from: base) == expected)
      }
    }
  }

  @Test("Every byte is classified the same at every position", arguments: [1, 8, 16, 64])
  func positions(count: Int) {
    for byte in UInt8.min...UInt8.max {
      for place in 0..<count {
        for neighbour in [UInt8(ascii: "a"), 0x00, 0xFF] {
          var bytes = [UInt8](repeating: neighbour, count: count)
          bytes[place] = byte
          let isMarked = ByteWords.marks(bytes.span, from: 0) & (1 << UInt64(place)) != 0
          #expect(isMarked == !Self.isPlain(byte))
        }
      }
    }
  }

  @Test("A byte that must be percent-encoded is not plain")
  func illegalBytes() {
    for byte in UInt8.min...UInt8.max {
      let isLegal = (try? PercentEncoding.checkBare(byte, at: 0)) != nil
      if !isLegal { #expect(!Self.isPlain(byte)) }
    }
  }

  @Test("UTF-8 validation agrees with the standard library")
  func utf8() {
    // Every lead byte, with continuation bytes at the limits of their ranges.
    let edges: [UInt8] = [0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0]
    for lead in UInt8(0x80)...0xFF {
      for second in edges {
        for third in edges {
          for bytes in [
            [lead], [lead, second], [lead, second, third], [lead, second, third, 0x80],
            [lead, second, third, 0xBF, 0x41],
          ] {
            let isValid = String(validating: bytes, as: UTF8.self) != nil
            #expect(PercentEncoding.isUTF8(bytes.span, 0..<bytes.count) == isValid)
          }
        }
      }
    }
  }
}
