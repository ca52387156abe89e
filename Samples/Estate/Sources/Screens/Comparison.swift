package import ScreenContents

/// Several things, property by property.
package struct Comparison: AppContent {
  package static let kind = "comparison"

  /// One of the things that are compared.
  package struct Subject: Codable, Sendable, Equatable {
    /// The name, such as `#42`.
    package var name: String
    package var route: String
    /// Its properties in the order of the comparison's; empty if it could not be loaded.
    package var values: [String]
    package var failure: String?

    package init(_ name: String, route: String, values: [String] = [], failure: String? = nil) {
      self.name = name
      self.route = route
      self.values = values
      self.failure = failure
    }
  }

  package var properties: [String]
  package var subjects: [Subject]

  package init(_ properties: [String], of subjects: [Subject]) {
    self.properties = properties
    self.subjects = subjects
  }

  package var actions: [ScreenAction] { subjects.map { .show($0.name, $0.route) } }

  /// Whether the loaded subjects differ in a property, given by its index.
  package func differs(in property: Int) -> Bool {
    Set(subjects.compactMap { $0.values.indices.contains(property) ? $0.values[property] : nil }).count > 1
  }
}
