public import RequestSigning

/// The text of a signing key in a file or an environment variable: `ID:SECRET`.
///
/// The secret is taken as UTF-8, or as hexadecimal digits after `hex:`. It is never an argument, because
/// other users of the machine can read those.
public enum SigningKeyText {
  /// The environment variable with a key.
  public static let variable = "SWITCHYARD_SIGNING_KEY"

  /// Parses a key.
  ///
  /// - Parameter place: What the text is from, for errors, which never contain any of it.
  /// - Throws: ``ToolFailure`` with ``ExitStatus/usage``.
  public static func key(in text: String, from place: String) throws(ToolFailure) -> SigningKey {
    let line = text.split(maxSplits: 1, whereSeparator: \.isNewline)
    guard let first = line.first, line.count == 1 || line[1].allSatisfy(\.isWhitespace),
      let colon = first.utf8.firstIndex(of: UInt8(ascii: ":"))
    else { throw fault(place, "must have one line, ID:SECRET or ID:hex:DIGITS") }
    let secretText = first[first.utf8.index(after: colon)...]
    let secret: [UInt8]
    if secretText.utf8.starts(with: "hex:".utf8) {
      guard let bytes = bytes(ofHexadecimal: secretText.dropFirst(4)) else {
        throw fault(place, "has a secret that is not hexadecimal, with two digits for each byte")
      }
      secret = bytes
    } else {
      secret = Array(secretText.utf8)
    }
    do throws(SigningKeyError) {
      return try SigningKey(id: String(first[..<colon]), secret: secret)
    } catch {
      throw fault(place, "is not usable. \(error)")
    }
  }

  private static func fault(_ place: String, _ what: String) -> ToolFailure {
    ToolFailure(.usage, "The signing key in \(place) \(what)" + (what.hasSuffix(".") ? "" : "."))
  }

  private static func bytes(ofHexadecimal digits: Substring) -> [UInt8]? {
    let values = digits.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard !values.isEmpty, values.count.isMultiple(of: 2), !values.contains(nil) else { return nil }
    let known = values.compactMap(\.self)
    return stride(from: 0, to: known.count, by: 2).map { UInt8(known[$0] << 4 | known[$0 + 1]) }
  }
}
