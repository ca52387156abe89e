@testable import WebSocketCompression
@testable import WebSockets

extension FuzzTarget {
  /// The first byte says whether compression was negotiated, and into what pieces the others are divided.
  static let webSocketFrames = FuzzTarget(
    name: "websocket-frames", reads: "frames of a WebSocket's server, with and without compression",
    seeds: [
      [0, 0x81, 5] + Array("Hello".utf8) + [0x89, 0, 0x88, 2, 3, 0xE8],
      [2, 0x01, 3] + Array("Hel".utf8) + [0x8A, 1, 7, 0x80, 2] + Array("lo".utf8),
      // The examples of RFC 7692, section 7.2.3, of which the second one refers to the first.
      [1, 0xC1, 7, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0xC1, 5, 0xF2, 0x00, 0x11, 0x00, 0x00],
      [5, 0xC1, 8, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00],
      [3, 0x41, 3, 0xF2, 0x48, 0xCD, 0x80, 4, 0xC9, 0xC9, 0x07, 0x00],
      [0, 0x82, 126, 0, 126] + [UInt8](repeating: 7, count: 126),
    ]
  ) { bytes in
    guard let first = bytes.first else { return }
    let input = Array(bytes.dropFirst())
    let isCompressed = first & 1 == 1
    let whole = events(input, isCompressed, pieceLength: max(1, input.count))
    let pieces = events(input, isCompressed, pieceLength: 1 + Int(first >> 1) % 9)
    switch (whole, pieces) {
    case (.success(let whole), .success(let pieces)):
      try require(pieces, equals: whole, "The events do not depend on how the bytes are divided.")
      for case .message(let message) in whole {
        let length =
          switch message {
          case .text(let text): text.utf8.count
          case .binary(let bytes): bytes.count
          }
        try require(length <= limits.message, "A message is within the limit.", "\(length)")
      }
    case (.failure, .failure): break
    default:
      try require(false, "An error does not depend on how the bytes are divided.", "\(whole) \(pieces)")
    }
  }

  private static let limits = ReadingLimits(frame: 2_048, message: 8_192)

  private static func events(
    _ bytes: [UInt8], _ isCompressed: Bool, pieceLength: Int
  ) -> Result<[MessageReader.Event], ProtocolFault> {
    Result { () throws(ProtocolFault) in
      let inflater = isCompressed ? MessageInflater(retainsContext: true) : nil
      var reader = MessageReader(limits: limits, inflater: inflater)
      var events: [MessageReader.Event] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        reader.append(Array(rest.prefix(pieceLength)))
        rest = rest.dropFirst(pieceLength)
        while let event = try reader.next() { events.append(event) }
      }
      return events
    }
  }
}
