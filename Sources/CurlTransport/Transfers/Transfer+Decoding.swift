import CCurlShims
import CLibcurl
import Interception

extension Transfer {
  /// Decodes bytes of the answer and hands them on.
  ///
  /// When the reader has no room, libcurl is told to pause and will offer the same bytes again; the decoding
  /// remembers how many of them it has had.
  func receiveCoded(_ bytes: UnsafeBufferPointer<UInt8>, _ decoding: ContentDecoding) -> Int {
    let progress = unsafe decoding.decode(bytes) { unsafe deliver($0) }
    switch progress {
    case .taken: return bytes.count
    case .full: return Int(CURL_WRITEFUNC_PAUSE)
    case .cancelled: return 0
    case .broken:
      failure = violation(
        "sent a body whose \(contentCoding?.name ?? "content") coding is broken; ask for no coding to see it as it is."
      )
      return 0
    }
  }

  /// The error of a coded body without an end.
  var truncation: NetworkError {
    violation(
      "ended its body in the middle of the \(contentCoding?.name ?? "content") coding; what came is only a part."
    )
  }
}
