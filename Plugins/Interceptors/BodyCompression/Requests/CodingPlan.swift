import HTTPTypes
import Interception

/// What is to be done with a request's body; a pure function of the request and of what is known about the
/// resource.
enum CodingPlan: Hashable {
  /// It is sent as it is.
  case identity
  /// It is coded as a whole, and sent coded when that is at most this many bytes.
  case whole(atMost: Int)
  /// It is coded while it is sent.
  case chunkwise

  // A digest of the content would no longer be that of what is sent (RFC 9530, section 2); a range is one of
  // the uncoded content (RFC 9110, section 14.4).
  private static let obstacles = [
    "Content-Encoding", "Content-Digest", "Repr-Digest", "Digest", "Content-MD5", "Content-Range",
  ].compactMap { HTTPField.Name($0) }

  /// Plans for a request.
  ///
  /// - Parameters:
  ///   - threshold: The shortest body, in bytes, that is coded.
  ///   - verdict: What the resource is known to take.
  init(
    for request: Request, rule: RequestCoding, threshold: Int, verdict: CodingMemory.Verdict?
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
        // A tenth must be saved, or it isn't worth the server's time.
        .whole(atMost: bytes.count - (bytes.count + 9) / 10)
      } else {
        .chunkwise
      }
  }
}
