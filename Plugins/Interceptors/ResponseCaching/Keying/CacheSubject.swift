import HTTPTypes
import Interception

/// What a request is about, as far as clearing is concerned: whose it is, which API, which method, which target.
struct CacheSubject: Sendable, Hashable {
  let partition: String
  let api: APIIdentity?
  let method: String
  /// The target URI in canonical, injective bytes.
  let target: [UInt8]

  init(_ request: Request, leavingOut volatile: VolatileParts) {
    partition = request.context.partition
    api = request.context.api
    method = request.head.method.rawValue
    target = Self.target(of: request.head, leavingOut: volatile.parameters)
  }

  private static func target(of head: HTTPRequest, leavingOut parameters: Set<String>) -> [UInt8] {
    var fields = LengthPrefixed()
    let scheme = head.scheme?.lowercased() ?? ""
    fields.append(scheme)
    fields.append(authority(of: head, scheme: scheme))
    let parts = (head.path ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first ?? ""
    fields.append(path.isEmpty ? "/" : String(path))
    guard parts.count == 2 else { return fields.bytes }
    for pair in pairs(of: parts[1], leavingOut: parameters) { fields.append(pair) }
    return fields.bytes
  }

  private static func authority(of head: HTTPRequest, scheme: String) -> String {
    let authority = head.authority?.lowercased() ?? ""
    let defaultPort = scheme == "https" ? ":443" : scheme == "http" ? ":80" : ""
    guard !defaultPort.isEmpty, authority.hasSuffix(defaultPort) else { return authority }
    return String(authority.dropLast(defaultPort.count))
  }

  /// The query's pairs sorted by name; equally named ones keep their order.
  private static func pairs(of query: Substring, leavingOut parameters: Set<String>)
    -> [Substring.UTF8View.SubSequence]
  {
    var pairs = query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      .map { pair in (name: pair.prefix { $0 != UInt8(ascii: "=") }, pair: pair) }
    if !parameters.isEmpty {
      pairs.removeAll { parameters.contains(String(decoding: $0.name, as: UTF8.self)) }
    }
    guard pairs.count > 1 else { return pairs.map(\.pair) }
    return pairs.enumerated().sorted { left, right in
      if left.element.name.elementsEqual(right.element.name) { return left.offset < right.offset }
      return left.element.name.lexicographicallyPrecedes(right.element.name)
    }.map(\.element.pair)
  }
}
