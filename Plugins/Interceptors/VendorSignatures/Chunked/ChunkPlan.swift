import HTTPTypes
import Interception

/// The layout of a body in signed chunks: its length as it is sent, and the fields that announce it.
struct ChunkPlan: Sendable {
  /// The number of bytes of the body.
  let decodedLength: Int64
  let chunkSize: Int
  let checksum: AWSChecksum?

  /// - Throws: ``VendorSignatureError/unknownLength`` if the body doesn't declare its length.
  init(body: RequestBody, chunkSize: Int, checksum: AWSChecksum?) throws(VendorSignatureError) {
    // A length beyond a terabyte is a mistake, and would overflow the sums below.
    guard let length = body.length, (0...1 << 50).contains(length) else { throw .unknownLength }
    decodedLength = length
    self.chunkSize = chunkSize
    self.checksum = checksum
  }

  /// The number of bytes that are sent.
  var encodedLength: Int64 {
    let size = Int64(chunkSize)
    let (whole, rest) = decodedLength.quotientAndRemainder(dividingBy: size)
    var length = whole * Self.encodedLength(ofChunk: size)
    if rest > 0 { length += Self.encodedLength(ofChunk: rest) }
    // The last chunk is empty: its own line break ends the body, with trailers in between.
    length += Self.encodedLength(ofChunk: 0)
    if let checksum {
      length += Int64(checksum.rawValue.utf8.count + 1 + checksum.valueLength + 2)
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
    if let checksum { fields.append(HTTPField(name: AWSFields.trailer, value: checksum.rawValue)) }
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
