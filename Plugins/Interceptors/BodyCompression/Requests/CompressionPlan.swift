import HTTPTypes
import Interception

/// How a request's body is sent; a pure function of the request and of what is known about the resource.
enum CompressionPlan: Hashable {
  /// Unchanged.
  case identity
  /// Compressed as a whole, if the result has at most this many bytes.
  case whole(atMost: Int)
  /// Compressed while it is sent.
  case chunkwise

  // A digest of the content would no longer match what is sent (RFC 9530, section 2); a range refers to the
  // unencoded content (RFC 9110, section 14.4).
  private static let obstacles = [
    "Content-Encoding", "Content-Digest", "Repr-Digest", "Digest", "Content-MD5", "Content-Range",
  ].compactMap { HTTPField.Name($0) }

  /// Creates the plan for a request.
  ///
  /// - Parameters:
  ///   - threshold: The minimum length of a body that is compressed, in bytes.
  ///   - verdict: What the resource is known to accept.
  init(
    for request: Request, rule: RequestCompression, threshold: Int, verdict: ResourceCodings.Verdict?
  ) {
    self = .identity
    let allowed =
      switch rule {
      case .never: false
      case .whereAccepted: verdict == .accepts
      case .whenLarge: verdict != .refuses
      }
    guard allowed, request.body.replay == .any, let length = request.body.length,
      length >= Int64(max(threshold, 1)),
      !Self.obstacles.contains(where: { request.head.headerFields[$0] != nil }),
      !CompressedMedia.includes(request.head.headerFields[.contentType] ?? "")
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
