@testable import WebSockets

// Section 9, large messages and many of them, without its time measurements, and section 10.
extension ConformanceCase {
  static let sizes: [ConformanceCase] =
    [false, true].flatMap {
      largeMessages(isBinary: $0) + fragments(isBinary: $0) + pieces(isBinary: $0)
        + manyMessages(isBinary: $0)
    } + [evenFragments]

  private static func kind(_ isBinary: Bool) -> String { isBinary ? "a binary message" : "a text" }

  /// The last binary message has the default maximum of a frame and a message.
  private static func largeMessages(isBinary: Bool) -> [ConformanceCase] {
    let lengths = [64 << 10, 256 << 10, 1 << 20, 4 << 20, 8 << 20, 16 << 20]
    // The longest texts are exceptions.
    return (isBinary ? lengths : Array(lengths.prefix(4))).enumerated().map { index, length in
      ConformanceCase(
        "\(isBinary ? "9.2" : "9.1").\(index + 1)", "\(kind(isBinary)) of \(length >> 10) KiB",
        scope: length <= 1 << 20 ? .everywhere : .reader,
        Exchange(isBinary: isBinary, ServerFrame.payload(isBinary: isBinary, count: length)))
    }
  }

  /// The first one has 65,537 fragments, of which the last one is empty.
  ///
  /// All messages of the list have 4 MiB.
  private static func fragments(isBinary: Bool) -> [ConformanceCase] {
    [64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20].enumerated().map {
      index, length in
      let count = (256...256 << 10).contains(length) ? 1 << 20 : 4 << 20
      return ConformanceCase(
        "\(isBinary ? "9.4" : "9.3").\(index + 1)",
        "\(kind(isBinary)) of \(count >> 20) MiB in fragments of \(length) bytes",
        scope: isBinary && [64, 64 << 10].contains(length) ? .everywhere : .reader,
        Exchange(
          isBinary: isBinary, ServerFrame.payload(isBinary: isBinary, count: count), fragmentLength: length))
    }
  }

  /// The messages of the list have 1 MiB.
  private static func pieces(isBinary: Bool) -> [ConformanceCase] {
    [64, 128, 256, 512, 1024, 2048].enumerated().map { index, length in
      ConformanceCase(
        "\(isBinary ? "9.6" : "9.5").\(index + 1)",
        "\(kind(isBinary)) of 256 KiB in writes of \(length) bytes",
        scope: isBinary == (length == 64) ? .everywhere : .reader,
        Exchange(
          isBinary: isBinary, ServerFrame.payload(isBinary: isBinary, count: 256 << 10), in: .octets(length)))
    }
  }

  /// The list has a thousand messages, because it measures their round trips.
  private static func manyMessages(isBinary: Bool) -> [ConformanceCase] {
    [0, 16, 64, 256, 1024, 4096].enumerated().map { index, length in
      ConformanceCase(
        "\(isBinary ? "9.8" : "9.7").\(index + 1)",
        "100 times \(kind(isBinary)) of \(length) bytes, when the previous one has come back"
      ) {
        let payload = ServerFrame.payload(isBinary: isBinary, count: length)
        return (0..<100).map { _ in Exchange(isBinary: isBinary, payload) }
      }
    }
  }

  private static let evenFragments = ConformanceCase(
    "10.1.1", "a text of 65536 bytes in fragments of 1300",
    Exchange(isBinary: false, ServerFrame.payload(isBinary: false, count: 65_536), fragmentLength: 1300))
}
