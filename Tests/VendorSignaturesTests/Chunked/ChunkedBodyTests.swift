import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import VendorSignatures

@Suite(.timeLimit(.minutes(5))) struct ChunkedBodyTests {
  private func sent(
    _ body: RequestBody, sendsChecksum: Bool = true, fields: HTTPFields = [:]
  ) async throws -> Request {
    let signature = try AWSSignature(
      region: "r", service: "s3", payload: .chunked(size: 8_192, sendsChecksum: sendsChecksum))
    let interceptor = VendorSignatureInterceptor(
      signature, with: try VendorCredentials(keyID: "K", secret: "s"),
      time: .fixed(WallTime(secondsSince1970: 1_440_938_160)))
    return try await interceptor.signed(
      Request(method: .put, authority: "b.example", path: "/k", headerFields: fields, body: body))
  }

  private static func pieces(_ bytes: [UInt8], of size: Int) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
  }

  @Test(
    "The chunks don't depend on the pieces in which a body is read, and have the announced length",
    arguments: [0, 1, 8_191, 8_192, 8_193, 16_384, 50_000])
  func pieces(_ count: Int) async throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let whole = try await sent(.bytes(bytes))
    let expected = try await whole.body.collect(upTo: 1 << 20)
    #expect(whole.body.length == Int64(expected.count))
    for size in [1, 100, 8_192, 10_000, 60_000] {
      let body = RequestBody.once(length: Int64(count), ScriptedByteSource(Self.pieces(bytes, of: size)))
      let streamed = try await sent(body)
      #expect(streamed.head == whole.head)
      #expect(streamed.body.replay == .once)
      #expect(try await streamed.body.collect(upTo: 1 << 20) == expected)
    }
  }

  @Test("A body of unknown length can't be signed in chunks")
  func unknownLength() async throws {
    await #expect(throws: VendorSignatureError(.unknownLength)) {
      try await sent(.once(length: nil, ScriptedByteSource([[1]])))
    }
  }

  @Test("A body that is longer or shorter than declared fails while it is sent", arguments: [9_999, 10_001])
  func wrongLength(_ declared: Int64) async throws {
    let body = RequestBody.restartable(length: declared) {
      ScriptedByteSource(Self.pieces([UInt8](repeating: 7, count: 10_000), of: 1_000))
    }
    let request = try await sent(body)
    await #expect { try await request.body.collect(upTo: 1 << 20) } throws: { error in
      (error as? NetworkError)?.kind == .invalidRequest
    }
  }

  @Test("The codings of the body itself are kept, and the length of the body is announced")
  func fields() async throws {
    let request = try await sent(
      .bytes([1, 2, 3]), fields: [.contentEncoding: "gzip", .contentLength: "3"])
    let fields = request.head.headerFields
    #expect(fields[values: .contentEncoding] == ["aws-chunked,gzip"])
    #expect(fields[AWSFields.decodedLength] == "3")
    #expect(fields[AWSFields.trailer] == "x-amz-checksum-crc32c")
    #expect(fields[values: .contentLength] == [request.body.length.map(String.init)])
  }

  @Test("Cancelling the chunks cancels the body's source")
  func cancelling() async throws {
    let source = EndlessSource()
    let request = try await sent(.once(length: 1 << 40, source))
    let chunks = try await request.body.open()
    _ = try await chunks.read()
    chunks.cancel()
    #expect(source.isCancelled.value)
  }

  private final class EndlessSource: ByteSource {
    let isCancelled = WaitableValue(false)
    func read() async throws(NetworkError) -> [UInt8]? { [UInt8](repeating: 1, count: 5_000) }
    func cancel() { isCancelled.update { $0 = true } }
  }

  @Test(
    "CRC-32C agrees with the examples of RFC 3720",
    arguments: [
      ([UInt8](repeating: 0, count: 32), 0x8A91_36AA), ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
      (Array(0..<32), 0x46DD_794E), (Array((0..<32).reversed()), 0x113F_DB5C),
      (Array("123456789".utf8), 0xE306_9283),
    ] as [([UInt8], UInt32)])
  func checksum(_ bytes: [UInt8], _ expected: UInt32) {
    for split in 0...bytes.count {
      var checksum = CRC32C()
      checksum.update(bytes[..<split])
      checksum.update(bytes[split...])
      #expect(checksum.value == expected)
    }
  }
}
