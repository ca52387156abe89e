public import Interception

/// A request as a bash command line that sends it with curl.
///
/// The command has no line break, and sends the request's fields and no others: fields that curl adds by
/// itself (`Accept`, `User-Agent`, a form's `Content-Type`) are removed. It uses the request's connect target
/// and time limits. ``init(_:redaction:)`` hides secrets and the body; ``unsafeUnredacted(_:)`` includes
/// everything.
public struct CurlCommand: Sendable, Hashable {
  /// The command line.
  public let line: String
  /// Whether the command line doesn't contain the body, so that it must be piped in.
  ///
  /// This is the case for bodies that aren't in memory and for those of more than 1 MiB.
  public let readsStandardInput: Bool

  /// Creates a command line without the request's secrets.
  ///
  /// It can still be run; it sends `REDACTED` instead of each hidden value and of the body.
  public init(_ request: Request, redaction: Redaction = Redaction()) {
    var redaction = redaction
    // This mark is legal in a URL and in a field, so the command line can be run.
    redaction.mark = "REDACTED"
    self.init(request, hiding: redaction)
  }

  /// Returns a command line with the whole request: credentials, cookies, signature and body.
  ///
  /// Use it in a debugger only; never write it to a file or a ticket. No logger of this package uses it.
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
  /// The command line.
  public var description: String { line }
}
