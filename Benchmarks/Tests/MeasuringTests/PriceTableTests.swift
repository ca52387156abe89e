import Measuring
import Testing

@Suite("The table of prices")
struct PriceTableTests {
  private static func price(_ instructions: Double, _ objects: Double, bytes: Double = 0) -> PriceTable.Price
  {
    let cost = PriceTable.Cost(instructions: instructions, objects: objects)
    return PriceTable.Price(
      stub: cost, wire: cost - PriceTable.Cost(instructions: -1_000, objects: 1), headerBytes: bytes)
  }

  private static let table = PriceTable(
    whole: price(1_231_049, 98, bytes: 400),
    without: [("retry", price(1_230_000, 98, bytes: 400)), ("signing", price(1_188_449, 85.5, bytes: 100))],
    bare: price(949, 0, bytes: 24))

  private static let text = """
    | part | instructions | heap objects | over the wire: instructions | heap objects | bytes of header |
    |---|---:|---:|---:|---:|---:|
    | the whole chain | 1,231,000 | 98 | 1,232,000 | 97 | 400 |
    | signing | 42,600 | 12.5 | 42,600 | 12.5 | 300 |
    | retry | 1,000 | 0 | 1,000 | 0 | 0 |
    | no chain | 900 | 0 | 1,900 | -1 | 24 |

    """

  @Test("A part costs what a request takes less without it, and the most expensive comes first")
  func rows() { #expect("\(Self.table)" == Self.text) }

  @Test("The table replaces that of a document, and nothing else of it")
  func replaced() {
    let heading = Self.text.prefix { $0 != "\n" }
    let other = "| another | table |\n|---|---|\n| 1 | 2 |\n"
    let document = "# Title\n\n\(other)\n\(heading)\n|---|\n| old | 1 |\n\nThe end.\n"
    #expect(Self.table.replaced(in: document) == "# Title\n\n\(other)\n\(Self.text)\nThe end.\n")
    #expect(Self.table.replaced(in: "\(heading)\n| old |") == Self.text)
    #expect(Self.table.replaced(in: other) == nil)
  }
}
