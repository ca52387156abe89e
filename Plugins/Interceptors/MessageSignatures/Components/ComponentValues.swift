import HTTPTypes
import Interception

/// Determines the values of the components of a message (RFC 9421, sections 2.1 and 2.2).
struct ComponentValues {
  let message: SignableMessage
  /// The request of a response.
  let request: SignableMessage?
  /// The types of structured fields that aren't registered, by name in lower case.
  let fieldTypes: [String: StructuredFieldType]

  /// Returns the value of a component.
  ///
  /// - Throws: ``MessageSignatureError`` for a missing or invalid component, or a malformed field.
  func value(of component: MessageComponent) throws(MessageSignatureError) -> String {
    let source: SignableMessage
    if component.isOfRequest {
      guard message.isResponse else {
        throw MessageSignatureError(.invalidComponent(component.identifier, .requestOfResponse))
      }
      guard let request, !request.isResponse else {
        throw MessageSignatureError(.missingComponent(component))
      }
      source = request
    } else {
      source = message
    }
    if case .field(let name, let form, let inTrailers) = component.kind {
      return try field(name, form, inTrailers: inTrailers, of: source, component)
    }
    let value: String?
    switch source.start {
    case .response(let status):
      guard component.kind == .status else {
        throw MessageSignatureError(.invalidComponent(component.identifier, .partOfMessage))
      }
      value = String(status)
    case .request(let start):
      guard component.kind != .status else {
        throw MessageSignatureError(.invalidComponent(component.identifier, .partOfMessage))
      }
      value = try Self.derived(component, of: start)
    }
    guard let value else { throw MessageSignatureError(.missingComponent(component)) }
    return try Self.checked(value, component)
  }

  private static func derived(
    _ component: MessageComponent, of start: RequestStart
  ) throws(MessageSignatureError) -> String? {
    switch component.kind {
    case .method: return start.method
    case .targetURI: return start.targetURI
    case .authority: return start.authority
    case .scheme: return start.scheme
    case .requestTarget: return start.target
    case .path: return start.path
    case .query: return start.query
    case .queryParameter(let name):
      let values = FormEncoding.values(of: name, inQueryOf: start.pathAndQuery)
      guard values.count < 2 else {
        throw MessageSignatureError(.invalidComponent(component.identifier, .queryParameterIsUnique))
      }
      return values.first
    case .status, .field: return nil
    }
  }

  private func field(
    _ name: String, _ form: MessageComponent.FieldForm, inTrailers: Bool, of source: SignableMessage,
    _ component: MessageComponent
  ) throws(MessageSignatureError) -> String {
    guard let lines = source.lines(of: name, inTrailers: inTrailers) else {
      throw MessageSignatureError(.missingComponent(component))
    }
    let bytes = lines.map(Self.unfolded)
    // Bytes that are not ASCII have no place in the base; only those of the byte sequences below are covered.
    let values = bytes.map { FieldText.decoded($0) }
    switch form {
    case .combined: return try Self.checked(values.joined(separator: ", "), component)
    case .wrapped:
      var writer = StructuredFieldWriter()
      writer.append(bytes.map { .item(StructuredItem(value: .bytes($0))) })
      return writer.text
    case .structured:
      guard let type = fieldTypes[name] ?? StructuredFieldType.registered[name] else {
        throw MessageSignatureError(.invalidComponent(component.identifier, .knownFieldType))
      }
      do throws(StructuredFieldError) {
        return try type.canonical(values.joined(separator: ", "))
      } catch { throw MessageSignatureFields.malformed(name, error) }
    case .member(let key):
      let dictionary: StructuredDictionary
      do throws(StructuredFieldError) {
        dictionary = try StructuredFieldParser.dictionary(values.joined(separator: ", "))
      } catch { throw MessageSignatureFields.malformed(name, error) }
      guard let member = dictionary[key] else { throw MessageSignatureError(.missingComponent(component)) }
      var writer = StructuredFieldWriter()
      writer.append(member)
      return writer.text
    }
  }

  /// Returns a value that can be a line of the base.
  private static func checked(
    _ value: String, _ component: MessageComponent
  ) throws(MessageSignatureError) -> String {
    // A line break would let a value forge the lines after it; the base is defined for ASCII only.
    guard value.utf8.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else {
      throw MessageSignatureError(.invalidComponent(component.identifier, .printableValue))
    }
    return value
  }

  /// Returns a line's value without surrounding white space and with each fold as one space.
  private static func unfolded(_ value: FieldText) -> [UInt8] {
    guard value.bytes.contains(where: { $0 == 0x0D || $0 == 0x0A }) else {
      return Array(value.bytes[...].trimmingWhitespace())
    }
    var text: [UInt8] = []
    var rest = value.bytes[...]
    while let byte = rest.popFirst() {
      let lineBreak = byte == 0x0D && rest.first == 0x0A ? rest.dropFirst() : byte == 0x0A ? rest : nil
      guard let next = lineBreak, let first = next.first, first == 0x20 || first == 0x09 else {
        text.append(byte)
        continue
      }
      while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
      text.append(0x20)
      rest = next.drop { $0 == 0x20 || $0 == 0x09 }
    }
    return Array(text[...].trimmingWhitespace())
  }
}

/// The percent-encoding of the names and values of `@query-param` (RFC 9421, section 2.2.8): that of the URL
/// Standard's forms, with spaces as `%20`.
enum FormEncoding {
  /// Encodes all bytes but letters, digits and `*-._`.
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    PercentEncoding.encode(bytes) { byte in
      byte == UInt8(ascii: "*") || byte != UInt8(ascii: "~") && PercentEncoding.isUnreserved(byte)
    }
  }

  /// Returns the encoded values of the parameters with an encoded name, in the order of the query.
  static func values(of name: String, inQueryOf path: String) -> [String] {
    let pairs = QueryPairs(path)
    return pairs.bounds.compactMap { bounds in
      guard encode(pairs.bytes[bounds.start..<bounds.middle]) == name else { return nil }
      return encode(pairs.bytes[bounds.middle..<bounds.end])
    }
  }
}
