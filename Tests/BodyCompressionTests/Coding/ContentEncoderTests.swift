import BodyCompression
import ContentCodings
import Foundation
import Interception
import Testing

@Suite(.timeLimit(.minutes(5))) struct ContentEncoderTests {
  @Test(
    "E9: Other programs decode what is encoded, whatever its length", arguments: ForeignDecoder.codings,
    [0, 1, 2, 1023, 65_536, 262_144, 262_145, 3_000_000])
  func foreignPeerReadsIt(coding: ContentCoding, count: Int) async throws {
    let text = SampleBytes.text(count)
    let coded = try #require(try coding.encode(text))
    #expect(Data(try await ForeignDecoder.decode(coded, coding)) == Data(text))
    if count >= 1023 { #expect(coded.count < text.count / 3) }
  }

  @Test(
    "Other programs decode several steps of noise, at every level", arguments: ForeignDecoder.codings,
    [1, 6, 9])
  func noiseIsRead(coding: ContentCoding, level: Int) async throws {
    let noise = SampleBytes.noise(700_000)
    let coded = try #require(try coding.encode(noise, level: level))
    #expect(coded.count > noise.count)
    #expect(Data(try await ForeignDecoder.decode(coded, coding)) == Data(noise))
  }

  // Larger than every window, so that a decoder refuses windows beyond its limit.
  private static let longText = SampleBytes.text(9 << 20)

  @Test("The decoders of this package read every coding", arguments: ContentCoding.encodable)
  func ownDecoders(coding: ContentCoding) throws {
    for level in [1, 9] {
      let coded = try #require(try coding.encode(Self.longText, level: level))
      #expect(Data(try decoded(coded, coding, count: Self.longText.count)) == Data(Self.longText))
    }
  }

  private func decoded(_ coded: [UInt8], _ coding: ContentCoding, count: Int) throws -> [UInt8] {
    let decoder: any ContentDecoder =
      switch coding {
      case .gzip: ZlibDecoder(.gzip)
      case .brotli: try #require(BrotliDecoder())
      case .zstd: try #require(ZstdDecoder())
      default: ZlibDecoder(.deflate)
      }
    var target = [UInt8](repeating: 0, count: count + 1)
    var (read, written) = (0, 0)
    while !decoder.isEnded {
      let step = coded[read...].withUnsafeBufferPointer { input in
        target[written...].withUnsafeMutableBufferPointer { decoder.decode(input, into: $0) }
      }
      let progress = try #require(step)
      try #require(progress.consumed + progress.produced > 0)
      read += progress.consumed
      written += progress.produced
    }
    #expect(read == coded.count)
    return Array(target.prefix(written))
  }

  @Test("Only four codings can be written, and the error names them")
  func unknown() throws {
    #expect(try ContentCoding("compress").makeEncoder(level: 6) == nil)
    let error = #expect(throws: NetworkError.self) { try ContentCoding("compress").encode([1]) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.reason.contains("\"compress\"; choose one of zstd, br, gzip, deflate") == true)
  }

  @Test(
    "A level outside 1 to 9 is clamped", arguments: ContentCoding.encodable, [(-5, 1), (0, 1), (42, 9)])
  func levelsAreClamped(coding: ContentCoding, level: (Int, Int)) throws {
    let text = SampleBytes.text(50_000)
    #expect(try coding.encode(text, level: level.0) == coding.encode(text, level: level.1))
    #expect(try coding.encode(text, level: 1) != coding.encode(text, level: 9))
  }

  @Test(
    "Encoding returns nil exactly when the result would exceed the limit", arguments: ContentCoding.encodable)
  func limitIsExact(coding: ContentCoding) throws {
    let text = SampleBytes.text(400_000)
    let coded = try #require(try coding.encode(text))
    #expect(try coding.encode(text, atMost: coded.count) == coded)
    #expect(try coding.encode(text, atMost: coded.count - 1) == nil)
  }

  @Test(
    "An output buffer of one byte gives the same bytes, and nothing follows the end",
    arguments: ContentCoding.encodable, [0, 1, 5000])
  func smallOutputs(coding: ContentCoding, count: Int) throws {
    let text = SampleBytes.text(count)
    let encoder = try #require(try coding.makeEncoder(level: 6))
    var coded: [UInt8] = []
    var rest = text[...]
    var isComplete = false
    while !isComplete {
      let piece = try encoder.encode(rest, isLast: true, upTo: 1)
      #expect(piece.bytes.count <= 1)
      coded += piece.bytes
      rest = rest.dropFirst(piece.consumed)
      isComplete = piece.isComplete
    }
    #expect(coded == (try coding.encode(text)))
    let after = try encoder.encode(text[...], isLast: true, upTo: 100)
    #expect(after.bytes.isEmpty && after.consumed == 0 && after.isComplete)
  }

  @Test("A cancelled task stops encoding", arguments: ContentCoding.encodable)
  func cancellation(coding: ContentCoding) async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try coding.encode(SampleBytes.text(10_000))
    }
    let error = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(error?.kind == .cancelled(.task))
  }
}
