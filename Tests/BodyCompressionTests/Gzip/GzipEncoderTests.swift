import BodyCompression
import ContentCodings
import Interception
import Testing

@Suite struct GzipEncoderTests {
  @Test(
    "E9: The gzip program decodes the output",
    arguments: [0, 1, 2, 1023, 65_535, 65_536, 262_144, 262_145, 3_000_000])
  func foreignPeerReadsIt(count: Int) async throws {
    let text = SampleBytes.text(count)
    let coded = try #require(try GzipEncoder.encode(text))
    #expect(try await ForeignGzip.decode(coded) == text)
    if count >= 1023 { #expect(coded.count < text.count / 3) }
  }

  @Test("The gzip program decodes several steps of noise, at every level", arguments: [1, 6, 9])
  func noiseIsRead(level: Int) async throws {
    let noise = SampleBytes.noise(700_000)
    let coded = try #require(try GzipEncoder.encode(noise, level: level))
    #expect(coded.count > noise.count)
    #expect(try await ForeignGzip.decode(coded) == noise)
  }

  @Test("A level outside 1 to 9 is clamped", arguments: [(-5, 1), (0, 1), (42, 9)])
  func levelsAreClamped(level: Int, clamped: Int) throws {
    let text = SampleBytes.text(50_000)
    #expect(try GzipEncoder.encode(text, level: level) == GzipEncoder.encode(text, level: clamped))
  }

  @Test("Encoding returns nil exactly when the result would exceed the limit")
  func limitIsExact() throws {
    let text = SampleBytes.text(400_000)
    let coded = try #require(try GzipEncoder.encode(text))
    #expect(try GzipEncoder.encode(text, atMost: coded.count) == coded)
    #expect(try GzipEncoder.encode(text, atMost: coded.count - 1) == nil)
  }

  @Test("An output buffer of one byte gives the same bytes", arguments: [0, 1, 5000])
  func smallOutputs(count: Int) throws {
    let text = SampleBytes.text(count)
    var encoder = try GzipEncoder()
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
    #expect(coded == (try GzipEncoder.encode(text)))
  }

  @Test("A cancelled task stops encoding")
  func cancellation() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try GzipEncoder.encode(SampleBytes.text(10_000))
    }
    let error = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(error?.kind == .cancelled(.task))
  }
}
