import Foundation
import ResponseCaching
import Testing

@testable import EstateNetwork

@Suite("The plot of the advice about the cache")
struct AdvicePlotTests {
  /// 40 responses of 100 bytes, of which a few are requested more often than the others.
  private static let recording = CacheRecording(
    entries: (0..<400).map { index in
      let key = index % 3 == 0 ? index / 3 % 5 : 5 + index * 11 % 35
      return CacheRecording.Entry(
        key: UInt64(key), time: .seconds(index), size: 100, lifetime: .seconds(120), isHit: index % 4 == 0)
    })

  @Test("The plot is an SVG image with axes, labels and a line for each policy, in light and dark colors")
  func plot() throws {
    let advice = CacheAdvice(
      Self.recording, bytes: [1_024, 1_536, 1 << 20], policies: [.lru, .s3FIFO, .optimal])
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "plot.svg")
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(AdvicePlot(advice).svg(title: "Limits <b>& \"policies\"\u{1B}\n'") == expected)
  }

  @Test("A recording without requests, or with one limit, has a plot")
  func degenerate() {
    for recording in [CacheRecording(), Self.recording] {
      for limits in [[], [0], [1 << 20]] {
        let plot = AdvicePlot(CacheAdvice(recording, bytes: limits)).svg()
        #expect(!plot.contains("nan") && plot.hasSuffix("</svg>\n"))
      }
    }
  }
}
