import HTTPTypes
import Interception

/// The header fields that a signature covers if a request has them, without duplicates and without the
/// signature's own fields; those that override the method are always among them.
struct CoveredFields: Sendable {
  /// The fields by which a server may replace the method of a request, which the signature also covers.
  static let methodOverrides = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"]
    .compactMap { HTTPField.Name($0) }

  private let names: [HTTPField.Name]
  /// The fields that override the method and aren't among the names.
  private let overrides: [HTTPField.Name]

  init(_ names: [HTTPField.Name]) {
    var seen: Set<HTTPField.Name> = []
    self.names = names.filter { !SignatureFields.all.contains($0) && seen.insert($0).inserted }
    overrides = Self.methodOverrides.filter { !seen.contains($0) }
  }

  /// Returns the names in lower case, joined by spaces, and the values of the fields that are present.
  func present(in fields: HTTPFields) -> (names: String, values: [String]) {
    var present = ""
    var values: [String] = []
    func add(_ name: HTTPField.Name) {
      guard let value = fields.value(of: name) else { return }
      if !values.isEmpty { present += " " }
      present += name.canonicalName
      values.append(value)
    }
    for name in names { add(name) }
    if fields.contains(where: { Self.overridesMethod($0.name) }) { for name in overrides { add(name) } }
    return (present, values)
  }

  /// Returns the first field that overrides the method and isn't covered.
  static func uncoveredOverride(in fields: HTTPFields, covered: [HTTPField.Name]) -> HTTPField.Name? {
    fields.first { overridesMethod($0.name) && !covered.contains($0.name) }?.name
  }

  /// Whether a field overrides the method; the first letter rules out almost every other name.
  private static func overridesMethod(_ name: HTTPField.Name) -> Bool {
    name.canonicalName.utf8.first == UInt8(ascii: "x") && methodOverrides.contains(name)
  }
}
