/// The reasons why the coder has no text for the value of a property.
enum Unwritable {
  /// The value consists of several values, or of lists in a list.
  case nested
  /// An element of a list is optional.
  case absentElement
  /// Types wrap each other too often.
  case deep

  /// Returns the error for a property.
  func error(_ name: String) -> RouteError { .parameter(name: name, reason: .refused(problem)) }

  private var problem: String {
    switch self {
    case .nested:
      "no single text stands for its value; give an enumeration raw values, conform its type to RouteValue, or "
        + "use its parts as properties"
    case .absentElement: "an element of a list cannot be nil; make the elements required"
    case .deep:
      "its type is wrapped more than \(PropertyDecoder.maximumDepth) times; conform it to RouteValue"
    }
  }
}

/// Thrown for a route that codes itself as a single value or a list.
struct UnnamedPropertiesError: Error, CustomStringConvertible {
  let description = "it is coded without named properties"
}
