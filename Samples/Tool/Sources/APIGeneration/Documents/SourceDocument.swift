/// An OpenAPI document, and what its references refer to.
struct SourceDocument {
  let root: DocumentNode

  init(_ bytes: [UInt8]) throws(DocumentError) {
    root = try DocumentReader.node(of: bytes)
    guard root.isObject else {
      throw DocumentError(root.line, "The document is no object; name an OpenAPI document.")
    }
    guard let version = root["openapi"]?.text else {
      let remedy = root["swagger"] == nil ? "name an OpenAPI document" : "convert it to OpenAPI 3.0 or 3.1"
      throw DocumentError(root.line, "The document has no \"openapi\" version; \(remedy).")
    }
    guard version.hasPrefix("3.0") || version.hasPrefix("3.1") else {
      throw DocumentError(
        root["openapi"]?.line ?? 1,
        "The version \"\(version.prefix(20))\" is not known; use OpenAPI 3.0 or 3.1.")
    }
  }

  /// Returns the node that a reference refers to, and the reference of that node.
  ///
  /// A reference to a reference is followed, at most 32 times.
  func resolved(_ node: DocumentNode) throws(DocumentError) -> (node: DocumentNode, reference: String?) {
    var (current, reference): (DocumentNode, String?) = (node, nil)
    for _ in 0..<32 {
      guard let next = current["$ref"]?.text else { return (current, reference) }
      current = try target(of: next, at: current["$ref"]?.line ?? current.line)
      reference = next
    }
    throw DocumentError(
      node.line,
      "The reference \"\(node["$ref"]?.text ?? "")\" leads through a cycle of references; break it.")
  }

  private func target(of reference: String, at line: Int) throws(DocumentError) -> DocumentNode {
    guard reference.hasPrefix("#") else {
      throw DocumentError(
        line,
        "The reference \"\(reference.prefix(100))\" leads to another document, which is not loaded; bundle the documents first."
      )
    }
    guard reference == "#" || reference.hasPrefix("#/") else {
      throw DocumentError(
        line, "The reference \"\(reference.prefix(100))\" is no JSON pointer; write #/components/…")
    }
    var node = root
    for part in reference.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false) {
      let key = Self.decoded(part)
      let next =
        Int(key).flatMap { node.elements.indices.contains($0) ? node.elements[$0] : nil } ?? node[key]
      guard let next else {
        throw DocumentError(
          line,
          "The reference \"\(reference.prefix(100))\" refers to nothing; correct it, or add what it names.")
      }
      node = next
    }
    return node
  }

  /// Decodes a part of a JSON pointer in a URL fragment (RFC 6901, section 6).
  private static func decoded(_ part: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(part.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"),
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    var text = ""
    var isEscaped = false
    for character in String(decoding: bytes, as: UTF8.self) {
      switch (isEscaped, character) {
      case (true, "0"): text += "~"
      case (true, "1"): text += "/"
      case (false, "~"):
        isEscaped = true
        continue
      default: text.append(character)
      }
      isEscaped = false
    }
    return text
  }
}
