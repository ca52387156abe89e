import BodyCompression
import ContentCodings
import HTTPTypes
import Interception
import Testing

@Suite struct ContentDecodingTests {
  /// The decoding of a `Content-Encoding` value.
  private static func decoding(_ value: String) -> ContentDecoding? {
    ContentDecoding(HTTPFields([HTTPField(name: .contentEncoding, value: value)]).contentCodings)
  }

  /// What came of bytes that were decoded in chunks.
  private func decode(
    _ name: String, _ coded: [UInt8], chunk: Int
  ) throws -> (bytes: [UInt8], isBroken: Bool, isComplete: Bool) {
    let decoding = try #require(Self.decoding(name))
    var content: [UInt8] = []
    for start in stride(from: 0, to: coded.count, by: chunk) {
      var rest = coded[start...].prefix(chunk)
      while !rest.isEmpty || decoding.hasMore {
        let count = content.count
        guard let consumed = decoding.decode(rest, appendingTo: &content) else {
          return (content, true, false)
        }
        #expect(content.count - count <= 64 << 10)
        rest = rest.dropFirst(consumed)
      }
    }
    return (content, false, decoding.isComplete)
  }

  @Test("Every coding is decoded, whatever the chunks", arguments: [1, 7, 64, 4096])
  func codings(chunk: Int) async throws {
    for (name, coded) in try await CodedVectors.texts() {
      let result = try decode(name, coded, chunk: chunk)
      #expect(result.bytes == CodedVectors.text && result.isComplete, "\(name)")
    }
    let big = SampleBytes.text(1 << 20)
    let result = try decode("gzip", try #require(try ContentCoding.gzip.encode(big)), chunk: 16 << 10)
    #expect(result.bytes == big && result.isComplete)
    let zeros = try decode("zstd", CodedVectors.zstdFrame, chunk: chunk)
    #expect(zeros.bytes == [UInt8](repeating: 0, count: 1 << 20) && zeros.isComplete)
  }

  @Test("Frames of zstd before its format was fixed are refused, and skippable frames are skipped")
  func magicNumbers() throws {
    // libzstd decodes those of the versions 0.1 to 0.7, unless it was built without them.
    for version in UInt8(0x22)...0x27 {
      #expect(try decode("zstd", [version, 0xB5, 0x2F, 0xFD], chunk: 1).isBroken, "\(version)")
    }
    for chunk in [1, 3, 4096] {
      let skipped: [UInt8] = [0x5F, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 1, 2]
      let result = try decode("zstd", skipped + CodedVectors.zstdText + skipped, chunk: chunk)
      #expect(result.bytes == CodedVectors.text && result.isComplete, "\(chunk)")
      #expect(try decode("zstd", skipped + [0x27, 0xB5, 0x2F, 0xFD], chunk: chunk).isBroken, "\(chunk)")
    }
  }

  @Test("A frame with another length than its header states is refused, however it is divided")
  func statedLength() throws {
    // One segment of 25 bytes (RFC 8878, section 3.1.1.1), whose only block is empty.
    let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 25, 1, 0, 0]
    for chunk in 1...frame.count { #expect(try decode("zstd", frame, chunk: chunk).isBroken, "\(chunk)") }
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

  @Test(
    "At most two codings are decoded",
    arguments: ["gzip, gzip, gzip", "gzip, snappy", "snappy, br", "compress", "", ",", "identity", "gzip br"])
  func others(value: String) { #expect(Self.decoding(value) == nil) }

  @Test("A sample is the beginning of the content, also of a body that is cut off or broken")
  func samples() async throws {
    for (name, coded) in try await CodedVectors.texts() {
      #expect(Self.decoding(name)?.sample(of: coded, upTo: 300) == Array(CodedVectors.text.prefix(300)))
      #expect(Self.decoding(name)?.sample(of: coded, upTo: 5_000) == CodedVectors.text)
    }
    let long = SampleBytes.text(400_000)
    for coding in ContentCoding.encodable {
      let coded = try #require(try coding.encode(long))
      let sample = Self.decoding(coding.name)?.sample(
        of: Array(coded.prefix(SampleDecoder.sufficientBytes)), upTo: 1_024)
      #expect(sample == Array(long.prefix(1_024)), "\(coding)")
    }
    #expect(Self.decoding("gzip")?.sample(of: [1, 2, 3], upTo: 10) == [])
  }
}
