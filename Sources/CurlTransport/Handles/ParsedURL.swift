import CLibcurl

/// Owner of one `CURLU *`: a URL that libcurl has read once and need not read again for each request.
@safe
final class ParsedURL {
  private let pointer: OpaquePointer

  /// Reads a URL; nil when libcurl can't, or has no memory.
  init?(_ text: String) {
    guard let pointer = unsafe curl_url() else { return nil }
    guard unsafe curl_url_set(pointer, CURLUPART_URL, text, UInt32(CURLU_PATH_AS_IS)) == CURLUE_OK else {
      unsafe curl_url_cleanup(pointer)
      return nil
    }
    unsafe self.pointer = pointer
  }

  deinit { unsafe curl_url_cleanup(pointer) }

  /// Where it is, for a handle that is told of it.
  var address: UInt { unsafe UInt(bitPattern: pointer) }
}
