/// A URL, split and decoded by the URL profile, which is the same on every platform.
///
/// The path is split on raw `/` before each segment is decoded once, so `a%2Fb` is one segment. Scheme and
/// host are compared ignoring ASCII case and stored in lower case; the path keeps its case. One trailing
/// slash is ignored. The profile rejects `.`, `..` and empty segments, user information, NUL, bytes that are
/// not UTF-8, unencoded characters that RFC 3986 forbids, and ports of schemes other than `http` and `https`.
/// In the query `+` means a space and the first `=` of a field ends its name; elsewhere `+` is literal. The
/// fragment is data and never a parameter.
///
/// Limits: 8 KiB for the URL, 64 segments, 1 KiB for each decoded segment, query name and query value.
/// Parsing takes linear time.
public struct RouteURL: Sendable, Hashable, CustomStringConvertible {
  /// The text that was parsed.
  public let text: String
  /// The scheme, in lower case.
  public let scheme: String
  /// The host, with its ASCII letters in lower case and, for a web URL, without a trailing dot.
  public let host: String
  /// The port of a web URL, unless it is the scheme's default.
  public let port: Int?
  /// The decoded fragment, if there is one.
  public let fragment: String?

  /// The decoded bytes of scheme, host, path segments and query, one after the other.
  let decoded: [UInt8]
  /// The ranges in `decoded` of the scheme, the host and each path segment, in this order.
  let labels: [Range<Int>]
  /// The ranges in `decoded` of each query field's name and value.
  let fields: [QueryField]

  /// The ranges of one query field's name and value.
  struct QueryField: Sendable, Hashable {
    let name: Range<Int>
    let value: Range<Int>
  }

  /// The decoded segments of the path, without the host.
  public var segments: [String] { labels.indices.dropFirst(2).map(label) }

  /// The decoded fields of the query in order, repeated names included.
  public var query: [QueryItem] {
    fields.map { QueryItem(name: string($0.name), value: string($0.value)) }
  }

  /// Whether the scheme is `http` or `https`.
  public var isWeb: Bool { URLHead.isWeb(scheme) }

  /// The URL without its query and fragment, which may contain secrets.
  public var description: String { Self.shown(text) }

  /// Returns the decoded label at an index; 0 is the scheme, 1 the host.
  func label(_ index: Int) -> String { string(labels[index]) }

  /// Returns the decoded bytes of a label.
  func labelBytes(_ index: Int) -> ArraySlice<UInt8> { decoded[labels[index]] }

  /// Returns the values of a query name, in order.
  func values(named name: String) -> [String] {
    fields.filter { decoded[$0.name].elementsEqual(name.utf8) }.map { string($0.value) }
  }

  /// Returns whether the query has a field with this name.
  func hasField(named name: String) -> Bool {
    fields.contains { decoded[$0.name].elementsEqual(name.utf8) }
  }

  private func string(_ range: Range<Int>) -> String { String(decoding: decoded[range], as: UTF8.self) }

  /// Returns the part of a URL's text that may appear in a message, without user information, query and
  /// fragment.
  static func shown(_ text: String) -> String {
    var kept = Array(text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    if let sign = kept.lastIndex(of: UInt8(ascii: "@")),
      let colon = kept.firstIndex(of: UInt8(ascii: ":")), colon < sign
    {
      kept.replaceSubrange((colon + 1)...sign, with: Array("//".utf8))
    }
    let limit = 200
    let cut = kept.count > limit
    return String(decoding: kept.prefix(limit), as: UTF8.self) + (cut ? "…" : "")
      + (kept.count < text.utf8.count && !cut ? "…" : "")
  }
}
