public import Interception

/// A failure of a command: a sentence that names the culprit and the remedy, and the exit status.
public struct ToolFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The exit status.
  public let status: ExitStatus
  /// The sentence; empty if nothing is to be printed.
  public let description: String

  /// Creates a failure.
  public init(_ status: ExitStatus, _ sentence: String) {
    self.status = status
    description = sentence
  }

  /// Creates the failure for an error of the chain.
  ///
  /// Its text has no control characters, and at most 1,000 others, because a server can choose parts of it.
  public init(_ error: NetworkError) {
    let text = Printable.text("\(error)")
    self.init(ExitStatus(error), text.count > 1_000 ? "\(text.prefix(1_000))…" : text)
  }

  /// The reader of the output has closed it, as `head` does; nothing is printed.
  public static let closedOutput = ToolFailure(.unwritable, "")
}

/// Text of others, made fit for a terminal.
public enum Printable {
  /// Returns a text whose control and format characters are written as `\u{…}`.
  ///
  /// Otherwise a server or a file could move the cursor, or hide what follows.
  public static func text(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHidden) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if isHidden(scalar) {
        shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: false
    }
  }
}
