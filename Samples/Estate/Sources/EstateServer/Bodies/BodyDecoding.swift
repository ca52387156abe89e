import HTTPServing
import HTTPTypes

/// Removes the content coding of request bodies within the limits.
enum BodyDecoding {
  /// Returns the request with its body decoded; its fields stay as they were sent.
  static func plain(_ request: ReceivedRequest) throws(APIError) -> ReceivedRequest {
    let isCoded: Bool
    let coding = request.head.headerFields[.contentEncoding] ?? "identity"
    switch coding.lowercased() {
    case "identity": isCoded = false
    case "gzip", "x-gzip": isCoded = true
    default:
      throw APIError(
        .unsupportedMediaType, "unknown_coding",
        "Request bodies may be gzip-coded or plain, not '\(coding.prefix(40))'.",
        fields: [.acceptEncoding: "gzip"])
    }
    guard request.body.count <= BodyLimits.encoded else { throw .bodyTooLarge }
    guard isCoded else { return request }
    return ReceivedRequest(head: request.head, body: try decoded(request.body))
  }

  private static func decoded(_ bytes: [UInt8]) throws(APIError) -> [UInt8] {
    do {
      return try GzipCoding.decode(bytes, limit: BodyLimits.decoded)
    } catch {
      switch error {
      case .tooLarge: throw .bodyTooLarge
      case .damaged: throw .badBody("The body is not valid gzip; it is damaged or cut short.")
      case .unavailable: throw .internalFault
      }
    }
  }
}

/// The maximum sizes of request bodies.
enum BodyLimits {
  /// Bytes as sent.
  static let encoded = 256 * 1024
  /// Bytes after content decoding, which stops as soon as there are more.
  static let decoded = 1024 * 1024
}
