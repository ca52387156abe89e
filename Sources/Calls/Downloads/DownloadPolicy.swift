import HTTPTypes
import Interception

/// How a download behaves: when it continues after a failure, how its content is verified, in how many parts
/// it is requested, and whether a complete file is revalidated.
///
/// ```swift
/// let patient = DownloadPolicy(failureLimit: 20, maximumWait: .seconds(300))
/// let download = FileDownload(request, to: "/data/chart.bin", policy: patient)
/// ```
///
/// A run continues after a lost connection, an exceeded time limit of an attempt, a name that is not
/// resolved, a connection that is not made, and the statuses 408, 429, 502, 503 and 504. It requests only
/// what is missing, if the server confirms the version; without a strong validator it starts anew, unless
/// more than 1 MiB would be transferred again. It ends at once without a network
/// (`NetworkError.Kind.offline`), at the call's time limit, if the budget or the circuit breaker of a
/// `RetryInterceptor` refuses further requests, and at every other failure, such as a full disk.
public struct DownloadPolicy: Sendable, Hashable {
  /// The maximum number of failures in a row; 5 by default.
  ///
  /// The last one ends the run.
  ///
  /// A failure after at least 256 KiB of further content begins a new row.
  public var failureLimit: Int
  /// The limit of the random wait after the first failure of a row; 1 s by default.
  ///
  /// It doubles with each further failure.
  package var firstWait: Duration
  /// The maximum of that limit; 30 s by default.
  package var maximumWait: Duration
  /// The longest `Retry-After` that is obeyed; 60 s by default.
  package var retryAfterLimit: Duration
  /// Whether a complete file is transferred again only if the server has another version; true by default.
  ///
  /// The version is kept in `.NAME.version` beside the target. It is used only if the target is the same
  /// file, with the length and the modification time that it was given.
  package var revalidates: Bool
  /// How the digests that a server sends are used; ``DigestCheck/ifSent`` by default.
  package var digestCheck: DigestCheck
  /// The maximum number of parts of the file that are requested at the same time, 1 to 16; 1 by default.
  ///
  /// With 2 or more, the first request is for the range of the first 2 MiB (RFC 9110, section 14). If the
  /// response states the length and has a strong validator, the rest is divided into this number of parts of
  /// at least 1 MiB, each of which is requested with the validator in `If-Range`, and written at its place.
  /// The limits of the dispatcher apply, such as 6 connections per origin over HTTP/1.1. A server that
  /// ignores ranges, or has another version by then, sends the whole file in one response.
  ///
  /// Each part continues by itself after a failure, within ``failureLimit``. Parts that the server refuses
  /// with 429 or 503, or for which the dispatcher has no room, wait until others are complete. A file whose
  /// download began in one part continues in one.
  package var parts: Int

  /// Creates a policy.
  public init(
    failureLimit: Int = 5, firstWait: Duration = .seconds(1), maximumWait: Duration = .seconds(30),
    retryAfterLimit: Duration = .seconds(60), revalidates: Bool = true, digestCheck: DigestCheck = .ifSent,
    parts: Int = 1
  ) {
    self.failureLimit = max(failureLimit, 1)
    self.firstWait = max(firstWait, .zero)
    self.maximumWait = max(maximumWait, .zero)
    self.retryAfterLimit = max(retryAfterLimit, .zero)
    self.revalidates = revalidates
    self.digestCheck = digestCheck
    self.parts = min(max(parts, 1), PartDivision.maximumCount)
  }

  /// Ends the run at the first failure; the next run resumes the download.
  package static let oneAttempt = DownloadPolicy(failureLimit: 1)
}

extension DownloadPolicy {
  /// How a download uses the digests of the whole file that a server sends.
  ///
  /// A server sends them in `Repr-Digest`, in the `Content-Digest` of a whole file (RFC 9530), or in the
  /// obsolete `Digest` (RFC 3230). Algorithms other than SHA-256 and SHA-512 are ignored. They detect a
  /// damaged file, not a malicious server. To detect that, pass a digest from another source to
  /// ``FileDownload/init(_:to:identity:expecting:policy:time:)``.
  public enum DigestCheck: Sendable, Hashable {
    /// They are ignored.
    case none
    /// The file must have the digest that the server sends, if it sends one.
    case ifSent
    /// Like ``ifSent``, and the server is asked for a SHA-256 by `Want-Repr-Digest`.
    case requested
    /// Like ``requested``; a server that sends none is refused with ``DownloadFault/digestMissing``, unless
    /// the caller expects a digest.
    case required
  }
}

extension TransferFailures {
  /// Creates the count of a download, or of a part of one, that begins at an offset.
  init(_ policy: DownloadPolicy, offset: Int64) {
    self.init(
      Limits(
        failures: policy.failureLimit, firstWait: policy.firstWait, maximumWait: policy.maximumWait,
        retryAfter: policy.retryAfterLimit), offset: offset)
  }

  /// Counts a failure of a download; one that cannot pass ends it.
  mutating func decide(onDownload error: NetworkError, at moment: Moment) -> Decision {
    guard case DownloadFault.status(let head)? = error.underlying else {
      return Self.mayPass(error) ? decide(on: error, response: nil, at: moment) : .end(nil)
    }
    guard [408, 429, 502, 503, 504].contains(head.status.code) else { return .end(nil) }
    return decide(on: error, response: head, at: moment)
  }
}
