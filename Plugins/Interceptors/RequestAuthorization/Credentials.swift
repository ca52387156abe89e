public import HTTPTypes
public import Interception

/// A field that authenticates a request, such as `Authorization: Bearer …`; no text or mirror reveals it.
public struct Credentials: Sendable, Hashable {
  let field: HTTPField

  /// The name of the field.
  package var name: HTTPField.Name { field.name }
  /// The value of the field, which is a secret.
  package var value: String { field.value }

  /// Creates credentials.
  ///
  /// - Parameters:
  ///   - value: The value of the field: visible ASCII characters, spaces and tabs.
  ///   - name: The name of the field; `Authorization` by default.
  /// - Throws: ``AuthorizationError`` if the value has another character, because
  ///   HTTPTypes would replace a line break with a space.
  public init(_ value: String, in name: HTTPField.Name = .authorization) throws(AuthorizationError) {
    guard !value.isEmpty, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else {
      throw AuthorizationError(
        .invalidCredentials(
          "The value of the field \(name) is empty or has a character other than visible ASCII; encode it."))
    }
    self.init(field: HTTPField(name: name, value: value))
  }

  init(field: HTTPField) { self.field = field }
}

extension Credentials: Concealed, CustomStringConvertible {
  /// The name of the field, without its value.
  public var description: String { "Credentials(\(name))" }
}
