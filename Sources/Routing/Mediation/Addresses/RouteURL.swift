/// A URL, split and decoded by the URL profile, which is the same on every platform.
///
/// The path is split on raw `/` before each segment is decoded once, so `a%2Fb` is one segment. Scheme and
/// host are compared ignoring ASCII case and stored in lower case; the path keeps its case. One trailing
/// slash is ignored. The profile rejects `.`, `..` and empty segments, user information, NUL, bytes that are
/// not UTF-8, unencoded characters that RFC 3986 forbids, and ports of schemes other than `http` and `https`.
/// In the query, `+` means a space, and the first `=` of a field ends its name; elsewhere `+` is literal. The
/// fragment is data and never a parameter.
///
/// Limits: 8 KiB for the URL, 64 segments, 1 KiB for each decoded segment, query name and query value.
/// Parsing takes linear time.
public struct RouteURL: Sendable, Hashable, CustomStringConvertible {
  /// The text that was parsed.
  package var text: String { parts.text }
  /// The scheme, in lower case.
  public var scheme: String { label(0) }
  /// The host, with its ASCII letters in lower case and, for a web URL, without a trailing dot.
  public var host: String { label(1) }
  /// The port of a web URL, unless it is the scheme's default.
  package var port: Int? { parts.scan.port }
  /// The decoded fragment, if there is one.
  public var fragment: String? { parts.fragment.map(string) }

  let parts: Parts

  /// The text, the result of its scan, and the places of its parts.
  ///
  /// A class, so that passing a URL to guards, observers and the route costs one retain. Two are equal if
  /// their texts have the same bytes.
  final class Parts: Sendable, Hashable {
    let text: String
    /// By which patterns are matched, so that the text is scanned only once.
    let scan: URLScan
    /// The bytes of the text, with scheme and host in lower case, followed by the parts that had to be
    /// decoded.
    let bytes: [UInt8]
    /// The ranges in `bytes` of the scheme, the host and each path segment, in this order.
    let labels: [Range<Int>]
    /// The ranges in `bytes` of each query field's name and value.
    let fields: [QueryField]
    /// The range in `bytes` of the fragment.
    let fragment: Range<Int>?

    init(
      text: String, scan: consuming URLScan, bytes: [UInt8], labels: [Range<Int>], fields: [QueryField],
      fragment: Range<Int>?
    ) {
      self.text = text
      self.scan = scan
      self.bytes = bytes
      self.labels = labels
      self.fields = fields
      self.fragment = fragment
    }

    static func == (left: Parts, right: Parts) -> Bool {
      left === right || left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  /// The ranges of one query field's name and value.
  struct QueryField: Sendable {
    let name: Range<Int>
    let value: Range<Int>
  }

  var labels: [Range<Int>] { parts.labels }

  /// The decoded segments of the path, without the host.
  public var segments: [String] { labels.indices.dropFirst(2).map(label) }

  /// The decoded fields of the query in order, repeated names included.
  public var query: [QueryItem] {
    parts.fields.map { QueryItem(name: string($0.name), value: string($0.value)) }
  }

  /// Whether the scheme is `http` or `https`.
  public var isWeb: Bool { URLHead.isWeb(scheme) }

  /// The URL without its query and fragment, which may contain secrets.
  public var description: String { Self.shown(text) }

  /// The text with its scheme and host in lower case.
  var textWithLowercaseHead: String { string(0..<text.utf8.count) }

  /// Returns the decoded label at an index; 0 is the scheme, 1 the host.
  func label(_ index: Int) -> String { string(labels[index]) }

  /// Returns the decoded bytes of a label.
  func labelBytes(_ index: Int) -> ArraySlice<UInt8> { parts.bytes[labels[index]] }

  /// Returns the values of all query fields with a name, in order; empty if there are none.
  package func values(named name: String) -> [String] {
    parts.fields.filter { parts.bytes[$0.name].elementsEqual(name.utf8) }.map { string($0.value) }
  }

  /// Returns whether the query has a field with this name.
  func hasField(named name: String) -> Bool {
    parts.fields.contains { parts.bytes[$0.name].elementsEqual(name.utf8) }
  }

  private func string(_ range: Range<Int>) -> String { String(decoding: parts.bytes[range], as: UTF8.self) }

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

extension RouteURL {
  /// A decoded field of a URL's query.
  public struct QueryItem: Sendable, Hashable {
    /// The text before the first `=`.
    public let name: String
    /// The text after the first `=`; empty both for `name=` and for `name`.
    public let value: String

    /// Creates an item from a name and a value.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }
}

extension RouteURL {
  /// Parses a text by the URL profile.
  ///
  /// - Throws: ``SyntaxError``, whose description has the offset of the offending byte.
  public init(_ text: String) throws(SyntaxError) {
    self = try SpanAccess.withBytes(of: text) { bytes throws(SyntaxError) in
      RouteURL(text, bytes, try URLScan(bytes))
    }
  }

  /// Returns whether a text conforms to the URL profile, without allocating.
  ///
  /// Use it to filter many texts; parse a text if you need its parts or the fault.
  public static func isReadable(_ text: String) -> Bool {
    SpanAccess.withBytes(of: text) { bytes in
      var scan = URLScan()
      do throws(SyntaxError) { try scan.read(bytes) } catch { return false }
      return true
    }
  }

  /// Decodes a scanned text.
  ///
  /// In most texts nothing is encoded; their parts are ranges of the text's own bytes.
  private init(_ text: String, _ source: Span<UInt8>, _ scan: consuming URLScan) {
    var bytes = Array(text.utf8)
    for offset in 0..<scan.hostEnd { bytes[offset] = URLHead.lowercase(bytes[offset]) }

    var labels: [Range<Int>] = []
    labels.reserveCapacity(2 + scan.segmentCount)
    labels.append(0..<scan.schemeEnd)
    if scan.isHostEscaped {
      let host = PercentEncoding.decode(source, scan.host, into: &bytes)
      for offset in host { bytes[offset] = URLHead.lowercase(bytes[offset]) }
      labels.append(host)
    } else {
      labels.append(scan.host)
    }
    scan.starts.withSpan { starts in
      for index in 0..<scan.segmentCount {
        let segment = URLScan.segment(index, starts)
        let isEscaped = scan.escaped & (1 &<< UInt64(index)) != 0
        labels.append(isEscaped ? PercentEncoding.decode(source, segment, into: &bytes) : segment)
      }
    }
    var fields: [QueryField] = []
    var start = scan.query.lowerBound
    while let field = scan.field(source, &start) {
      let name = PercentEncoding.decode(source, field.name, plusIsSpace: true, into: &bytes)
      let value = PercentEncoding.decode(source, field.value, plusIsSpace: true, into: &bytes)
      fields.append(QueryField(name: name, value: value))
    }
    let fragment = scan.fragment.map { PercentEncoding.decode(source, $0, into: &bytes) }
    parts = Parts(
      text: text, scan: scan, bytes: bytes, labels: labels, fields: fields, fragment: fragment)
  }
}
