public import HTTPTypes

/// A component of a message that a signature covers (RFC 9421, section 2): a field, or a value derived from
/// the start of the message.
///
/// ```swift
/// let components: [MessageComponent] = [
///   .method, .authority, .path, .query,
///   .field(.contentType), .field(.cacheControl, .structured), .method.ofRequest,
/// ]
/// ```
public struct MessageComponent: Sendable {
  /// How the value of a field is written into the signature base (RFC 9421, section 2.1).
  public enum FieldForm: Sendable, Hashable {
    /// The values of all lines without surrounding white space, joined by commas.
    case combined
    /// The canonical form of a structured field (`sf`), which survives a change of white space.
    case structured
    /// One member of a dictionary (`key`).
    case member(String)
    /// Each line as a byte sequence (`bs`), for values that contain commas or are not ASCII.
    case wrapped
  }

  enum Kind: Sendable, Hashable {
    case method
    case targetURI
    case authority
    case scheme
    case requestTarget
    case path
    case query
    /// With the name in its percent-encoded form.
    case queryParameter(String)
    case status
    /// With the name in lower case.
    case field(String, FieldForm, inTrailers: Bool)
  }

  let kind: Kind
  /// Whether the component belongs to the request of a response.
  let isOfRequest: Bool
  /// The serialized identifier, such as `"@method";req`; its parameters keep the order in which they were
  /// received.
  let identifier: String

  init(_ kind: Kind, isOfRequest: Bool = false, identifier: String? = nil) {
    self.kind = kind
    self.isOfRequest = isOfRequest
    self.identifier = identifier ?? Self.identifier(of: kind, isOfRequest: isOfRequest)
  }

  /// `@method`: the method of the request.
  public static let method = MessageComponent(.method)
  /// `@target-uri`: the whole URI of the request.
  public static let targetURI = MessageComponent(.targetURI)
  /// `@authority`: the host in lower case, with the port unless it is the scheme's default.
  public static let authority = MessageComponent(.authority)
  /// `@scheme`: the scheme of the URI; a server behind a TLS terminator may not know it.
  public static let scheme = MessageComponent(.scheme)
  /// `@request-target`: the target as on the request line of HTTP/1.1, for peers that don't use HTTP/2.
  package static let requestTarget = MessageComponent(.requestTarget)
  /// `@path`: the path without the query, as sent.
  public static let path = MessageComponent(.path)
  /// `@query`: the query with its question mark, as sent.
  public static let query = MessageComponent(.query)
  /// `@status`: the status code of the response.
  public static let status = MessageComponent(.status)

  /// `@query-param`: the value of one parameter of the query, which must occur once.
  ///
  /// - Parameter name: The name, decoded.
  package static func queryParameter(_ name: String) -> MessageComponent {
    MessageComponent(.queryParameter(FormEncoding.encode(name.utf8)))
  }

  /// A header field, or a field of the trailers.
  public static func field(
    _ name: HTTPField.Name, _ form: FieldForm = .combined, inTrailers: Bool = false
  ) -> MessageComponent {
    MessageComponent(.field(name.canonicalName, form, inTrailers: inTrailers))
  }

  /// The same component of the request to which the message is the response (`req`).
  public var ofRequest: MessageComponent { MessageComponent(kind, isOfRequest: true) }

  /// The name of the field, unless the component is a derived one.
  var fieldName: String? { if case .field(let name, _, _) = kind { name } else { nil } }

  /// Whether a signature that covers this component also covers another one.
  func includes(_ other: MessageComponent) -> Bool {
    guard isOfRequest == other.isOfRequest else { return false }
    switch (kind, other.kind) {
    case (.query, .queryParameter), (.requestTarget, .path), (.requestTarget, .query),
      (.requestTarget, .queryParameter), (.targetURI, .scheme), (.targetURI, .authority), (.targetURI, .path),
      (.targetURI, .query), (.targetURI, .queryParameter):
      return true
    case (.field(let name, let form, let isTrailer), .field(let otherName, let otherForm, let otherTrailer)):
      guard name == otherName, isTrailer == otherTrailer else { return false }
      // Every form but one member contains the whole value.
      if case .member = form { return form == otherForm }
      return true
    default: return kind == other.kind
    }
  }

