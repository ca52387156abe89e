import ContentCodings
import HTTPTypes
import Interception

/// How a request's body is sent; a pure function of the request.
enum CompressionPlan: Hashable {
  /// Unchanged.
  case identity
  /// Compressed in memory, if the result has at most this many bytes.
  case whole(atMost: Int)
  /// Compressed while it is sent.
  case chunkwise

  // A digest of the content would no longer match what is sent (RFC 9530, section 2); a range refers to the
  // unencoded content (RFC 9110, section 14.4).
  private static let obstacles = [
    "Content-Encoding", "Content-Digest", "Repr-Digest", "Digest", "Content-MD5", "Content-Range",
  ].compactMap { HTTPField.Name($0) }

  /// Whether credentials cover the body as it is: those of Digest with the protection `auth-int`, which are
  /// computed before the body is coded (RFC 7616, section 3.4.3).
  private static func coversBody(_ credentials: String) -> Bool {
    guard credentials.utf8.count > 7, credentials.prefix(7).lowercased() == "digest " else { return false }
    let text = credentials.lowercased()
    return text.contains("qop=auth-int") || text.contains("qop=\"auth-int\"")
  }

  /// Creates the plan for a request.
  ///
  /// - Parameter threshold: The minimum length of a body that is compressed, in bytes.
  init(for request: Request, threshold: Int) {
    self = .identity
    guard request.body.replay == .any, let length = request.body.length,
      length >= Int64(max(threshold, 1)),
      !Self.obstacles.contains(where: { request.head.headerFields[$0] != nil }),
      !(request.trailers?.names.contains(where: Self.obstacles.contains) ?? false),
      !Self.coversBody(request.head.headerFields[.authorization] ?? ""),
      !CompressedMedia.includes(request.head.headerFields.mediaType ?? "")
    else { return }
    self =
      if let bytes = request.body.bytes {
        // Saving less than a tenth isn't worth the server's time.
        .whole(atMost: bytes.count - (bytes.count + 9) / 10)
      } else {
        .chunkwise
      }
  }
}

/// What is done with the coding of a response's content; a pure function of its head.
enum DecodingPlan: Hashable {
  /// It is delivered as it was sent: there is no content or no coding, or only a part of coded content.
  case asSent
  /// It is decoded; the codings are in the order in which they were applied.
  case decode([String])
  /// The response is refused, because its codings can't be decoded.
  case refuse([String])

  /// Creates the plan for a response.
  ///
  /// - Parameter method: The method of the request.
  init(for head: HTTPResponse, to method: HTTPRequest.Method) {
    let codings = head.headerFields.contentCodings
    switch head.status.code {
    // Without content (RFC 9110, section 6.4.1), the field describes the content of another response.
    case 100..<200, 204, 304: self = .asSent
    // A part of coded content can't be decoded by itself.
    case 206: self = .asSent
    case _ where method == .head || codings.isEmpty: self = .asSent
    default:
      let isKnown = codings.allSatisfy { ContentCoding.decodable.contains(ContentCoding($0)) }
      self = isKnown && codings.count <= ContentDecoding.maximumCodings ? .decode(codings) : .refuse(codings)
    }
  }
}

/// The media types whose content is already compressed, or must be sent as it is.
enum CompressedMedia {
  private static let kinds: Set<String> = ["image", "video", "audio"]

  // These image and audio types hold plain text or raw samples.
  private static let plain: Set<String> = [
    "image/svg+xml", "image/bmp", "image/x-ms-bmp", "image/x-portable-pixmap", "audio/wav", "audio/x-wav",
    "audio/vnd.wave", "audio/l16", "audio/midi",
  ]

  private static let types: Set<String> = [
    "application/zip", "application/gzip", "application/x-gzip", "application/zlib", "application/zstd",
    "application/x-brotli", "application/x-bzip", "application/x-bzip2", "application/x-xz",
    "application/x-lzma", "application/x-7z-compressed", "application/vnd.rar",
    "application/x-rar-compressed",
    "application/x-compress", "application/x-compressed", "application/x-zip-compressed",
    "application/java-archive", "application/vnd.android.package-archive", "application/pdf",
    "application/ogg", "application/mp4", "application/vnd.apache.parquet", "font/woff", "font/woff2",
  ]

  // A part of an upload, whose positions are those of the bytes as they are.
  private static let parts: Set<String> = ["application/offset+octet-stream", "application/partial-upload"]

  private static let families = [
    "application/vnd.openxmlformats-officedocument.", "application/vnd.oasis.opendocument.",
  ]

  /// Returns whether content of a media type is already compressed, or must be sent as it is.
  ///
  /// - Parameter contentType: The value of a `Content-Type` field, with or without parameters.
  static func includes(_ contentType: String) -> Bool {
    let type = MediaTypeSyntax.essence(of: contentType)
    guard !plain.contains(type) else { return false }
    if types.contains(type) || parts.contains(type) { return true }
    if families.contains(where: type.hasPrefix) { return true }
    if type.hasSuffix("+zip") || type.hasSuffix("+gzip") || type.hasSuffix("+zstd") { return true }
    return kinds.contains(String(type.prefix { $0 != "/" }))
  }
}
