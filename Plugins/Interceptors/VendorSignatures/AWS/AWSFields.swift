import HTTPTypes

/// The fields and constants of AWS Signature Version 4.
enum AWSFields {
  static let host = HTTPField.Name(signature: "Host")
  static let date = HTTPField.Name(signature: "X-Amz-Date")
  static let contentHash = HTTPField.Name(signature: "X-Amz-Content-SHA256")
  static let securityToken = HTTPField.Name(signature: "X-Amz-Security-Token")
  static let decodedLength = HTTPField.Name(signature: "X-Amz-Decoded-Content-Length")
  static let trailer = HTTPField.Name(signature: "X-Amz-Trailer")

  static let algorithm = "AWS4-HMAC-SHA256"
  static let unsignedPayload = "UNSIGNED-PAYLOAD"
  static let chunkedPayload = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD"
  static let chunkedPayloadWithTrailer = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER"

  /// The fields that the signature itself adds, whose values in a request are replaced.
  static let added: [HTTPField.Name] = [date, contentHash, securityToken]

  /// Whether the signature leaves out a field, by its name in lower case, because the transport or a proxy
  /// may change it.
  static func isUncovered(_ name: String) -> Bool {
    switch name.utf8.first {
    case UInt8(ascii: "a"): name == "accept-encoding" || name == "authorization"
    case UInt8(ascii: "c"): name == "connection"
    case UInt8(ascii: "e"): name == "expect"
    case UInt8(ascii: "h"): name == "host"
    case UInt8(ascii: "k"): name == "keep-alive"
    case UInt8(ascii: "p"):
      name == "proxy-authenticate" || name == "proxy-authorization" || name == "proxy-connection"
    case UInt8(ascii: "t"): name == "te" || name == "trailer" || name == "transfer-encoding"
    case UInt8(ascii: "u"): name == "upgrade" || name == "user-agent"
    case UInt8(ascii: "x"):
      name == "x-amzn-trace-id" || name == "x-amz-date" || name == "x-amz-content-sha256"
        || name == "x-amz-security-token"
    default: false
    }
  }
}
