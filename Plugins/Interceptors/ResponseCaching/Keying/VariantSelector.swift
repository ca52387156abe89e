import Cryptography
public import HTTPTypes
import Interception

/// The request header fields that select a response, and a hash of their values (RFC 9111, section 4.1).
///
/// Only a hash is kept, because some values are credentials. Values that differ in spelling only are equal;
/// see `SelectingField`.
public struct VariantSelector: Sendable, Hashable {
  /// The names of the fields, sorted.
  let names: [HTTPField.Name]
  /// The hash of their values; nil if there are none.
  let digest: HashValue?

  /// Creates a selector from its parts.
  init(names: [HTTPField.Name], digest: HashValue?) {
    self.names = names
    self.digest = digest
  }

  /// Creates the selector of a response to a request; nil if its `Vary` contains `*`, which matches no
  /// request.
  ///
  /// A response that is still encoded depends on `Accept-Encoding` even if the server omitted it.
  init?(of head: HTTPResponse, to requestFields: HTTPFields, leavingOut volatile: VolatileParts) {
    var names: Set<HTTPField.Name> = []
    for member in (head.headerFields[.vary] ?? "").split(separator: ",") {
      let member = member.trimmingWhitespace()
      if member == "*" { return nil }
      guard !member.isEmpty else { continue }
      guard let name = HTTPField.Name(String(member)) else { return nil }
      if !volatile.contains(name) { names.insert(name) }
    }
    if head.headerFields.contains(.contentEncoding) { names.insert(.acceptEncoding) }
    self.names = names.sorted { $0.canonicalName < $1.canonicalName }
    guard !names.isEmpty else {
      digest = nil
      return
    }
    guard let digest = Self.digest(of: self.names, in: requestFields) else { return nil }
    self.digest = digest
  }

  /// Whether the response may be used for a request with these header fields.
  public func matches(_ requestFields: HTTPFields) -> Bool {
    guard let digest else { return true }
    return Self.digest(of: names, in: requestFields) == digest
  }

  var fingerprint: UInt64 { digest?.prefix ?? 0 }

  private static func digest(of names: [HTTPField.Name], in fields: HTTPFields) -> HashValue? {
    var bytes = LengthPrefixed()
    for name in names {
      bytes.append(name.canonicalName)
      bytes.append([fields.contains(name) ? 1 : 0])
      bytes.append(SelectingField.normalized(fields[name] ?? "", of: name))
    }
    return try? HashValue(sha256: bytes.bytes)
  }
}
