extension RouteURL {
  /// Parses a text by the URL profile.
  ///
  /// - Throws: `RouteURL.SyntaxError` with the offset of the offending byte.
  public init(_ text: String) throws(SyntaxError) {
    self.init(text, try URLScan(text.utf8.span))
  }

  /// Returns whether a text conforms to the URL profile, without allocating.
  ///
  /// Use it to filter many texts; parse a text if you need its parts or the fault.
  public static func isReadable(_ text: String) -> Bool {
    var scan = URLScan()
    do throws(SyntaxError) { try scan.read(text.utf8.span) } catch { return false }
    return true
  }

  /// Parses a text whose head has been checked.
  init(_ text: String, head: URLHead) throws(SyntaxError) {
    try self.init(text)
  }

  /// Decodes a scanned text.
  ///
  /// Most texts hold nothing that is encoded; their parts are ranges of the text's own bytes.
  init(_ text: String, _ scan: borrowing URLScan) {
    let source = text.utf8.span
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
    for index in 0..<scan.segmentCount {
      let segment = scan.segment(index)
      let isEscaped = scan.escaped & (1 &<< UInt64(index)) != 0
      labels.append(isEscaped ? PercentEncoding.decode(source, segment, into: &bytes) : segment)
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
      text: text, port: scan.port, bytes: bytes, labels: labels, fields: fields, fragment: fragment)
  }
}
