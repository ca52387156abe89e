/// The key of HMAC and PLAINTEXT: both secrets, percent-encoded and joined (RFC 5849, section 3.4.2).
///
/// It is never printed.
struct OAuth1Secret: Sendable {
  let key: [UInt8]

  init(_ clientSecret: String, _ tokenSecret: String) {
    var text = CanonicalText(reserving: 128)
    text.append(encoding: clientSecret.utf8)
    text.append(byte: UInt8(ascii: "&"))
    text.append(encoding: tokenSecret.utf8)
    key = text.bytes
  }
}

extension OAuth1Secret: CustomReflectable, CustomStringConvertible, CustomDebugStringConvertible {
  /// Empty, so that `dump` and `Mirror` can't reveal the secrets.
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
  var description: String { "(secret)" }
  var debugDescription: String { description }
}
