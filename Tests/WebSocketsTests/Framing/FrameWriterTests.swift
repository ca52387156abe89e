import Testing

@testable import WebSockets

@Suite("FrameWriter")
struct FrameWriterTests {
  @Test(
    "A frame is masked and has its length in the fewest bytes",
    arguments: [(0, 6), (1, 6), (125, 6), (126, 8), (65_535, 8), (65_536, 14), (100_000, 14)])
  func lengths(count: Int, overhead: Int) throws {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let bytes = FrameWriter.frame(.binary, payload, mask: 0xA1B2_C3D4)
    #expect(bytes.count == count + overhead)
    let frame = try #require(ClientFrame(bytes[...]))
    #expect(frame.type == .binary && frame.isFinal && frame.payload == payload && frame.size == bytes.count)
  }

  @Test("The example of RFC 6455, section 5.7, has its bytes")
  func example() {
    let bytes = FrameWriter.frame(.text, Array("Hello".utf8), mask: 0x37FA_213D)
    #expect(bytes == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
  }

  @Test("Every byte is masked by its byte of the key, whatever the length")
  func masking() {
    let key: [UInt8] = [0xA1, 0xB2, 0xC3, 0xD4]
    for count in 0...40 {
      let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let bytes = FrameWriter.frame(.binary, payload, mask: 0xA1B2_C3D4)
      #expect(Array(bytes.suffix(count)) == payload.indices.map { payload[$0] ^ key[$0 % 4] })
    }
  }

  @Test("A fragment is not final")
  func fragment() throws {
    let bytes = FrameWriter.frame(.text, isFinal: false, Array("Hel".utf8), mask: 1)
    #expect(try #require(ClientFrame(bytes[...])).isFinal == false)
  }
}

@Suite("WebSocketClosure")
struct WebSocketClosureTests {
  @Test("A reason that is too long ends before the character that does not fit")
  func longReason() throws {
    let closure = WebSocketClosure(code: .goingAway, reason: String(repeating: "€", count: 100))
    #expect(closure.payload.count == 2 + 41 * 3)
    #expect(try WebSocketClosure(payload: closure.payload).reason == String(repeating: "€", count: 41))
  }

  @Test("Without a code there is no reason and no payload")
  func noCode() {
    let closure = WebSocketClosure(code: nil, reason: "why")
    #expect(closure.payload.isEmpty && closure.reason.isEmpty)
  }

  @Test("No description shows the reason")
  func description() {
    let closure = WebSocketClosure(code: .init(rawValue: 4001), reason: "secret")
    #expect("\(closure)" == "close code 4001")
    #expect("\(WebSocketClosure(code: nil))" == "no close code")
  }
}

@Suite("UTF8Checker")
struct UTF8CheckerTests {
  @Test(
    "Invalid UTF-8 is refused",
    arguments: [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
      [0xF4, 0x90, 0x80, 0x80], [0xF5], [0xFF], [0xC3, 0x28], [0xE2, 0x82, 0x28], [0x61, 0xC3, 0xC3],
    ] as [[UInt8]])
  func invalid(bytes: [UInt8]) {
    var checker = UTF8Checker()
    let isAccepted = checker.accept(bytes[...])
    #expect(!isAccepted)
  }

  @Test(
    "A character behind any number of ASCII ones is accepted, and a wrong byte refused", arguments: 0..<24)
  func behindASCII(count: Int) {
    let start = [UInt8](repeating: 0x61, count: count)
    var (right, wrong) = (UTF8Checker(), UTF8Checker())
    let (isAccepted, isWrongAccepted) = (
      right.accept((start + Array("€".utf8) + start)[...]), wrong.accept((start + [0x80] + start)[...])
    )
    #expect(isAccepted && right.isComplete)
    #expect(!isWrongAccepted)
  }

  @Test("Every scalar value is accepted, in one piece and byte by byte")
  func everyScalar() {
    for value in stride(from: 0 as UInt32, through: 0x10FFFF, by: 37) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      var (whole, pieces) = (UTF8Checker(), UTF8Checker())
      let bytes = Array(String(scalar).utf8)
      var isAccepted = whole.accept(bytes[...]) && whole.isComplete
      for byte in bytes { isAccepted = pieces.accept([byte]) && isAccepted }
      guard isAccepted, pieces.isComplete else {
        Issue.record("U+\(String(value, radix: 16)) was refused")
        return
      }
    }
  }
}

@Suite("PingAllowance")
struct PingAllowanceTests {
  private func count(of pings: Int, every interval: Duration) -> Int {
    var allowance = PingAllowance()
    var accepted = 0
    for number in 0..<pings {
      guard (try? allowance.use(at: interval * number)) != nil else { return accepted }
      accepted += 1
    }
    return accepted
  }

  @Test("A burst is accepted up to its size, and slow pings for any time")
  func amounts() {
    #expect(count(of: 1000, every: .zero) == PingAllowance.burst)
    #expect(count(of: 10_000, every: .milliseconds(60)) == 10_000)
    #expect(count(of: 10_000, every: .milliseconds(10)) < 200)
  }
}
