import Interception

/// The paths of files in page packages, and the files that a URL's path leads to.
///
/// Paths are bytes: strings are also equal if they differ only in how their characters are composed.
enum PagePath {
  static let maximumLength = 1_024
  private static let slash = UInt8(ascii: "/")

  /// Returns whether bytes are a path that a package may have: relative, in UTF-8, without empty, `.` and
  /// `..` segments, control characters and backslashes.
  static func isValid(_ path: some Collection<UInt8>) -> Bool {
    guard (1...maximumLength).contains(path.count), String(validating: path, as: UTF8.self) != nil,
      path.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") })
    else { return false }
    return path.split(separator: slash, omittingEmptySubsequences: false).allSatisfy { segment in
      !segment.isEmpty && !segment.elementsEqual(".".utf8) && !segment.elementsEqual("..".utf8)
    }
  }

  /// Returns the path of the file for a request's path and query; nil if no package can have it.
  ///
  /// A path that ends with a slash leads to its `index.html`. Segments are decoded one by one, so that an
  /// encoded slash separates nothing.
  static func file(for target: String) -> [UInt8]? {
    let path = target.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard path.first == slash else { return nil }
    var file: [UInt8] = []
    for segment in path.dropFirst().split(separator: slash, omittingEmptySubsequences: false) {
      guard let bytes = PercentEncoding.decodedBytes(segment), !bytes.contains(slash) else { return nil }
      if !file.isEmpty || segment.startIndex != path.index(after: path.startIndex) { file.append(slash) }
      file += bytes
    }
    if file.isEmpty || file.last == slash { file += "index.html".utf8 }
    return isValid(file) ? file : nil
  }
}

/// The authorities of sites in the form in which they are compared.
enum PageSite {
  /// Returns a site in lower case, without the port of https; nil if it is not a host with or without a port.
  static func canonical(_ text: String) -> String? {
    guard text.utf8.count <= 260, !text.utf8.contains(UInt8(ascii: "@")) else { return nil }
    let authority = AuthoritySyntax.comparable(authority: text)
    let bytes = authority.utf8
    let hostStart = bytes.lastIndex(of: UInt8(ascii: "]")) ?? bytes.startIndex
    guard let colon = bytes[hostStart...].lastIndex(of: UInt8(ascii: ":")) else {
      return AuthoritySyntax.isHost(authority) ? authority : nil
    }
    let host = authority[..<colon]
    guard AuthoritySyntax.isHost(host),
      let port = AuthoritySyntax.port(authority[bytes.index(after: colon)...])
    else { return nil }
    return port == 443 ? String(host) : authority
  }
}
