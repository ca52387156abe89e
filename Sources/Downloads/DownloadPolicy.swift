/// When a download continues by itself after a failure, and whether a complete file is revalidated.
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
  /// The maximum number of failures in a row, the last of which ends the run; 5 by default.
  ///
  /// A failure after at least 256 KiB of further content begins a new row.
  public var failureLimit: Int
  /// The limit of the random wait after the first failure of a row, which doubles with each further one; 1 s
  /// by default.
  public var firstWait: Duration
  /// The maximum of that limit; 30 s by default.
  public var maximumWait: Duration
  /// The longest `Retry-After` that is obeyed; 60 s by default.
  public var retryAfterLimit: Duration
  /// Whether a complete file is requested again only if the server has another version; true by default.
  ///
  /// The version is kept in `.NAME.version` beside the target. It is used only if the target is the same
  /// file, with the length and the modification time that it was given.
  public var revalidates: Bool

  /// Creates a policy.
  public init(
    failureLimit: Int = 5, firstWait: Duration = .seconds(1), maximumWait: Duration = .seconds(30),
    retryAfterLimit: Duration = .seconds(60), revalidates: Bool = true
  ) {
    self.failureLimit = max(failureLimit, 1)
    self.firstWait = max(firstWait, .zero)
    self.maximumWait = max(maximumWait, .zero)
    self.retryAfterLimit = max(retryAfterLimit, .zero)
    self.revalidates = revalidates
  }

  /// Ends the run at the first failure; the next run resumes the download.
  public static let oneAttempt = DownloadPolicy(failureLimit: 1)
}
