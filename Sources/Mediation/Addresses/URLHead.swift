/// The checked scheme, host and port of a URL; the rest is only checked for characters that no URL may
/// contain.
///
/// A web URL that no module claims goes to the web page as it is, so its path and query need not conform to
/// the profile. The scheme and the host, which decide where the user ends up, always must.
package struct URLHead: Sendable {
  package let scheme: String
  package let host: String
  package let port: Int?
  /// The offset of the first byte after the authority.
  let end: Int
  /// Whether nothing follows the authority.
  package let isWhole: Bool

  var isWeb: Bool { Self.isWeb(scheme) }

  static let slash = UInt8(ascii: "/")

  static func isWeb(_ scheme: String) -> Bool { scheme == "http" || scheme == "https" }

  package init(_ text: String) throws(RouteURL.SyntaxError) {
    let bytes = text.utf8.span
    let scan = try URLScan(headOf: bytes)
    for offset in scan.headEnd..<bytes.count {
      let byte = bytes[offset]
      if byte == 0 { throw RouteURL.SyntaxError(.nul, at: offset) }
      if byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "\\") {
        throw RouteURL.SyntaxError(.illegalCharacter(byte), at: offset)
      }
    }
    self.init(bytes, scan)
  }

  init(_ bytes: Span<UInt8>, _ scan: borrowing URLScan) {
    var decoded: [UInt8] = []
    _ = PercentEncoding.decode(bytes, 0..<scan.schemeEnd, into: &decoded)
    scheme = String(decoding: decoded.map(Self.lowercase), as: UTF8.self)
    decoded.removeAll(keepingCapacity: true)
    _ = PercentEncoding.decode(bytes, scan.host, into: &decoded)
    host = String(decoding: decoded.map(Self.lowercase), as: UTF8.self)
    port = scan.port
    end = scan.headEnd
    isWhole = scan.headEnd == bytes.count
  }

  package static func lowercase(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
