import CCurlShims
import Testing

@testable import CurlTransport

@Suite struct HeadGathererTests {
  /// What a gatherer handed over.
  private final class Receiver {
    var lines: [String] = []
    var receipts = 0
    var goesOn = true
  }

  /// Gives a gatherer with its own counter of rounds to `body`, and frees both.
  private func withGatherer(
    limit: Int = 1 << 20,
    _ body: (UnsafeMutablePointer<switchyard_head_gatherer>, Receiver, () -> Void) throws -> Void
  ) rethrows {
    let receiver = Receiver()
    let rounds = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    rounds.initialize(to: 0)
    let gatherer = UnsafeMutablePointer<switchyard_head_gatherer>.allocate(capacity: 1)
    gatherer.initialize(
      to: switchyard_head_gatherer(
        owner: Unmanaged.passUnretained(receiver).toOpaque(),
        on_lines: { bytes, count, owner in
          let receiver = Unmanaged<Receiver>.fromOpaque(owner).takeUnretainedValue()
          receiver.lines.append(
            String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self))
          return receiver.goesOn ? 1 : 0
        },
        on_receipt: { owner in Unmanaged<Receiver>.fromOpaque(owner).takeUnretainedValue().receipts += 1 },
        rounds: UnsafePointer(rounds), told: 0, limit: limit, bytes: nil, count: 0, capacity: 0, passes: 0))
    defer {
      switchyard_head_free(gatherer)
      gatherer.deallocate()
      rounds.deallocate()
    }
    switchyard_head_begin(gatherer)
    try body(gatherer, receiver) { rounds.pointee += 1 }
  }

  private func give(_ line: String, to gatherer: UnsafeMutablePointer<switchyard_head_gatherer>) -> Bool {
    var bytes = line.utf8.map { CChar(bitPattern: $0) }
    let count = bytes.count
    // An empty array lends no address, and libcurl always gives one.
    bytes.append(0)
    return bytes.withUnsafeMutableBufferPointer { bytes in
      bytes.baseAddress.map { switchyard_head_line($0, 1, count, gatherer) == count } ?? false
    }
  }

  @Test(arguments: ["\r\n", "\n", "\r", ""])
  func `a head is handed over once, with its empty line`(blank: String) {
    withGatherer { gatherer, receiver, _ in
      for line in ["HTTP/1.1 200 OK\r\n", "A: 1\r\n", "\rB: 2\r\n"] { #expect(give(line, to: gatherer)) }
      #expect(receiver.lines.isEmpty)
      #expect(give(blank, to: gatherer))
      #expect(receiver.lines == ["HTTP/1.1 200 OK\r\nA: 1\r\n\rB: 2\r\n" + blank])
    }
  }

  @Test func `a head after a head of the 1xx class is one of its own, and trailers come line by line`() {
    withGatherer { gatherer, receiver, _ in
      for line in ["HTTP/1.1 103 \r\n", "\r\n", "HTTP/1.1 200 \r\n", "\r\n"] {
        #expect(give(line, to: gatherer))
      }
      gatherer.pointee.passes = 1
      for line in ["T: 1\r\n", "U: 2\r\n"] { #expect(give(line, to: gatherer)) }
      #expect(receiver.lines == ["HTTP/1.1 103 \r\n\r\n", "HTTP/1.1 200 \r\n\r\n", "T: 1\r\n", "U: 2\r\n"])
      switchyard_head_begin(gatherer)
      #expect(give("HTTP/1.1 200 \r\n", to: gatherer))
      #expect(receiver.lines.count == 4, "another answer is gathered again")
    }
  }

  @Test func `more than the limit is handed over at once`() {
    withGatherer(limit: 30) { gatherer, receiver, _ in
      for line in ["HTTP/1.1 200 OK\r\n", "A: 123456\r\n"] { #expect(give(line, to: gatherer)) }
      #expect(receiver.lines.isEmpty)
      receiver.goesOn = false
      #expect(!give("B: 1\r\n", to: gatherer))
      #expect(receiver.lines == ["HTTP/1.1 200 OK\r\nA: 123456\r\nB: 1\r\n"])
    }
  }

  @Test func `a receipt is told once a round, and of another answer in the same round too`() {
    withGatherer { gatherer, receiver, beginRound in
      for line in ["HTTP/1.1 200 OK\r\n", "A: 1\r\n"] { #expect(give(line, to: gatherer)) }
      #expect(receiver.receipts == 1)
      beginRound()
      for line in ["B: 1\r\n", "\r\n"] { #expect(give(line, to: gatherer)) }
      #expect(receiver.receipts == 2)
      switchyard_head_begin(gatherer)
      #expect(give("HTTP/1.1 200 OK\r\n", to: gatherer))
      #expect(receiver.receipts == 3)
      gatherer.pointee.rounds = nil
      for line in ["A: 1\r\n", "B: 1\r\n"] { #expect(give(line, to: gatherer)) }
      #expect(receiver.receipts == 5, "without a counter each line is told")
    }
  }

  @Test func `the memory of a large head is given back, that of a small one is kept`() {
    withGatherer { gatherer, _, _ in
      #expect(give("A: 1\r\n", to: gatherer))
      switchyard_head_begin(gatherer)
      #expect(gatherer.pointee.capacity > 0)
      for _ in 0..<20 { #expect(give("A: \(String(repeating: "a", count: 1000))\r\n", to: gatherer)) }
      #expect(gatherer.pointee.capacity > 16 << 10)
      switchyard_head_begin(gatherer)
      #expect(gatherer.pointee.capacity == 0)
      #expect(gatherer.pointee.bytes == nil)
    }
  }

  @Test func `a gatherer without an owner takes nothing`() {
    var byte: CChar = 65
    #expect(switchyard_head_line(&byte, 1, 1, nil) == 0)
  }
}
