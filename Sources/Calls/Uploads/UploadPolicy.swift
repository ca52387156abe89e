/// How an upload behaves: when it continues after a failure, how much it sends at once, and what happens to a
/// changed file.
///
/// ```swift
/// let patient = UploadPolicy(failureLimit: 20, maximumWait: .seconds(300), maximumRequestSize: 8 << 20)
/// let upload = FileUpload(request, from: "/data/chart.bin", by: .tus(), policy: patient)
/// ```
///
/// A run continues after a lost connection, an exceeded time limit of an attempt, a name that is not
/// resolved, a connection that is not made, the statuses 408, 423, 429, 502, 503 and 504, and, once the
/// upload is created, also 409, 460 and 500. It always asks for the server's position first, and sends
/// only what is missing. It ends at once without a network (`NetworkError.Kind.offline`), at the call's time
/// limit, if the budget or the circuit breaker of a `RetryInterceptor` refuses further requests, and at every
/// other failure, such as a changed file.
public struct UploadPolicy: Sendable, Hashable {
  /// The maximum number of failures in a row; 5 by default.
  ///
  /// The last one ends the run.
  ///
  /// A failure after the server has stored at least 256 KiB of further content begins a new row.
  public var failureLimit: Int
  /// The limit of the random wait after the first failure of a row; 1 s by default.
  ///
  /// It doubles with each further failure.
  package var firstWait: Duration
  /// The maximum of that limit; 30 s by default.
  package var maximumWait: Duration
  /// The longest `Retry-After` that is obeyed; 60 s by default.
  package var retryAfterLimit: Duration
  /// The maximum number of bytes of content per request; nil, the default, sends all that is missing at once.
  ///
  /// Set it for servers and proxies that limit the content of a request. A limit that the server names, or a
  /// 413, reduces it by itself.
  package var maximumRequestSize: Int64?
  /// Whether a file that has changed since its upload began is uploaded anew.
  ///
  /// False, the default, ends the run with ``UploadFault/fileChanged``.
  ///
  /// A file that changes while it is being sent ends the run in any case.
  package var restartsChangedFile: Bool

  /// Creates a policy.
  public init(
    failureLimit: Int = 5, firstWait: Duration = .seconds(1), maximumWait: Duration = .seconds(30),
    retryAfterLimit: Duration = .seconds(60), maximumRequestSize: Int64? = nil,
    restartsChangedFile: Bool = false
  ) {
    self.failureLimit = max(failureLimit, 1)
    self.firstWait = max(firstWait, .zero)
    self.maximumWait = max(maximumWait, .zero)
    self.retryAfterLimit = max(retryAfterLimit, .zero)
    self.maximumRequestSize = maximumRequestSize.map { max($0, 1) }
    self.restartsChangedFile = restartsChangedFile
  }

  /// Ends the run at the first failure; the next run resumes the upload.
  package static let oneAttempt = UploadPolicy(failureLimit: 1)
}
