import Foundation

/// The name of a downloaded file that has none on the command line.
public enum DownloadName {
  /// Returns the last part of a URL's path, without what could lead to another folder or hide the file.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/usage`` if nothing is left; the text says to use `-o`.
  public static func name(ofPath path: String) throws(ToolFailure) -> String {
    let part = path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last.map(String.init) ?? ""
    let decoded = part.removingPercentEncoding ?? part
    let name = String(
      decoded.unicodeScalars.filter { scalar in
        scalar != "/" && scalar.properties.generalCategory != .control
          && scalar.properties.generalCategory != .format
      }.map(Character.init)
    )
    let visible = String(name.drop { $0 == "." })
    guard !visible.isEmpty, visible.utf8.count <= 200 else {
      throw ToolFailure(.usage, "The URL's path ends in no usable file name; name the file with -o FILE.")
    }
    return visible
  }
}

/// The SHA-256 of a file, as hexadecimal digits on the command line.
public struct ExpectedDigest: Sendable, Hashable {
  /// The 64 digits, in lower case.
  public let digits: String

  /// Parses a digest, in upper or lower case.
  public init?(_ text: String) {
    guard text.utf8.count == 64, text.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
    digits = text.lowercased()
  }

  /// Whether it is the digest of these 32 bytes.
  public func matches(_ bytes: [UInt8]) -> Bool { Self.digits(bytes) == digits }

  /// Returns bytes as hexadecimal digits.
  public static func digits(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let text = String(byte, radix: 16)
      return text.utf8.count < 2 ? "0" + text : text
    }.joined()
  }
}
