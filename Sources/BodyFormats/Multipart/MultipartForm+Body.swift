public import Interception

extension MultipartForm {
  /// A piece of the form's wire format.
  enum Segment: Sendable {
    case bytes([UInt8])
    case content(of: String, RequestBody)
  }

  /// The form as a request body.
  ///
  /// A form of at most 256 KiB that is entirely in memory becomes a single `.bytes` body, which interceptors
  /// can hash. If the form can be sent only once, use only one of the bodies that this property returns.
  public var body: RequestBody {
    let segments = segments
    if segments.count == 1, case .bytes(let bytes) = segments[0] { return .bytes(bytes) }
    switch replay {
    case .once: return .once(length: length, MultipartByteSource(segments))
    case .any:
      return .restartable(length: length) { () throws(NetworkError) in MultipartByteSource(segments) }
    }
  }

  private static let joinedAtMost = 256 << 10

  /// The form's wire format, with small adjacent pieces joined.
  private var segments: [Segment] {
    var segments: [Segment] = []
    var joined: [UInt8] = []
    for part in parts {
      joined += opening(of: part)
      if let bytes = part.body.bytes, joined.count + bytes.count <= Self.joinedAtMost {
        joined += bytes
      } else {
        segments += [.bytes(joined), .content(of: part.name, part.body)]
        joined = []
      }
      joined += [0x0D, 0x0A]
    }
    segments.append(.bytes(joined + closing))
    return segments
  }
}
