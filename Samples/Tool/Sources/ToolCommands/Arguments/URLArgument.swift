/// A URL on the command line.
public enum URLArgument {
  /// Returns a URL with the scheme that a person left out: http for the machine itself, and https for others.
  ///
  /// A text that begins with a scheme, or with a slash, is returned as it is.
  public static func completed(_ text: String) -> String {
    let host = text.prefix { !"/?#".contains($0) }
    guard !host.isEmpty, !text.contains("://") else { return text }
    // What follows a colon is a port; anything else belongs to a scheme without "//", which is refused.
    if let colon = host.lastIndex(of: ":"), host.last != "]",
      !host[colon...].dropFirst().allSatisfy(\.isNumber)
    {
      return text
    }
    let local = host.hasPrefix("localhost") || host.hasPrefix("127.") || host.hasPrefix("[::1]")
    return "\(local ? "http" : "https")://\(text)"
  }
}
