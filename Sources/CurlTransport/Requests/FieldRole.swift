/// What a request's header field means to the dispatcher.
enum FieldRole: Hashable {
  case host
  case contentLength
  /// The field belongs to the connection, which the dispatcher manages.
  case connection
  case proxyAuthorization
  case acceptEncoding
  case accept
  case cookie
  case userAgent
  /// Every other field, which is sent as it is.
  case ordinary

  /// Finds the role of a field by its name in lower case.
  init(ofFieldNamed name: String) {
    // Comparing with the names that begin alike spares most fields every comparison.
    switch name.utf8.first {
    case UInt8(ascii: "a"):
      self = name == "accept" ? .accept : name == "accept-encoding" ? .acceptEncoding : .ordinary
    case UInt8(ascii: "c"):
      // The lengths spare Content-Type all but one comparison.
      switch name.utf8.count {
      case 6: self = name == "cookie" ? .cookie : .ordinary
      case 10: self = name == "connection" ? .connection : .ordinary
      default: self = name == "content-length" ? .contentLength : .ordinary
      }
    case UInt8(ascii: "e"), UInt8(ascii: "k"), UInt8(ascii: "t"):
      let isOfConnection = name == "expect" || name == "keep-alive" || name == "transfer-encoding"
      self = isOfConnection ? .connection : .ordinary
    case UInt8(ascii: "h"):
      self = name == "host" ? .host : name == "http2-settings" ? .connection : .ordinary
    case UInt8(ascii: "p"):
      self =
        name == "proxy-authorization"
        ? .proxyAuthorization : name == "proxy-connection" ? .connection : .ordinary
    case UInt8(ascii: "u"):
      self = name == "user-agent" ? .userAgent : name == "upgrade" ? .connection : .ordinary
    default: self = .ordinary
    }
  }
}
