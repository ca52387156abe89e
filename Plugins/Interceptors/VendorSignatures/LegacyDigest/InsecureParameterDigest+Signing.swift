import Cryptography
import HTTPTypes
import Interception

extension InsecureParameterDigest: SignatureProfile {
  static let keyField = HTTPField.Name(signature: "key")
  static let digestField = HTTPField.Name(signature: "sig")
  static let keyItem = "api_key"
  static let digestItem = "sig"

  var bodyNeed: InterceptorTraits.RequestBodyNeed { coversBody ? .replayable : .untouched }

  func payloadUse(of head: HTTPRequest) -> PayloadUse {
    coversBody ? .bytes(limit: Self.maximumBodyLength) : .none
  }

  private var coversBody: Bool { kind == .post || kind == .restfulPost }

  func sign(
    _ request: SignedFacts, with key: Void, at time: WallTime
  ) throws(VendorSignatureError) -> SignatureParts {
    let target = request.head.path ?? ""
    let text = hashedText(target: target, body: request.bytes)
    let value: String
    do throws(CryptographyError) {
      let algorithm: HashAlgorithm = hash == .md5 ? .md5 : .sha256
      value = Hexadecimal.encode(try algorithm.hash(of: text))
    } catch { throw VendorSignatureError(error) }
    var parts = SignatureParts()
    switch kind {
    case .get, .post:
      let names = QueryItems(target).items.map(\.name)
      guard !names.contains(Array(Self.digestItem.utf8)), !names.contains(Array(Self.keyItem.utf8)) else {
        throw .alreadySigned("the query item \(Self.digestItem) or \(Self.keyItem)")
      }
      var items = CanonicalText(reserving: 128)
      items.append("\(Self.keyItem)=")
      items.append(encoding: apiKey.utf8)
      items.append("&\(Self.digestItem)=\(value)")
      parts.path = TargetParts.adding(items.string, to: target)
    case .restfulGet, .restfulPost:
      parts.fields = [
        HTTPField(name: Self.keyField, value: apiKey), HTTPField(unindexed: Self.digestField, value),
      ]
    }
    return parts
  }

  /// Returns the text that is hashed.
  func hashedText(target: String, body: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    if secretPosition == .prefix { text += secret.secret }
    switch kind {
    case .get:
      let signed = QueryItems(target).items.filter {
        !unsignedParameters.contains(String(decoding: $0.name, as: UTF8.self))
      }
      text += Self.sorted(signed, and: keyParameter)
    case .post:
      text += Self.sorted(QueryItems("?" + String(decoding: body, as: UTF8.self)).items, and: keyParameter)
    case .restfulGet:
      text += Array(methodPath(target).utf8) + Self.sorted(QueryItems(target).items)
    case .restfulPost:
      text += Array(methodPath(target).utf8) + Self.sorted(QueryItems(target).items) + body
    }
    if secretPosition == .suffix { text += secret.secret }
    return text
  }

  private var keyParameter: [UInt8] { Array("\(Self.keyItem)=\(apiKey)".utf8) }

  /// Returns version and method, such as `v1/houses.list`: the path without the base path.
  private func methodPath(_ target: String) -> String {
    let path = Substring(TargetParts(target).path)
    let rest = path.hasPrefix(basePath) ? path.dropFirst(basePath.count) : path
    return String(rest.drop { $0 == "/" })
  }

  private static func sorted(_ items: [QueryItems.Item], and other: [UInt8]? = nil) -> [UInt8] {
    var pairs = items.filter { !$0.value.isEmpty }.map { $0.name + [UInt8(ascii: "=")] + $0.value }
    if let other { pairs.append(other) }
    return Array(pairs.sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [UInt8(ascii: "&")]))
  }
}

extension InsecureParameterDigest: CustomReflectable {
  /// The kind, without the secret.
  public var customMirror: Mirror { Mirror(self, children: ["kind": kind]) }
}
