/// Reads the listings file: comma-separated, with a heading line and without quoted fields.
struct ListingsFile {
  static let columns = [
    "city", "zip", "beds", "baths", "sqft", "type", "price", "latitude", "longitude",
  ]

  static func homes(in bytes: [UInt8]) throws(ListingsError) -> [Home] {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
    // A carriage return and line feed are one Character.
    var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }[...]
    if lines.last?.isEmpty == true { lines = lines.dropLast() }
    let heading = lines.popFirst() ?? ""
    guard heading == columns.joined(separator: ",") else {
      throw .columns(found: String(heading.prefix(120)))
    }
    guard !lines.isEmpty else { throw .empty }
    var homes: [Home] = []
    homes.reserveCapacity(lines.count)
    for line in lines {
      let id = homes.count + 1
      do {
        homes.append(try home(id: id, line: line))
      } catch {
        throw .line(id + 1, error)
      }
    }
    return homes
  }

  private static func home(id: Int, line: Substring) throws(ListingsLineFault) -> Home {
    guard !line.contains("\"") else { throw .quotation }
    let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == columns.count else { throw .fieldCount(fields.count) }
    guard !fields[0].isEmpty else {
      throw .field(column: "city", text: "", wanted: "a name")
    }
    // The file writes z95838, which spreadsheets don't read as a number.
    let zip = fields[1].hasPrefix("z") ? String(fields[1].dropFirst()) : fields[1]
    guard zip.utf8.count == 5, zip.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .field(column: "zip", text: fields[1], wanted: "five digits, perhaps after a z")
    }
    guard let kind = HomeKind(listed: fields[5]) else {
      throw .field(column: "type", text: fields[5], wanted: "Residential, Condo or Multi_Family")
    }
    return Home(
      id: id, kind: kind,
      city: fields[0].split(separator: "_").joined(separator: " ").uppercased(),
      zip: zip,
      beds: try whole(fields[2], column: "beds", in: 0...50),
      baths: try decimal(fields[3], column: "baths", in: 0...50),
      squareFeet: try whole(fields[4], column: "sqft", in: 1...1_000_000),
      price: try whole(fields[6], column: "price", in: 1...1_000_000_000),
      latitude: try decimal(fields[7], column: "latitude", in: -90...90),
      longitude: try decimal(fields[8], column: "longitude", in: -180...180))
  }

  private static func whole(
    _ text: String, column: String, in range: ClosedRange<Int>
  ) throws(ListingsLineFault) -> Int {
    guard let number = Int(text), range.contains(number) else {
      let wanted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
      throw .field(column: column, text: text, wanted: wanted)
    }
    return number
  }

  private static func decimal(
    _ text: String, column: String, in range: ClosedRange<Double>
  ) throws(ListingsLineFault) -> Double {
    guard let number = Double(text), range.contains(number) else {
      let wanted = "a number from \(range.lowerBound) to \(range.upperBound)"
      throw .field(column: column, text: text, wanted: wanted)
    }
    return number
  }
}
