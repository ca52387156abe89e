import HTTPTypes

/// The base string of an OAuth 1.0a signature (RFC 5849, section 3.4.1): method, URI and parameters.
struct OAuth1BaseString {
  private(set) var bytes: [UInt8]

  /// Creates the base string of a request.
  ///
  /// - Parameters:
  ///   - form: The content of a form body, or nil if the body is none.
  ///   - parameters: The protocol parameters, without the signature and the realm.
  init(_ head: HTTPRequest, form: [UInt8]?, parameters: [(name: String, value: String)]) {
    let target = TargetParts(head.path ?? "")
    var text = CanonicalText(reserving: 1_024)
    text.append(encoding: head.method.rawValue.utf8)
    text.append(byte: UInt8(ascii: "&"))
    text.append(encoding: Self.uri(head, path: target.path).utf8)
    text.append(byte: UInt8(ascii: "&"))
    text.append(encoding: Self.normalized(query: target.query, form: form, parameters: parameters).bytes)
    bytes = text.bytes
  }

  /// The base string URI (section 3.4.1.2): lower-case scheme and host, no default port, no query.
  static func uri(_ head: HTTPRequest, path: Substring.UTF8View) -> String {
    let scheme = (head.scheme ?? "https").lowercased()
    var authority = (head.authority ?? "").lowercased()
    let port = scheme == "https" ? ":443" : ":80"
    if authority.hasSuffix(port) { authority.removeLast(port.count) }
    return "\(scheme)://\(authority)\(path.isEmpty ? "/" : String(Substring(path)))"
  }

  /// The normalized parameters (section 3.4.1.3.2), of query, form and protocol.
  static func normalized(
    query: Substring.UTF8View?, form: [UInt8]?, parameters: [(name: String, value: String)]
  ) -> CanonicalText {
    var pairs = CanonicalPairs()
    if let query { pairs.append(parsing: query, plusIsSpace: true) }
    if let form { pairs.append(parsing: form, plusIsSpace: true) }
    for (name, value) in parameters { pairs.append(name: name, value: value) }
    pairs.sort()
    var text = CanonicalText(reserving: 512)
    pairs.write(to: &text)
    return text
  }
}
