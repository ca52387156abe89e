import ContentCodings
import Interception

/// The decoding of one response's content, in pieces that can be refused and offered again.
///
/// Memory is bounded whatever the content is: one piece, and for each of at most two codings a window of at
/// most 8 MiB (RFC 9659), or 16 MiB with brotli.
@safe
final class ContentDecoding {
  static let codings: [ContentCoding] = [.gzip, .deflate, .brotli, .zstd]
  private static let pieceSize = 64 << 10

  let coding: ContentCoding
  private let decoder: any ContentDecoder
  private let piece: UnsafeMutableBufferPointer<UInt8>
  private var filled = 0
  private var hasMore = false
  /// How many of the bytes that are offered next were already decoded.
  private var decodedAhead = 0
  private var isStarted = false

  /// Creates a decoding of the codings of a response, in the order in which they were applied; nil if they
  /// are not one or two supported ones.
  init?(_ names: [String]) {
    let decoders = names.prefix(3).compactMap { Self.decoder(of: $0) }
    guard decoders.count == names.count, let first = decoders.first else { return nil }
    switch decoders.count {
    case 1: decoder = first
    case 2: decoder = ChainedDecoder(outer: decoders[1], inner: first)
    default: return nil
    }
    coding = ContentCoding(names.joined(separator: ", "))
    unsafe piece = .allocate(capacity: Self.pieceSize)
    unsafe piece.initialize(repeating: 0)
  }

  private static func decoder(of coding: String) -> (any ContentDecoder)? {
    switch coding {
    case "gzip": ZlibDecoder(.gzip)
    case "deflate": ZlibDecoder(.deflate)
    case "br": BrotliDecoder()
    case "zstd": ZstdDecoder()
    default: nil
    }
  }

  deinit { unsafe piece.deallocate() }

  /// Whether the content may end here: at the end of the coding, or before its first byte.
  var isComplete: Bool { (decoder.isEnded || !isStarted) && filled == 0 && !hasMore }

  /// Decodes bytes and delivers them piece by piece; returns nil if they are not of the coding.
  ///
  /// Once a piece is refused, the same bytes, perhaps with others after them, must be offered again.
  func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, _ deliver: (UnsafeBufferPointer<UInt8>) -> ResponsePipe.Offer
  ) -> ResponsePipe.Offer? {
    if !bytes.isEmpty { isStarted = true }
    var offset = min(decodedAhead, bytes.count)
    let beyond = decodedAhead - offset
    while true {
      if filled > 0 {
        switch unsafe deliver(UnsafeBufferPointer(rebasing: piece[..<filled])) {
        case .taken: filled = 0
        case .full:
          decodedAhead = offset + beyond
          return .full
        case .cancelled: return .cancelled
        }
      }
      guard offset < bytes.count || hasMore else { break }
      let rest = unsafe UnsafeBufferPointer(rebasing: bytes[offset...])
      guard let step = unsafe decoder.decode(rest, into: piece) else { return nil }
      // A decoder that moves nothing although it has input and room would never end.
      if step.consumed == 0, step.produced == 0, !rest.isEmpty { return nil }
      offset += step.consumed
      filled = step.produced
      hasMore = step.produced == Self.pieceSize
    }
    decodedAhead = beyond
    return .taken
  }
}
