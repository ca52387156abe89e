import HTTPTypes
import Interception

/// The header fields that a signature covers if a request has them, without duplicates and without the
/// signature's own fields.
struct CoveredFields: Sendable {
  private let names: [HTTPField.Name]

  init(_ names: [HTTPField.Name]) {
    var seen: Set<HTTPField.Name> = []
    self.names = names.filter { !SignatureFields.all.contains($0) && seen.insert($0).inserted }
  }

  /// Returns the names in lower case, joined by spaces, and the values of the fields that are present.
  func present(in fields: HTTPFields) -> (names: String, values: [String]) {
    var present = ""
    var values: [String] = []
    for name in names {
      guard let value = fields.value(of: name) else { continue }
      if !values.isEmpty { present += " " }
      present += name.canonicalName
      values.append(value)
    }
    return (present, values)
  }
}
