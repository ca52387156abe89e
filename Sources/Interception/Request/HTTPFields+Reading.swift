package import HTTPTypes

extension HTTPFields {
  /// Returns what the subscript does, without the cost of joining values if there is only one.
  package func value(of name: HTTPField.Name) -> String? {
    guard let index = firstIndex(where: { $0.name == name }) else { return nil }
    let isAlone = !self[(index + 1)...].contains { $0.name == name }
    return isAlone ? self[index].value : self[name]
  }
}
