/// A document all of whose parts have accepted their content, and which can therefore be applied.
package struct DeploymentPlan: Sendable {
  /// The document.
  package let document: DeploymentDocument
  private let actions: [@Sendable () -> Void]

  /// Checks every part of a document without any effect.
  ///
  /// - Parameter parts: The parts of the app, applied in this order.
  /// - Throws: ``DeploymentError`` of the first part in the document that the app doesn't have, or that
  ///   refuses its content; also if two parts of the app have the same name.
  package init(_ document: DeploymentDocument, parts: [DeploymentPart]) throws(DeploymentError) {
    for (index, part) in parts.enumerated() where parts[..<index].contains(where: { $0.name == part.name }) {
      throw DeploymentError(
        .argument("Two parts of the app have the name \"\(DeploymentError.shown(part.name))\"; rename one."))
    }
    for part in document.parts where !parts.contains(where: { $0.name == part.name }) {
      throw DeploymentError(.unknownPart, version: document.version, part: part.name)
    }
    var actions: [@Sendable () -> Void] = []
    for part in parts {
      if let content = document.content(of: part.name) {
        actions.append(try part.checked(content, version: document.version))
      } else {
        actions.append(part.reset)
      }
    }
    self.document = document
    self.actions = actions
  }

  /// Applies the content of each part, and resets the parts that the document doesn't have.
  package func apply() { for action in actions { action() } }
}
