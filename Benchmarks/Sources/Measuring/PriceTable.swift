/// What each part of a chain adds to a request, as a Markdown table.
public struct PriceTable: Sendable, CustomStringConvertible {
  /// What a request takes, or what a part adds to it.
  public struct Cost: Sendable, Hashable {
    /// The instructions of user code.
    public var instructions: Double
    /// The heap objects.
    public var objects: Double

    /// Creates a cost.
    public init(instructions: Double, objects: Double) {
      self.instructions = instructions
      self.objects = objects
    }

    /// Returns what one cost has beyond another.
    public static func - (whole: Cost, rest: Cost) -> Cost {
      Cost(instructions: whole.instructions - rest.instructions, objects: whole.objects - rest.objects)
    }
  }

  /// What a request takes in all, or what a part adds to it.
  public struct Price: Sendable, Hashable {
    /// Over a stub that responds at once.
    public var stub: Cost
    /// Over the wire.
    public var wire: Cost
    /// The bytes of header that leave the chain.
    public var headerBytes: Double

    /// Creates a price.
    public init(stub: Cost, wire: Cost, headerBytes: Double) {
      self.stub = stub
      self.wire = wire
      self.headerBytes = headerBytes
    }

    /// Returns what one price has beyond another.
    public static func - (whole: Price, rest: Price) -> Price {
      Price(
        stub: whole.stub - rest.stub, wire: whole.wire - rest.wire,
        headerBytes: whole.headerBytes - rest.headerBytes)
    }
  }

  private static let heading =
    "| part | instructions | heap objects | over the wire: instructions | heap objects | bytes of header |"
  private let rows: [(name: String, price: Price)]

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - whole: What a request takes with all parts.
  ///   - without: What it takes without a part, by the part's name; the most expensive part comes first.
  ///   - bare: What it takes without any chain.
  public init(whole: Price, without: [(part: String, price: Price)], bare: Price) {
    let parts = without.map { (name: $0.part, price: whole - $0.price) }
      .sorted { $0.price.stub.instructions > $1.price.stub.instructions }
    rows = [("the whole chain", whole)] + parts + [("no chain", bare)]
  }

  /// The table, with a line break at its end.
  ///
  /// Instructions are rounded to hundreds, below which counts differ between runs.
  public var description: String {
    let lines = rows.map { name, price in
      let cells = [
        Self.instructions(price.stub), Self.objects(price.stub), Self.instructions(price.wire),
        Self.objects(price.wire), Decimals.text(price.headerBytes, 0),
      ]
      return "| \(name) | \(cells.joined(separator: " | ")) |\n"
    }
    return "\(Self.heading)\n|---|---:|---:|---:|---:|---:|\n\(lines.joined())"
  }

  /// Returns a document in which this table replaces the one with the same heading; nil if it has none.
  public func replaced(in document: String) -> String? {
    let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(where: { $0 == Self.heading }) else { return nil }
    let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
    return (lines[..<start].map { "\($0)\n" } + [description]).joined()
      + lines[end...].joined(separator: "\n")
  }

  private static func instructions(_ cost: Cost) -> String {
    let digits = Decimals.text((cost.instructions / 100).rounded() * 100, 0)
    let sign = digits.hasPrefix("-") ? "-" : ""
    var groups: [Substring] = []
    var rest = digits.dropFirst(sign.count)
    while rest.count > 3 {
      groups.append(rest.suffix(3))
      rest = rest.dropLast(3)
    }
    return sign + ([rest] + groups.reversed()).joined(separator: ",")
  }

  private static func objects(_ cost: Cost) -> String {
    let text = Decimals.text(cost.objects, 1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
