extension RouteURL {
  /// Parses a text by the URL profile.
  ///
  /// - Throws: `URLFault` with the offset of the offending byte.
  public init(_ text: String) throws(URLFault) {
    self.init(text, try URLScan(text.utf8.span))
  }

  /// Returns whether a text conforms to the URL profile, without allocating.
  ///
  /// Use it to filter many texts; parse a text if you need its parts or the fault.
  public static func isReadable(_ text: String) -> Bool {
    var scan = URLScan()
    do throws(URLFault) { try scan.read(text.utf8.span) } catch { return false }
    return true
  }

  /// Parses a text whose head has been checked.
  init(_ text: String, head: URLHead) throws(URLFault) {
    try self.init(text)
  }

  /// Decodes a scanned text.
  init(_ text: String, _ scan: borrowing URLScan) {
    let bytes = text.utf8.span
    let head = URLHead(bytes, scan)
    self.text = text
    scheme = head.scheme
    host = head.host
    port = scan.port

    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    decoded.append(contentsOf: scheme.utf8)
    decoded.append(contentsOf: host.utf8)
    var labels: [Range<Int>] = []
    labels.reserveCapacity(2 + scan.segmentCount)
    labels.append(0..<scheme.utf8.count)
    labels.append(scheme.utf8.count..<decoded.count)
    for index in 0..<scan.segmentCount {
      labels.append(PercentEncoding.decode(bytes, scan.segment(index), into: &decoded))
    }
    var fields: [QueryField] = []
    var start = scan.query.lowerBound
    while let field = scan.field(bytes, &start) {
      let name = PercentEncoding.decode(bytes, field.name, plusIsSpace: true, into: &decoded)
      let value = PercentEncoding.decode(bytes, field.value, plusIsSpace: true, into: &decoded)
      fields.append(QueryField(name: name, value: value))
    }
    self.labels = labels
    self.fields = fields
    self.decoded = decoded
    fragment = scan.fragment.map { range in
      var fragment: [UInt8] = []
      _ = PercentEncoding.decode(text.utf8.span, range, into: &fragment)
      return String(decoding: fragment, as: UTF8.self)
    }
  }
}
