public import ScreenContents

/// Several things, property by property.
public struct Comparison: AppContent {
  /// The word for it in a document.
  public static let kind = "comparison"

  /// One of the things that are compared.
  public struct Subject: Codable, Sendable, Equatable {
    /// The name, such as `#42`.
    public var name: String
    /// The URL of its screen.
    public var route: String
    /// Its properties in the order of the comparison's; empty if it could not be loaded.
    public var values: [String]
    /// Why it could not be loaded.
    public var failure: String?

    /// Creates a subject.
    public init(_ name: String, route: String, values: [String] = [], failure: String? = nil) {
      self.name = name
      self.route = route
      self.values = values
      self.failure = failure
    }
  }

  /// The names of the properties.
  public var properties: [String]
  /// What is compared.
  public var subjects: [Subject]

  /// Creates a comparison.
  public init(_ properties: [String], of subjects: [Subject]) {
    self.properties = properties
    self.subjects = subjects
  }

  /// What the user can do with it.
  public var actions: [ScreenAction] { subjects.map { .show($0.name, $0.route) } }

  /// Whether the loaded subjects differ in a property, given by its index.
  public func differs(in property: Int) -> Bool {
    Set(subjects.compactMap { $0.values.indices.contains(property) ? $0.values[property] : nil }).count > 1
  }
}
