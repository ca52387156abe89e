import Foundation
import FoundationXML
import Testing

@testable import Measuring

@Suite("A plot of growth")
struct GrowthPlotTests {
  private func panel(_ title: String, _ values: [(Int, Double)]) -> GrowthPlot.Panel {
    .init(
      title, axis: "requests", .nanoseconds,
      GrowthSeries(values.map { .init(size: $0.0, value: $0.1) }))
  }

  /// Counts elements by name, and collects the coordinates of the dots.
  private final class Reader: NSObject, XMLParserDelegate {
    var counts: [String: Int] = [:]
    var dots: [(Double, Double)] = []

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String] = [:]
    ) {
      counts["\(name) \(attributes["class"] ?? "")", default: 0] += 1
      if name == "circle", let x = Double(attributes["cx"] ?? ""), let y = Double(attributes["cy"] ?? "") {
        dots.append((x, y))
      }
    }
  }

  private func read(_ plot: GrowthPlot) throws -> Reader {
    let (reader, parser) = (Reader(), XMLParser(data: Data("\(plot)".utf8)))
    parser.delegate = reader
    try #require(parser.parse(), "\(plot)")
    return reader
  }

  @Test("Each panel has a line with a dot for each size, within its area, and a logarithm")
  func panels() throws {
    let plot = GrowthPlot(
      "Times", [panel("Hits <a & b>", [(1, 10), (1_000, 12), (1_000_000, 9)]), panel("Misses", [(10, 1e9)])])
    let reader = try read(plot)
    #expect(reader.counts["path line"] == 2)
    #expect(reader.counts["path log"] == 2)
    #expect(reader.dots.count == 4)
    #expect(reader.dots.allSatisfy { (58...252).contains($0.0) && (34...160).contains($0.1) })
    #expect(reader.counts["text name"] == 2)
    #expect("\(plot)".contains("Hits &lt;a &amp; b&gt;"))
  }

  @Test("A larger value is higher, and equal values are level")
  func heights() throws {
    let dots = try read(GrowthPlot("Times", [panel("Hits", [(1, 10), (10, 10), (100, 20)])])).dots
    #expect(dots[0].1 == dots[1].1)
    #expect(dots[2].1 < dots[1].1)
    #expect(dots[0].0 < dots[1].0)
  }

  @Test("A panel without points is left out, and a plot without panels is valid")
  func empty() throws {
    let reader = try read(GrowthPlot("Times", [panel("Hits", [])]))
    #expect(reader.counts["path line"] == nil)
  }

  @Test("Both color schemes are in the file")
  func schemes() {
    #expect("\(GrowthPlot("Times", []))".contains("prefers-color-scheme: dark"))
  }

  @Test(
    "Numbers on an axis have a unit that fits",
    arguments: [
      (Measuring.Unit.nanoseconds, 100.0, "100 ns"), (.nanoseconds, 1_000, "1 µs"),
      (.nanoseconds, 1_540, "1.5 µs"),
      (.nanoseconds, 2.34e7, "23 ms"), (.bytes, 812, "812 B"), (.bytes, 4_100_000, "4.1 MB"),
      (.microseconds, 0.25, "250 ns"),
    ])
  func axis(unit: Measuring.Unit, value: Double, text: String) {
    #expect(unit.short(value) == text)
  }
}
