import ContentCodings
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import BodyCompression

@Suite(.timeLimit(.minutes(5))) struct DecodedByteSourceTests {
  private let sent = BodyStream.Ending()
  private let ending = BodyStream.Ending()

  private func decoded(_ source: some ByteSource, _ codings: [String] = ["gzip"]) throws -> DecodedByteSource
  {
    DecodedByteSource(
      source, try #require(ContentDecoding(codings)),
      fault: DecodingFault(codings, of: Request(authority: "a.test", path: "/")), sent: sent, ending: ending)
  }

  /// A stored block (RFC 1951, section 3.2.4), as a server flushes an event.
  private func block(_ text: String) -> [UInt8] {
    let count = UInt8(text.utf8.count)
    return [0, count, 0, ~count, 0xFF] + Array(text.utf8)
  }

  @Test("Content that the server flushed is delivered before more is read")
  func flushedEvents() async throws {
    let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
    let source = ScriptedByteSource([head + block("data: 1\n\n"), block("data: 2\n\n"), block("data: 3\n\n")])
    let decoded = try decoded(source)
    for number in 1...3 {
      #expect(try await decoded.read() == Array("data: \(number)\n\n".utf8))
      #expect(source.reads == number)
    }
    decoded.cancel()
    #expect(source.isCancelled)
  }

  @Test("A slow reader holds one piece, and the rest is not read")
  func backPressure() async throws {
    // Each chunk is a mebibyte.
    let source = ScriptedByteSource(Array(repeating: CodedVectors.zstdFrame, count: 8))
    let decoded = try decoded(source, ["zstd"])
    var (count, largest) = (0, 0)
    while let piece = try await decoded.read() {
      #expect(piece.first == 0)
      (count, largest) = (count + piece.count, max(largest, piece.count))
      #expect(source.reads == (count + (1 << 20) - 1) >> 20)
    }
    #expect(count == 8 << 20 && largest <= 64 << 10)
  }

  @Test(
    "The trailers and the report of the transfer are those of the content, with the coding and its length")
  func ends() async throws {
    let decoded = try decoded(
      ScriptedByteSource([try #require(try ContentCoding.gzip.encode(CodedVectors.text))]))
    while try await decoded.read() != nil { #expect(ending.transport == nil) }
    // A transport may finish after the last byte was read.
    sent.finish(trailers: [.eTag: "x"], transport: TransportReport(bytes: .init(sent: 3, received: 40)))
    #expect(ending.trailers == [.eTag: "x"])
    #expect(ending.transport?.bytes == .init(sent: 3, received: 40, decoded: 1_000))
    #expect(ending.transport?.contentCoding == .gzip)
  }

  @Test("An error cancels the transfer, and its report has what was decoded", arguments: [true, false])
  func failures(isBroken: Bool) async throws {
    let coded = try #require(try ContentCoding.gzip.encode(SampleBytes.text(200_000)))
    let failure = isBroken ? nil : NetworkError(.transport, "The connection ended.")
    let source = ScriptedByteSource(
      [Array(coded.prefix(9_000)), isBroken ? [UInt8](repeating: 0xFF, count: 99) : []].filter {
        !$0.isEmpty
      },
      endingWith: failure)
    let decoded = try decoded(source)
    var count: Int64 = 0
    let error = await #expect(throws: NetworkError.self) {
      while let piece = try await decoded.read() { count += Int64(piece.count) }
    }
    #expect(error?.kind == (isBroken ? .protocolViolation : .transport))
    #expect(count > 0 && source.isCancelled)
    sent.finish(transport: TransportReport(bytes: .init(received: 9_000)))
    #expect(ending.transport?.bytes == .init(received: 9_000, decoded: count))
  }

  @Test("A stream that is dropped unread cancels its transfer")
  func dropped() throws {
    let source = ScriptedByteSource([[1]])
    _ = BodyStream(length: nil, ending: ending, try decoded(source))
    #expect(source.isCancelled)
  }
}
