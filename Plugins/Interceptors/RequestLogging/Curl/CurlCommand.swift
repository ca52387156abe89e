public import Interception

/// A request as a line for bash that sends it with curl: paste it, and it runs.
///
/// The line has no line break, and sends the request's fields and no others: what curl adds by itself
/// (`Accept`, `User-Agent`, a form's `Content-Type`) is taken back. It connects where the request does, and
/// has its time limits. ``init(_:redaction:)`` hides secrets and the body; ``unsafeUnredacted(_:)`` shows
/// all.
public struct CurlCommand: Sendable, Hashable {
  /// The line.
  public let line: String
  /// Whether the body isn't in the line, so that it must be piped in.
  ///
  /// It is so for bodies that aren't in memory, and for those of more than 1 MiB.
  public let readsStandardInput: Bool

  /// Writes a request with its secrets hidden.
  ///
  /// It runs too, and sends `REDACTED` in the place of each hidden value and of the body.
  public init(_ request: Request, redaction: Redaction = Redaction()) {
    var redaction = redaction
    // A mark that is legal in a URL and a field, so that the line runs.
    redaction.mark = "REDACTED"
    self.init(request, hiding: redaction)
  }

  /// Writes a request with everything in it: credentials, cookies, signature, body.
  ///
  /// For a debugger's eyes; no logger of this package uses it. Never write it to a file or a ticket.
  public static func unsafeUnredacted(_ request: Request) -> CurlCommand {
    CurlCommand(request, hiding: nil)
  }

  private init(_ request: Request, hiding redaction: Redaction?) {
    let arguments = CurlArguments(request, hiding: redaction)
    line = arguments.line
    readsStandardInput = arguments.readsStandardInput
  }
}

extension CurlCommand: CustomStringConvertible {
  /// The line.
  public var description: String { line }
}
