import ContentCodings
import Interception

extension FuzzTarget {
  static let contentCoding = FuzzTarget(
    name: "content-coding", reads: "gzip, deflate, brotli and Zstandard, also two of them",
    seeds: [ContentCoding.gzip, .deflate, .brotli, .zstd].enumerated().compactMap { index, coding in
      coded(Array("content, content, content".utf8), coding).map { [UInt8(index)] + $0 }
    },
    words: ["\u{1F}\u{8B}\u{8}", "\0\0\0\0"]
  ) { bytes in
    guard let first = bytes.first else { return }
    let input = Array(bytes.dropFirst())
    let whole = decoded(input, decoder(first), roomLength: 4_096, pieceLength: max(1, input.count))
    let pieces = decoded(input, decoder(first), roomLength: 7, pieceLength: 1 + Int(first >> 4))
    if let whole, let pieces {
      try require(pieces, equals: whole, "The content does not depend on how the bytes are divided.")
    } else {
      try require(whole == nil && pieces == nil, "An error does not depend on how the bytes are divided.")
    }
    let coding = [ContentCoding.gzip, .deflate, .brotli, .zstd][Int(first & 3)]
    guard let coded = coded(input, coding) else { return }
    try require(
      decoded(coded, decoder(first & 3), roomLength: 4_096, pieceLength: 64), equals: input,
      "Content, coded and decoded, is the same.")
  }

  private static func decoder(_ kind: UInt8) -> (any ContentDecoder)? {
    switch kind & 7 {
    case 0: ZlibDecoder(.gzip)
    case 1: ZlibDecoder(.deflate)
    case 2: BrotliDecoder()
    case 3: ZstdDecoder()
    case 4: ChainedDecoder(outer: ZlibDecoder(.gzip), inner: ZlibDecoder(.deflate))
    default: ZstdDecoder().map { ChainedDecoder(outer: ZlibDecoder(.gzip), inner: $0) }
    }
  }

  /// Returns up to 64 KiB of the content, or nil if the bytes are not of the coding or end too early.
  private static func decoded(
    _ input: [UInt8], _ decoder: (any ContentDecoder)?, roomLength: Int, pieceLength: Int
  ) -> [UInt8]? {
    guard let decoder else { return nil }
    var content: [UInt8] = []
    var rest = input[...]
    var hasMore = false
    while !rest.isEmpty || hasMore {
      let piece = Array(rest.prefix(pieceLength))
      var produced = 0
      var consumed: Int?
      let room = [UInt8](unsafeUninitializedCapacity: roomLength) { room, count in
        room.initialize(repeating: 0)
        let step = piece.withUnsafeBufferPointer { decoder.decode($0, into: room) }
        (produced, consumed, count) = (step?.produced ?? 0, step?.consumed, step?.produced ?? 0)
      }
      guard let consumed, consumed > 0 || produced > 0 || piece.isEmpty else { return nil }
      content += room
      rest = rest.dropFirst(consumed)
      hasMore = produced == roomLength
      // A whole decoding would take memory without bound.
      if content.count >= 65_536 { return Array(content.prefix(65_536)) }
    }
    return decoder.isEnded ? content : nil
  }

  private static func coded(_ content: [UInt8], _ coding: ContentCoding) -> [UInt8]? {
    guard let encoder = try? coding.makeEncoder(level: 1) else { return nil }
    var (bytes, rest): ([UInt8], ArraySlice<UInt8>) = ([], content[...])
    while let piece = try? encoder.encode(rest, isLast: true, upTo: 4_096) {
      bytes += piece.bytes
      rest = rest.dropFirst(piece.consumed)
      if piece.isComplete { return bytes }
    }
    return nil
  }
}
