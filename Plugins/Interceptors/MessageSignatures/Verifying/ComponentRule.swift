extension MessageSignatureError {
  /// A rule for the components that a signature covers (RFC 9421, section 2).
  public enum ComponentRule: String, Sendable, Hashable {
    /// An identifier is a string.
    case identifierIsString = "an identifier is a string"
    /// The parameters of an identifier are `sf`, `key`, `bs`, `tr`, `req` and `name`, where they apply.
    case knownParameters = "a parameter is unknown, has another type, or doesn't apply to the component"
    /// A name with an at sign is one of RFC 9421, section 2.2.
    case knownDerivedComponent = "the derived component is unknown, or must not be covered"
    /// The name of a field is in lower case.
    case fieldNameInLowerCase = "the name of a field is a token in lower case"
    /// `bs` excludes `sf` and `key`.
    case wrappedIsNotStructured = "\"bs\" excludes \"sf\" and \"key\""
    /// The type of a field must be known for `sf`.
    case knownFieldType = "the type of the structured field is unknown; state it in the policy"
    /// `@query-param` has a parameter `name`.
    case queryParameterHasName = "a query parameter has a name"
    /// A parameter that `@query-param` names occurs once in the query.
    case queryParameterIsUnique = "the query parameter occurs more than once; cover \"@query\""
    /// `req` is for responses.
    case requestOfResponse = "\"req\" is for responses"
    /// `@status` is for responses, the other derived components for requests.
    case partOfMessage = "the component isn't part of this kind of message"
    /// A component is covered once.
    case coveredOnce = "a component is covered more than once"
    /// A value is printable ASCII.
    case printableValue = "the value isn't printable ASCII; cover a field with \"bs\""
  }
}
