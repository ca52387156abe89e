/// A URL on the command line.
public enum URLArgument {
  /// Returns a URL with the scheme that a person left out: http for the machine itself, and https for others.
  ///
  /// A text that begins with a scheme, or with a slash, is returned as it is.
  public static func completed(_ text: String) -> String {
    let host = text.prefix { !"/?#".contains($0) }
    guard !host.isEmpty else { return text }
    // Digits after a colon are a port; anything else, or nothing, follows a scheme.
    if let colon = host.lastIndex(of: ":"), host.last != "]" {
      let port = host[colon...].dropFirst()
      guard !port.isEmpty, port.allSatisfy(\.isNumber) else { return text }
    }
    let local = host.hasPrefix("localhost") || host.hasPrefix("127.") || host.hasPrefix("[::1]")
    return "\(local ? "http" : "https")://\(text)"
  }
}
