import Cryptography
import HTTPTypes
import Interception
import Synchronization

/// Reads a body and returns it in signed chunks, holding at most one chunk and what the body returned last.
final class ChunkedByteSource: ByteSource {
  private struct State {
    var signer: ChunkSigner
    var checksum = CRC32C()
    /// Bytes that were read, of which those from `offset` on are not yet sent.
    var pending: [UInt8] = []
    var offset = 0
    var count: Int64 = 0
    var hasEnded = false
    var isDone = false

    var pendingCount: Int { pending.count - offset }

    mutating func add(_ bytes: [UInt8]) {
      count += Int64(bytes.count)
      if pendingCount == 0 {
        pending = bytes
      } else {
        pending.removeFirst(offset)
        pending += bytes
      }
      offset = 0
    }

    mutating func takeChunk(upTo size: Int) -> ArraySlice<UInt8> {
      let end = min(offset + size, pending.count)
      defer { offset = end }
      return pending[offset..<end]
    }
  }

  private let plan: ChunkPlan
  private let source: LateByteSource
  private let state: Mutex<State>

  init(_ plan: ChunkPlan, body: RequestBody, signer: ChunkSigner) {
    self.plan = plan
    source = LateByteSource { () throws(NetworkError) in try await body.open() }
    state = Mutex(State(signer: signer))
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    guard !state.withLock({ $0.isDone }) else { return nil }
    while state.withLock({ !$0.hasEnded && $0.pendingCount < plan.chunkSize }) {
      let bytes = try await source.read()
      state.withLock { state in
        if let bytes { state.add(bytes) } else { state.hasEnded = true }
      }
    }
    return try state.withLock { (state) throws(NetworkError) in
      guard state.count <= plan.decodedLength, !state.hasEnded || state.count == plan.decodedLength else {
        throw NetworkError(
          .invalidRequest,
          "The body declares a length of \(plan.decodedLength) bytes but has \(state.hasEnded ? "" : "at least ")"
            + "\(state.count); declare its actual length.", requestMayHaveBeenProcessed: true)
      }
      do throws(CryptographyError) { return try next(&state) } catch {
        let error = VendorSignatureError(error)
        throw NetworkError(
          .rejected, error.description, requestMayHaveBeenProcessed: true, underlying: error)
      }
    }
  }

  func cancel() { source.cancel() }

  /// Returns the next chunk; the empty one that ends the body comes with the trailers.
  private func next(_ state: inout State) throws(CryptographyError) -> [UInt8] {
    let data = state.takeChunk(upTo: plan.chunkSize)
    if plan.sendsChecksum { state.checksum.update(data) }
    var bytes = try state.signer.chunk(data)
    guard data.isEmpty else { return bytes }
    if plan.sendsChecksum { bytes += try state.signer.trailer(ChunkPlan.checksumName, state.checksum.text) }
    bytes += Array("\r\n".utf8)
    state.isDone = true
    return bytes
  }
}

/// The layout of a body in signed chunks: its length as it is sent, and the fields that announce it.
struct ChunkPlan: Sendable {
  /// The number of bytes of the body.
  let decodedLength: Int64
  let chunkSize: Int
  let sendsChecksum: Bool

  /// The trailer with the CRC-32C of the body.
  static let checksumName = "x-amz-checksum-crc32c"
  /// The number of characters of its value in base 64.
  private static let checksumLength = 8

  /// - Throws: ``VendorSignatureError`` if the body doesn't declare its length.
  init(body: RequestBody, chunkSize: Int, sendsChecksum: Bool) throws(VendorSignatureError) {
    // A length beyond a terabyte is a mistake, and would overflow the sums below.
    guard let length = body.length, (0...1 << 50).contains(length) else {
      throw VendorSignatureError(.unknownLength)
    }
    decodedLength = length
    self.chunkSize = chunkSize
    self.sendsChecksum = sendsChecksum
  }

  /// The number of bytes that are sent.
  var encodedLength: Int64 {
    let size = Int64(chunkSize)
    let (whole, rest) = decodedLength.quotientAndRemainder(dividingBy: size)
    var length = whole * Self.encodedLength(ofChunk: size)
    if rest > 0 { length += Self.encodedLength(ofChunk: rest) }
    // The last chunk is empty: its own line break ends the body, with trailers in between.
    length += Self.encodedLength(ofChunk: 0)
    if sendsChecksum {
      length += Int64(Self.checksumName.utf8.count + 1 + Self.checksumLength + 2)
      length += Int64(ChunkSigner.trailerSignatureName.utf8.count + 1 + 64 + 2)
    }
    return length
  }

  /// Header line, data and line break.
  private static func encodedLength(ofChunk size: Int64) -> Int64 {
    let digits = Int64(String(size, radix: 16).utf8.count)
    return digits + Int64(ChunkSigner.signaturePrefix.utf8.count) + 64 + 2 + size + 2
  }

  /// Returns the fields that announce the layout.
  ///
  /// `Content-Encoding` keeps the codings of the body itself; `Content-Length` is replaced if it is present.
  func fields(replacing present: HTTPFields) -> [HTTPField] {
    let codings = present[.contentEncoding].map { "aws-chunked,\($0)" } ?? "aws-chunked"
    var fields = [
      HTTPField(name: .contentEncoding, value: codings),
      HTTPField(name: AWSFields.decodedLength, value: "\(decodedLength)"),
    ]
    if present.contains(.contentLength) {
      fields.append(HTTPField(name: .contentLength, value: "\(encodedLength)"))
    }
    if sendsChecksum { fields.append(HTTPField(name: AWSFields.trailer, value: Self.checksumName)) }
    return fields
  }

  /// Returns the body in signed chunks, which can be sent as often as the body itself.
  func body(_ body: RequestBody, signedBy signer: ChunkSigner) -> RequestBody {
    let plan = self
    if body.replay == .once {
      return .once(length: encodedLength, ChunkedByteSource(plan, body: body, signer: signer))
    }
    return .restartable(length: encodedLength) { () throws(NetworkError) in
      ChunkedByteSource(plan, body: body, signer: signer)
    }
  }
}
