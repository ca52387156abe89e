public import HTTPTypes

/// A download into a file, which goes on where an earlier run of it was broken off.
///
/// ```swift
/// let download = FileDownload(request, to: "/data/chart.bin")
/// let outcome = try await download.run(over: pipeline)
/// ```
///
/// The content is written to `NAME.part` beside the target, which gets its name only when it is whole and on
/// the disk. When a run fails or is cancelled, or the process is killed, the unfinished file stays; the next
/// run asks for the rest of it (RFC 9110, sections 13.1.5 and 14), as long as the server says that it is
/// still of the same version: by a strong entity tag, or by a date of last change that lies before the
/// answer's own date. Where the server offers neither, nothing unfinished is kept.
///
/// Files are written, and saved, on the caller's executor. Choose a streamed answer where the content
/// isn't to become a file.
public struct FileDownload: Sendable {
  /// How a download ended well.
  public struct Outcome: Sendable {
    /// The file's length in bytes.
    public let length: Int64
    /// The bytes that earlier runs had left and this one didn't ask for again.
    public let resumedFrom: Int64
    /// The head of the last answer.
    public let head: HTTPResponse
    /// How the last answer came about.
    public let exchange: Exchange
  }

  /// What is asked for; a GET.
  public let request: Request
  /// The target's path.
  public let path: String
  private let identity: String?

  /// Describes a download; nothing happens before ``run(over:reportingTo:)``.
  ///
  /// - Parameters:
  ///   - request: A GET without a body. Its limit of time for the whole attempt holds here too; set
  ///     ``RequestOptions/Timeouts/whole`` to nil and ``RequestOptions/Timeouts/idle`` to some seconds for
  ///     large files.
  ///   - path: The target; a regular file of that name is replaced in one step at the end. A folder, a
  ///     symbolic link, a FIFO, a socket or a device is refused before anything is requested.
  ///   - identity: What tells this content from others. By default it is the URL; name it where the URL
  ///     changes from run to run, as signed ones do.
  public init(_ request: Request, to path: String, identity: String? = nil) {
    self.request = request
    self.path = path
    self.identity = identity
  }

  /// Downloads, or goes on downloading, until the file is whole.
  ///
  /// - Parameter meter: Hears how much of the file is there, what earlier runs left included; it is finished
  ///   when this function returns.
  /// - Throws: What the dispatcher throws; ``NetworkError/Kind/invalidRequest`` for a request that cannot be
  ///   a download's, and for a target that is neither free nor a regular file;
  ///   ``NetworkError/Kind/protocolViolation`` when the server contradicts itself; and
  ///   ``NetworkError/Kind/rejected`` with a ``DownloadFault`` as `underlying`.
  public func run(
    over dispatcher: some Dispatcher, reportingTo meter: TransferMeter? = nil
  ) async throws(NetworkError) -> Outcome {
    defer { meter?.finish() }
    try check()
    let (file, plan) = try prepare()
    let run = DownloadRun(request: request, dispatcher: dispatcher, file: file, meter: meter, plan: plan)
    return try await run.perform()
  }

  /// Removes what a broken run left; the target itself is not touched.
  ///
  /// - Throws: ``NetworkError/Kind/rejected`` with ``DownloadFault/occupied`` while the download is running.
  public func discardUnfinished() throws(NetworkError) {
    try PartialFile(try DownloadPaths(target: path)).discard()
  }

  private func prepare() throws(NetworkError) -> (PartialFile, DownloadPlan) {
    do throws(NetworkError) {
      let paths = try DownloadPaths(target: path)
      let file = try PartialFile(paths)
      let size = try file.size()
      return (file, DownloadPlan(identity: fingerprint, found: paths.readNote(), size: size))
    } catch {
      var early = error
      early.requestMayHaveBeenProcessed = false
      throw early
    }
  }

  private var fingerprint: UInt64 {
    if let identity { return DownloadPlan.identity(of: [identity]) }
    let head = request.head
    return DownloadPlan.identity(of: [head.scheme ?? "", head.authority ?? "", head.path ?? ""])
  }

  private func check() throws(NetworkError) {
    let fields = request.head.headerFields
    guard request.head.method == .get, request.body.isEmpty else {
      throw NetworkError(.invalidRequest, "A download is a GET without a body; send the request otherwise.")
    }
    guard fields[.range] == nil, fields[.ifRange] == nil else {
      throw NetworkError(
        .invalidRequest, "A download sets Range and If-Range itself; remove them from the request.")
    }
  }
}
