import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

@Suite struct ContentDecodingTests {
  /// The decoding of a `Content-Encoding` value.
  private static func decoding(_ value: String) -> ContentDecoding? {
    ContentDecoding(HTTPFields([HTTPField(name: .contentEncoding, value: value)]).contentCodings)
  }

  /// What came out of a decoding that was fed in chunks by a reader that had room only now and then.
  private func decode(
    _ name: String, _ coded: [UInt8], chunk: Int, refusing every: Int = .max
  ) throws -> (bytes: [UInt8], end: ResponsePipe.Offer?, isComplete: Bool) {
    let decoding = try #require(Self.decoding(name))
    var out: [UInt8] = []
    var offers = 0
    var rest = coded[...]
    while !rest.isEmpty {
      let offered = Array(rest.prefix(chunk))
      let progress = offered.withUnsafeBufferPointer { buffer in
        decoding.decode(buffer) { piece in
          offers += 1
          if offers.isMultiple(of: every) { return .full }
          out.append(contentsOf: piece)
          return .taken
        }
      }
      switch progress {
      case .taken: rest = rest.dropFirst(chunk)
      case .full: continue
      case .cancelled, nil: return (out, progress, false)
      }
    }
    return (out, .taken, decoding.isComplete)
  }

  @Test(
    "Every coding is decoded, whatever the chunks and whenever the reader has no room",
    arguments: [1, 7, 64, 4096], [2, 3, Int.max])
  func codings(
    chunk: Int, refusal: Int
  ) async throws {
    for (name, coded) in try await CodedVectors.texts() {
      let result = try decode(name, coded, chunk: chunk, refusing: refusal)
      #expect(result.bytes == CodedVectors.text && result.isComplete, "\(name)")
    }
    let big = PatternSource.bytes(at: 0, count: 1 << 20)
    let result = try decode("gzip", try await GzipCommand.compress(big), chunk: 16 << 10, refusing: refusal)
    #expect(result.bytes == big && result.isComplete)
    let zeros = try decode("zstd", CodedVectors.zstdFrame, chunk: chunk, refusing: refusal)
    #expect(zeros.bytes == [UInt8](repeating: 0, count: 1 << 20) && zeros.isComplete)
  }

  @Test("Frames of zstd before its format was fixed are refused, and skippable frames are skipped")
  func magicNumbers() throws {
    // libzstd decodes those of the versions 0.1 to 0.7, unless it was built without them.
    for version in UInt8(0x22)...0x27 {
      let end = try decode("zstd", [version, 0xB5, 0x2F, 0xFD], chunk: 1).end
      #expect(end == nil, "\(version)")
    }
    for chunk in [1, 3, 4096] {
      let skipped: [UInt8] = [0x5F, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 1, 2]
      let result = try decode("zstd", skipped + CodedVectors.zstdText + skipped, chunk: chunk)
      #expect(result.bytes == CodedVectors.text && result.isComplete, "\(chunk)")
      let legacy = try decode("zstd", skipped + [0x27, 0xB5, 0x2F, 0xFD], chunk: chunk)
      #expect(legacy.end == nil, "\(chunk)")
    }
  }

  @Test("A frame with another length than its header states is refused, however it is divided")
  func statedLength() throws {
    // One segment of 25 bytes (RFC 8878, section 3.1.1.1), whose only block is empty.
    let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 25, 1, 0, 0]
    for chunk in 1...frame.count { #expect(try decode("zstd", frame, chunk: chunk).end == nil, "\(chunk)") }
    let empty = try decode("zstd", [0x28, 0xB5, 0x2F, 0xFD, 0x20, 0, 1, 0, 0], chunk: 1)
    #expect(empty.bytes.isEmpty && empty.isComplete)
  }

  @Test("A coded body is complete at its end and not before")
  func completeness() async throws {
    for (name, coded) in try await CodedVectors.texts() {
      for length in 1..<coded.count {
        let result = try decode(name, Array(coded.prefix(length)), chunk: 4096)
        #expect(!result.isComplete, "\(name) \(length)")
        #expect(CodedVectors.text.starts(with: result.bytes))
      }
    }
    #expect(try #require(Self.decoding("gzip")).isComplete)
  }

  @Test("A body of several members is their sequence, and may be padded with zeros")
  func members() async throws {
    let gzip = try await GzipCommand.compress(CodedVectors.text)
    let twice = CodedVectors.text + CodedVectors.text
    #expect(try decode("gzip", gzip + gzip, chunk: 5).bytes == twice)
    #expect(try decode("zstd", CodedVectors.zstdText + CodedVectors.zstdText, chunk: 5).bytes == twice)
    let padded = try decode("gzip", gzip + [0, 0, 0, 0], chunk: 3)
    #expect(padded.bytes == CodedVectors.text && padded.isComplete)
    let cut = try decode("gzip", gzip + gzip.dropLast(3), chunk: 5)
    #expect(!cut.isComplete)
  }

  @Test("Bytes after the end, or of another coding, are refused")
  func broken() async throws {
    let texts = try await CodedVectors.texts()
    for (name, coded) in texts {
      guard name != "zstd" else { continue }
      #expect(try decode(name, coded + [7], chunk: 4096).end == nil, "\(name)")
    }
    for name in ["gzip", "zstd"] {
      #expect(try decode(name, Array("no coding at all".utf8), chunk: 4096).end == nil, "\(name)")
    }
    let junk = try decode("zstd", CodedVectors.zstdText + [7], chunk: 4096)
    #expect(!junk.isComplete)
    var damaged = try #require(texts["gzip"])
    damaged[damaged.count - 6] ^= 1
    #expect(try decode("gzip", damaged, chunk: 4096).end == nil)
    #expect(Self.decoding("snappy") == nil)
  }

  @Test(
    "At most two codings are decoded",
    arguments: ["gzip, gzip, gzip", "gzip, snappy", "snappy, br", "", ",", "identity", "gzip br"])
  func others(value: String) { #expect(Self.decoding(value) == nil) }

  @Test("Nested gzip that expands to empty blocks without end is refused")
  func emptyBlocks() async throws {
    let head = Array(try await GzipCommand.compress([]).prefix(10))
    var empty: [UInt8] = [0, 0, 0, 0xFF, 0xFF]
    for _ in 0..<20 { empty += empty }
    let blocks = head + empty
    let nested = try await GzipCommand.compress(blocks)
    #expect(nested.count < blocks.count / 500)
    #expect(try decode("gzip, gzip", nested, chunk: 4096).end == nil)
    // The blocks themselves are valid, if without a last one.
    let single = try decode("gzip", blocks, chunk: 1 << 20)
    #expect(single.end == .taken && single.bytes.isEmpty && !single.isComplete)
  }

  @Test("A frame that needs a window of 16 MiB is refused")
  func window() throws {
    #expect(try decode("zstd", CodedVectors.zstdWideWindow, chunk: 4096).end == nil)
  }

  @Test("A reader that cancels stops a decompression bomb at once")
  func bomb() throws {
    for (name, bomb) in [("br", CodedVectors.brotliBomb), ("zstd", CodedVectors.zstdFrame)] {
      let decoding = try #require(Self.decoding(name))
      var total = 0
      let progress = bomb.withUnsafeBufferPointer { buffer in
        decoding.decode(buffer) { piece in
          total += piece.count
          return total > 100_000 ? .cancelled : .taken
        }
      }
      #expect(progress == .cancelled)
      #expect(total <= 2 * 64 << 10)
    }
  }
}