  private static func identifier(of kind: Kind, isOfRequest: Bool) -> String {
    var item: StructuredItem
    switch kind {
    case .method, .targetURI, .authority, .scheme, .requestTarget, .path, .query, .status:
      item = StructuredItem(value: .string(derivedNames.first { $0.value == kind }?.key ?? ""))
    case .queryParameter(let name):
      item = StructuredItem(value: .string("@query-param"))
      item.parameters.set("name", to: .string(name))
    case .field(let name, let form, let inTrailers):
      item = StructuredItem(value: .string(name))
      switch form {
      case .combined: break
      case .structured: item.parameters.set("sf", to: .boolean(true))
      case .member(let key): item.parameters.set("key", to: .string(key))
      case .wrapped: item.parameters.set("bs", to: .boolean(true))
      }
      if inTrailers { item.parameters.set("tr", to: .boolean(true)) }
    }
    if isOfRequest { item.parameters.set("req", to: .boolean(true)) }
    var writer = StructuredFieldWriter()
    writer.append(item)
    return writer.text
  }

  /// The derived components without parameters of their own, by name.
  static let derivedNames: [String: Kind] = [
    "@method": .method, "@target-uri": .targetURI, "@authority": .authority, "@scheme": .scheme,
    "@request-target": .requestTarget, "@path": .path, "@query": .query, "@status": .status,
  ]
}

extension MessageComponent: Hashable {
  /// Whether both identify the same component; the order of the identifier's parameters is not significant.
  public static func == (left: MessageComponent, right: MessageComponent) -> Bool {
    left.kind == right.kind && left.isOfRequest == right.isOfRequest
  }

  /// Hashes the component without the order of the identifier's parameters.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(isOfRequest)
  }
}

extension MessageComponent: CustomStringConvertible {
  /// The identifier, such as `"@method";req`, shortened to 80 characters because it may come from a peer.
  public var description: String { MessageSignatureError.shortened(identifier) }
}

extension MessageComponent {
  /// Reads the identifier of a component from a `Signature-Input` field (RFC 9421, sections 2.1 and 2.2).
  init(_ item: StructuredItem) throws(MessageSignatureError) {
    var writer = StructuredFieldWriter()
    writer.append(item)
    let identifier = writer.text
    guard case .string(let name) = item.value else {
      throw MessageSignatureError(.invalidComponent(identifier, .identifierIsString))
    }
    var modifiers = Modifiers()
    for parameter in item.parameters.entries {
      guard modifiers.read(parameter) else {
        throw MessageSignatureError(.invalidComponent(identifier, .knownParameters))
      }
    }
    let kind: Kind
    if name.utf8.first == UInt8(ascii: "@") {
      kind = try modifiers.derived(name, identifier)
    } else {
      kind = try modifiers.field(name, identifier)
    }
    self.init(kind, isOfRequest: modifiers.flags.contains("req"), identifier: identifier)
  }

  /// The parameters of an identifier.
  private struct Modifiers {
    var flags: Set<String> = []
    var key: String?
    var parameterName: String?

    /// Records a parameter; false if it is unknown or has a value of another type.
    mutating func read(_ parameter: StructuredParameters.Entry) -> Bool {
      switch (parameter.key, parameter.value) {
      case ("sf", .boolean(true)), ("bs", .boolean(true)), ("tr", .boolean(true)), ("req", .boolean(true)):
        flags.insert(parameter.key)
      case ("key", .string(let value)): key = value
      case ("name", .string(let value)): parameterName = value
      default: return false
      }
      return true
    }

    func derived(_ name: String, _ identifier: String) throws(MessageSignatureError) -> Kind {
      guard flags.subtracting(["req"]).isEmpty, key == nil else {
        throw MessageSignatureError(.invalidComponent(identifier, .knownParameters))
      }
      if name == "@query-param" {
        guard let parameterName else {
          throw MessageSignatureError(.invalidComponent(identifier, .queryParameterHasName))
        }
        return .queryParameter(parameterName)
      }
      guard parameterName == nil else {
        throw MessageSignatureError(.invalidComponent(identifier, .knownParameters))
      }
      guard let kind = MessageComponent.derivedNames[name] else {
        throw MessageSignatureError(.invalidComponent(identifier, .knownDerivedComponent))
      }
      return kind
    }

    func field(_ name: String, _ identifier: String) throws(MessageSignatureError) -> Kind {
      guard parameterName == nil else {
        throw MessageSignatureError(.invalidComponent(identifier, .knownParameters))
      }
      guard HTTPField.Name(name)?.canonicalName == name else {
        throw MessageSignatureError(.invalidComponent(identifier, .fieldNameInLowerCase))
      }
      let isWrapped = flags.contains("bs")
      guard !isWrapped || (!flags.contains("sf") && key == nil) else {
        throw MessageSignatureError(.invalidComponent(identifier, .wrappedIsNotStructured))
      }
      let form: FieldForm
      if let key {
        form = .member(key)
      } else if isWrapped {
        form = .wrapped
      } else {
        form = flags.contains("sf") ? .structured : .combined
      }
      return .field(name, form, inTrailers: flags.contains("tr"))
    }
  }
}
