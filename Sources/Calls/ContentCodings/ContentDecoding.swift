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

  /// Creates a decoding of codings in the order in which they were applied, by their names in lowercase; nil
  /// if they are not one or two of ``ContentCoding/decodable``, or there is no memory.
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

  /// Decodes from the beginning of `input`, and appends at most 64 KiB to `content`; returns the number of
  /// bytes of the input that were decoded, or nil if they are not of the coding.
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

/// Decodes content to which two codings were applied, one after the other.
///
/// The bytes between the two are limited, because the outer coding may expand a few bytes to any number of
/// empty blocks of the inner one, which then take time without producing output.
@safe
package final class ChainedDecoder: ContentDecoder {
  private static let capacity = 64 << 10
  /// The number of bytes between the codings up to which their ratio to the input is ignored.
  private static let ratioFloor = 1 << 20
  private static let ratio = 200

  private let outer: any ContentDecoder
  private let inner: any ContentDecoder
  private let middle: UnsafeMutableBufferPointer<UInt8>
  private var pending: Range<Int> = 0..<0
  private var outerHasMore = false
  private var innerHasMore = false
  private var totals = DecodingStep.nothing

  /// Creates a decoder of content that was first coded for `inner`, and the result of that for `outer`.
  package init(outer: any ContentDecoder, inner: any ContentDecoder) {
    self.outer = outer
    self.inner = inner
    unsafe middle = .allocate(capacity: Self.capacity)
    unsafe middle.initialize(repeating: 0)
  }

  deinit { unsafe middle.deallocate() }

  package var isEnded: Bool {
    outer.isEnded && inner.isEnded && pending.isEmpty && !outerHasMore && !innerHasMore
  }

  package func decode(
    _ input: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> DecodingStep? {
    var done = DecodingStep.nothing
    while done.produced < target.count {
      if !pending.isEmpty || innerHasMore {
        let room = unsafe UnsafeMutableBufferPointer(rebasing: target[done.produced...])
        guard let produced = unsafe decodeInner(into: room) else { return nil }
        done.produced += produced
      } else {
        guard done.consumed < input.count || outerHasMore else { break }
        let rest = unsafe UnsafeBufferPointer(rebasing: input[done.consumed...])
        guard let consumed = unsafe decodeOuter(rest) else { return nil }
        done.consumed += consumed
      }
    }
    return done
  }

  /// Decodes the bytes between the codings; returns the number of bytes written.
  private func decodeInner(into room: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    let source = unsafe UnsafeBufferPointer(rebasing: middle[pending])
    guard let step = unsafe inner.decode(source, into: room) else { return nil }
    // A decoder that moves nothing although it has input and room would never end.
    if step == .nothing, !pending.isEmpty { return nil }
    pending = pending.dropFirst(step.consumed)
    innerHasMore = step.produced == room.count
    return step.produced
  }

  /// Decodes input to bytes between the codings; returns the number of bytes read.
  private func decodeOuter(_ input: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let step = unsafe outer.decode(input, into: middle) else { return nil }
    if step == .nothing, !input.isEmpty { return nil }
    pending = 0..<step.produced
    outerHasMore = step.produced == Self.capacity
    totals.consumed += step.consumed
    totals.produced += step.produced
    guard totals.produced <= Self.ratioFloor || totals.produced / Self.ratio <= totals.consumed else {
      return nil
    }
    return step.consumed
  }
}
