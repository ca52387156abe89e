/// Fields for the user's input, which become the query of a route.
public struct ContentForm: Codable, Sendable, Equatable {
  /// A field of a form.
  public struct Field: Codable, Sendable, Equatable {
    /// The kinds of input.
    public enum Kind: String, Codable, Sendable {
      /// One line of text.
      case text
      /// Several lines of text.
      case paragraph
      /// A whole number.
      case number
      /// One of the options.
      case choice
    }

    /// A value that the user can choose.
    public struct Option: Codable, Sendable, Equatable {
      /// The value in the query; an empty one is left out.
      public var value: String
      /// The text that is shown for it.
      public var label: String

      /// Creates an option.
      public init(_ value: String, _ label: String) {
        self.value = value
        self.label = label
      }
    }

    /// The name of the parameter of the route.
    public var name: String
    /// What the user reads.
    public var label: String
    /// The kind of input.
    public var kind: Kind
    /// The present value.
    public var value: String
    /// The values to choose from, or that are suggested for a text.
    public var options: [Option]

    /// Creates a field.
    public init(_ name: String, _ label: String, _ kind: Kind, value: String = "", options: [Option] = []) {
      self.name = name
      self.label = label
      self.kind = kind
      self.value = value
      self.options = options
    }
  }

  /// The label of the button.
  public var label: String
  /// The URL of the route, without the query.
  public var route: String
  /// The fields.
  public var fields: [Field]
  /// Whether each change of a field submits the form, which supersedes the one before.
  public var submitsChanges: Bool

  /// Creates a form.
  public init(_ label: String, route: String, fields: [Field], submitsChanges: Bool = false) {
    self.label = label
    self.route = route
    self.fields = fields
    self.submitsChanges = submitsChanges
  }
}
