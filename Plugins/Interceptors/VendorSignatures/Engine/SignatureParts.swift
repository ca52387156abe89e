import HTTPTypes
import Interception

/// The parts of a request that a signature adds or replaces.
struct SignatureParts: Sendable {
  /// The fields to add; existing ones of the same name are removed.
  var fields: [HTTPField] = []
  /// The path with the query items that the signature adds.
  var path: String?
  /// The body as it is sent, if the signature is inside it.
  var body: RequestBody?

  /// Adds the parts to a request.
  func add(to request: inout Request) {
    var replaced = request.head.headerFields
    for field in fields where replaced.contains(field.name) { replaced[field.name] = nil }
    replaced.reserveCapacity(replaced.count + fields.count)
    for field in fields { replaced.append(field) }
    request.head.headerFields = replaced
    if let path { request.head.path = path }
    if let body { request.body = body }
  }
}

extension HTTPField {
  /// Creates a field whose value never recurs, so that it is excluded from HPACK's dynamic table.
  init(unindexed name: HTTPField.Name, _ value: String) {
    self.init(name: name, value: value)
    indexingStrategy = .disallow
  }
}

extension HTTPField.Name {
  /// Creates a name from a literal of this module.
  // The fallback is never used: a test checks that every literal is a legal name.
  init(signature literal: String) { self = HTTPField.Name(literal) ?? .authorization }
}
