/// A word of a command line for bash or zsh.
public enum ShellWord {
  private static let safe = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-".utf8)

  /// Returns a text as one word, quoted if it has to be; it has no line break.
  ///
  /// With control or format characters, or an exclamation mark, it is `$'…'` with escapes, so that a terminal
  /// does not obey them and no history is expanded.
  public static func quoted(_ text: String) -> String {
    let bytes = Array(text.utf8)
    if !bytes.isEmpty, bytes.allSatisfy(safe.contains) { return text }
    let needsEscapes = text.unicodeScalars.contains { Printable.isHidden($0) || $0 == "!" || $0 == "'" }
    guard needsEscapes else { return "'\(text)'" }
    var word = "$'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": word += "\\'"
      case "\\": word += "\\\\"
      case "\n": word += "\\n"
      case "\r": word += "\\r"
      case "\t": word += "\\t"
      case _ where Printable.isHidden(scalar) || scalar == "!":
        for byte in String(Character(scalar)).utf8 {
          word += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
      default: word.unicodeScalars.append(scalar)
      }
    }
    return word + "'"
  }
}
