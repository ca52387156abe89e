extension RouteURL {
  /// Parses a text by the routing profile.
  ///
  /// - Throws: `URLFault`, with the offset of the first byte that is wrong.
  public init(_ text: String) throws(URLFault) {
    try self.init(text, head: URLHead(text))
  }

  init(_ text: String, head: URLHead) throws(URLFault) {
    let bytes = head.bytes
    self.text = text
    scheme = head.scheme
    host = head.host
    port = head.port

    for offset in head.end..<bytes.count where Self.mustBeEncoded(bytes[offset]) {
      throw URLFault(.illegalCharacter(bytes[offset]), at: offset)
    }
    let hash = bytes[head.end...].firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
    let question = bytes[head.end..<hash].firstIndex(of: UInt8(ascii: "?")) ?? hash

    var decoded = Array(scheme.utf8) + Array(host.utf8)
    var labels = [0..<scheme.utf8.count, scheme.utf8.count..<decoded.count]
    try Self.splitPath(bytes, head.end..<question, into: &decoded, &labels)
    var fields: [QueryField] = []
    if question < hash {
      try Self.splitQuery(bytes, (question + 1)..<hash, into: &decoded, &fields)
    }
    self.labels = labels
    self.fields = fields
    if hash < bytes.count {
      var fragment: [UInt8] = []
      _ = try PercentEncoding.decode(bytes, (hash + 1)..<bytes.count, into: &fragment)
      self.fragment = String(decoding: fragment, as: UTF8.self)
    } else {
      fragment = nil
    }
    self.decoded = decoded
  }

  private static func splitPath(
    _ bytes: [UInt8], _ range: Range<Int>, into decoded: inout [UInt8], _ labels: inout [Range<Int>]
  ) throws(URLFault) {
    var start = range.lowerBound + 1
    while start < range.upperBound {
      let end = bytes[start..<range.upperBound].firstIndex(of: URLHead.slash) ?? range.upperBound
      if end == start { throw URLFault(.emptySegment, at: start) }
      if labels.count - 2 == URLLimits.segments {
        throw URLFault(.tooManySegments(limit: URLLimits.segments), at: start)
      }
      let label = try decode(bytes, start..<end, plusIsSpace: false, into: &decoded)
      if isDots(decoded[label]) { throw URLFault(.dotSegment, at: start) }
      labels.append(label)
      start = end + 1
    }
  }

  private static func splitQuery(
    _ bytes: [UInt8], _ range: Range<Int>, into decoded: inout [UInt8], _ fields: inout [QueryField]
  ) throws(URLFault) {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: "&")) ?? range.upperBound
      if end > start {
        let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "="))
        let name = try decode(bytes, start..<(equals ?? end), plusIsSpace: true, into: &decoded)
        let value = try decode(bytes, (equals.map { $0 + 1 } ?? end)..<end, plusIsSpace: true, into: &decoded)
        fields.append(QueryField(name: name, value: value))
      }
      start = end + 1
    }
  }

  private static func decode(
    _ bytes: [UInt8], _ range: Range<Int>, plusIsSpace: Bool, into decoded: inout [UInt8]
  ) throws(URLFault) -> Range<Int> {
    let place = try PercentEncoding.decode(bytes, range, plusIsSpace: plusIsSpace, into: &decoded)
    if place.count > URLLimits.parameter {
      throw URLFault(.parameterTooLong(limit: URLLimits.parameter), at: range.lowerBound)
    }
    return place
  }

  static func isDots(_ bytes: ArraySlice<UInt8>) -> Bool {
    (1...2).contains(bytes.count) && bytes.allSatisfy { $0 == UInt8(ascii: ".") }
  }

  /// The characters besides controls, space and backslash that RFC 3986 allows nowhere.
  private static func mustBeEncoded(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "^"), UInt8(ascii: "`"),
      UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      true
    default: false
    }
  }
}
