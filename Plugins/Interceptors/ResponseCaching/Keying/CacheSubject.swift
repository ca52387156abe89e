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
    let path = Array((head.path ?? "").utf8)
    let scheme = lowercased(head.scheme)
    let authority = authority(of: head, scheme: scheme)
    var fields = LengthPrefixed(reserving: path.count + authority.count + 96)
    fields.append(scheme)
    fields.append(authority)
    let queryMark = path.firstIndex(of: UInt8(ascii: "?")) ?? path.endIndex
    fields.append(queryMark == 0 ? [UInt8(ascii: "/")] : path[..<queryMark])
    guard queryMark < path.endIndex else { return fields.bytes }
    for pair in pairs(of: path[(queryMark + 1)...], leavingOut: parameters) { fields.append(pair.bytes) }
    return fields.bytes
  }

  private static func lowercased(_ text: String?) -> [UInt8] {
    (text ?? "").utf8.map { (0x41...0x5a).contains($0) ? $0 + 32 : $0 }
  }

  /// The authority without the port that its scheme implies.
  private static func authority(of head: HTTPRequest, scheme: [UInt8]) -> ArraySlice<UInt8> {
    let authority = lowercased(head.authority)
    let standard =
      scheme.elementsEqual("https".utf8) ? ":443" : scheme.elementsEqual("http".utf8) ? ":80" : ""
    let isImplied = !standard.isEmpty && authority.suffix(standard.utf8.count).elementsEqual(standard.utf8)
    return authority.dropLast(isImplied ? standard.utf8.count : 0)
  }

  /// A pair of the query as it is written, and its name.
  private struct Pair {
    let bytes: ArraySlice<UInt8>
    let name: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      name = bytes[..<(bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.endIndex)]
    }
  }

  /// The query's pairs sorted by name; equally named ones keep their order.
  private static func pairs(of query: ArraySlice<UInt8>, leavingOut parameters: Set<String>) -> [Pair] {
    var pairs = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map(Pair.init)
    if !parameters.isEmpty {
      pairs.removeAll { parameters.contains(String(decoding: $0.name, as: UTF8.self)) }
    }
    let isSorted = zip(pairs, pairs.dropFirst()).allSatisfy { left, right in
      !right.name.lexicographicallyPrecedes(left.name)
    }
    if isSorted { return pairs }
    return pairs.enumerated().sorted { left, right in
      if left.element.name == right.element.name { return left.offset < right.offset }
      return left.element.name.lexicographicallyPrecedes(right.element.name)
    }.map(\.element)
  }
}
