import HTTPTypes

/// The header fields that a signature covers where a request has them: each once, and none of the signature's own.
struct CoveredFields: Sendable {
  private let names: [HTTPField.Name]

  init(_ names: [HTTPField.Name]) {
    var seen: Set<HTTPField.Name> = []
    self.names = names.filter { !SignatureFields.all.contains($0) && seen.insert($0).inserted }
  }

  /// The names in lower case, and the values, of those that are there.
  func present(in fields: HTTPFields) -> [(name: String, value: String)] {
    names.compactMap { name in fields[name].map { (name.canonicalName, $0) } }
  }
}
