package import Interception

/// The decoding of the content of one message, piece by piece.
///
/// Memory is bounded whatever the content is: one piece, and for each of at most two codings a window of at
/// most 8 MiB (RFC 9659), or 16 MiB with brotli. It isn't thread-safe.
@safe
package final class ContentDecoding {
  /// The maximum number of codings that were applied to content.
  package static let maximumCodings = 2
  private static let pieceSize = 64 << 10

  /// The codings, as in a field.
  package let coding: ContentCoding
  private let decoder: any ContentDecoder
  private let piece: UnsafeMutableBufferPointer<UInt8>
  private var isStarted = false
  /// Whether there may be more content without further input.
  package private(set) var hasMore = false

  /// Creates a decoding of codings in the order in which they were applied, by their names in lowercase; nil if
  /// they are not one or two of ``ContentCoding/decodable``, or there is no memory.
  package init?(_ names: [String]) {
    guard names.count <= Self.maximumCodings else { return nil }
    let decoders = names.compactMap { Self.decoder(of: $0) }
    guard decoders.count == names.count, let first = decoders.first else { return nil }
    decoder = decoders.count == 1 ? first : ChainedDecoder(outer: decoders[1], inner: first)
    coding = ContentCoding(names.joined(separator: ", "))
    unsafe piece = .allocate(capacity: Self.pieceSize)
  }

  private static func decoder(of coding: String) -> (any ContentDecoder)? {
    switch ContentCoding(coding) {
    case .gzip: ZlibDecoder(.gzip)
    case .deflate: ZlibDecoder(.deflate)
    case .brotli: BrotliDecoder()
    case .zstd: ZstdDecoder()
    default: nil
    }
  }

  deinit { unsafe piece.deallocate() }

  /// Whether the content may end here: at the end of the coding, or before its first byte.
  package var isComplete: Bool { (decoder.isEnded || !isStarted) && !hasMore }

  /// Decodes from the beginning of `input`, and appends at most 64 KiB to `content`; returns the number of bytes
  /// of the input that were decoded, or nil if they are not of the coding.
  ///
  /// Call it with the rest of the input until that is empty and ``hasMore`` is false.
  package func decode(_ input: ArraySlice<UInt8>, appendingTo content: inout [UInt8]) -> Int? {
    guard !input.isEmpty || hasMore else { return 0 }
    if !input.isEmpty { isStarted = true }
    guard let step = unsafe input.withUnsafeBufferPointer({ unsafe decoder.decode($0, into: piece) }) else {
      return nil
    }
    // A decoder that moves nothing although it has input and room would never end.
    if step == .nothing, !input.isEmpty { return nil }
    hasMore = step.produced == Self.pieceSize
    unsafe content.append(contentsOf: UnsafeBufferPointer(rebasing: piece[..<step.produced]))
    return step.consumed
  }

  /// Returns the first bytes of the content, at most `limit`, of coded bytes that may be cut off or broken.
  package func sample(of coded: [UInt8], upTo limit: Int) -> [UInt8] {
    var (content, rest): ([UInt8], ArraySlice<UInt8>) = ([], coded[...])
    while content.count < limit, !rest.isEmpty || hasMore,
      let consumed = decode(rest, appendingTo: &content)
    {
      rest = rest.dropFirst(consumed)
    }
    return Array(content.prefix(limit))
  }
}
