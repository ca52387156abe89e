import BodyCompression
import ContentCodings
import Foundation
import Interception
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct EncodedByteSourceTests {
  private func drained(_ source: some ByteSource) async throws(NetworkError) -> [[UInt8]] {
    var chunks: [[UInt8]] = []
    while let chunk = try await source.read() { chunks.append(chunk) }
    return chunks
  }

  @Test(
    "Other programs decode the output, however the body is divided into chunks",
    arguments: ForeignDecoder.codings,
    [[], [1], [1000, 1, 1, 70_000], [2_000_000], [0, 5, 0], Array(repeating: 333, count: 500)])
  func foreignPeerReadsIt(coding: ContentCoding, cuts: [Int]) async throws {
    let chunks = cuts.enumerated().map { SampleBytes.noise($1, seed: UInt64($0 + 1)) }
    let coded = try await drained(EncodedByteSource(ScriptedByteSource(chunks), coding: coding))
    #expect(coded.allSatisfy { !$0.isEmpty && $0.count <= 64 << 10 })
    let decoded = try await ForeignDecoder.decode(coded.reduce(into: []) { $0 += $1 }, coding)
    #expect(Data(decoded) == Data(chunks.reduce(into: []) { $0 += $1 }))
  }

  @Test("The body is read at most one chunk ahead")
  func readsLazily() async throws {
    let chunks = (0..<32).map { SampleBytes.noise(256 << 10, seed: UInt64($0 + 1)) }
    let body = ScriptedByteSource(chunks)
    let source = try EncodedByteSource(body, coding: .gzip)
    #expect(body.reads == 0)
    var received = 0
    while let chunk = try await source.read() {
      received += chunk.count
      // Noise doesn't shrink; zlib's window and blocks buffer less than two chunks of the body.
      #expect(body.reads <= received / (256 << 10) + 2)
    }
    #expect(body.reads == 32)
  }

  @Test("Reading after the end returns nil again")
  func endIsFinal() async throws {
    let source = try EncodedByteSource(ScriptedByteSource([[1, 2, 3]]), coding: .brotli)
    _ = try await drained(source)
    #expect(try await source.read() == nil)
  }

  @Test("The body's error is rethrown")
  func failurePassesOn() async throws {
    let failure = NetworkError(.invalidRequest, "The file became shorter.")
    let source = try EncodedByteSource(ScriptedByteSource([[1]], endingWith: failure), coding: .zstd)
    let error = await #expect(throws: NetworkError.self) { try await drained(source) }
    #expect(error?.reason == failure.reason)
  }

  @Test("A body whose length differs from the declared one is an error", arguments: [2, 4])
  func lengthIsChecked(announced: Int64) async throws {
    let source = try EncodedByteSource(
      ScriptedByteSource([[1, 2, 3]]), coding: .gzip, announced: announced)
    let error = await #expect(throws: NetworkError.self) { try await drained(source) }
    #expect(error?.kind == .invalidRequest)
    #expect(error?.reason.contains("declared \(announced) bytes and produced 3") == true)
  }

  @Test("Cancelling the source cancels the body")
  func cancelPassesOn() throws {
    let body = ScriptedByteSource([[1]])
    try EncodedByteSource(body, coding: .gzip).cancel()
    #expect(body.isCancelled)
  }
}
