import Cryptography
public import HTTPTypes
public import Interception

/// A download to a file that resumes where an earlier run was interrupted.
///
/// ```swift
/// let download = FileDownload(request, to: "/data/chart.bin")
/// let outcome = try await download.run(over: pipeline)
/// ```
///
/// The content is written to `NAME.part` beside the target, and renamed to the target when it is complete and
/// on disk. If a run fails or is cancelled, or the process is killed, the unfinished file remains. The next
/// run requests the remainder (RFC 9110, sections 13.1.5 and 14) if the server confirms that the content is
/// still the same version: by a strong entity tag, or by a last modification date earlier than the response's
/// own date. If the server sends neither, no unfinished file is kept.
///
/// A download belongs to an account: to `RequestContext.partition` of the request, or to the account that the
/// interceptors of the pipeline know. The name of the account's unfinished file has a further ending, a part
/// of a digest, and no other account resumes, confirms or removes what was downloaded for it. Without an
/// account, only a request with the same credentials does. If an interceptor adds credentials and can't tell
/// whose they are, nothing is kept for the next run.
///
/// Content in a coding is stored as it is sent, as `curl -O` does: a `.tar.gz` that is served as `x-gzip` is
/// one on disk. Ranges, the length and digests are those of the coded bytes (RFC 9110, section 14.1; RFC
/// 9530).
///
/// After a lost connection the run continues by itself, as its ``DownloadPolicy`` says. A complete file is
/// requested again with its version, and is left as it is if the server has no other one.
///
/// Before it is renamed, the file is verified by the digest that the caller expects, and by one that the
/// server sends. With `DownloadPolicy(parts:)` it is requested in several parts at the same time.
///
/// The file is written and synchronized to disk on the caller's executor; several parts are written on the
/// concurrent executor, where the digest is computed as well. If the content is not meant to become a file,
/// use a streamed response.
public struct FileDownload: Sendable {
  /// The result of a successful download.
  public struct Outcome: Sendable {
    /// The file's length in bytes.
    public let length: Int64
    /// The number of bytes left by earlier runs that this run did not request again.
    public let resumedFrom: Int64
    /// Whether the target was already the server's version, so that nothing was transferred.
    public let isUnchanged: Bool
    /// The number of failures that the run survived.
    public let failures: Int
    /// The digests of the file.
    ///
    /// They are the expected one, and one of those that the server sent; of an unchanged file, those that
    /// were found when it was downloaded, or the expected one.
    package let digests: [FileDigest]
    /// The head of the last response; of several parts, that of the first one.
    public let head: HTTPResponse
    /// How that response was obtained.
    public let exchange: Exchange
  }

  /// The request, a GET.
  package let request: Request
  /// The path of the target file.
  package let path: String
  private let identity: String?
  /// The digest that the file must have; nil if none is known.
  package let expectedDigest: FileDigest?
  /// When the run continues after a failure, and how the content is requested and verified.
  package let policy: DownloadPolicy
  private let time: TimeSource
  /// Returns the random part of a wait, from 0 up to but not including 1.
  package var random: @Sendable () -> Double = { .random(in: 0..<1) }
  /// The minimum length of a part.
  package var minimumPart = PartDivision.standardMinimum

  /// Creates a download, which starts with ``run(over:reportingTo:)``.
  ///
  /// - Parameters:
  ///   - request: A GET without a body. Its time limits apply here too: by default a file may take any time,
  ///     and a stall of 20 s ends the run.
  ///   - path: The target. An existing regular file is replaced atomically at the end. A folder, a symbolic
  ///     link, a FIFO, a socket or a device is refused before anything is requested.
  ///   - identity: Identifies the content. It defaults to the URL; set it if the URL changes from run to run,
  ///     as signed URLs do.
  ///   - digest: The digest that the file must have, from a source other than the response, such as a
  ///     manifest. A file with another digest never becomes the target.
  ///   - policy: When the run continues after a failure, how the content is requested and verified, and
  ///     whether a complete file is revalidated. A request with a condition of its own, such as
  ///     `If-None-Match`, is not.
  ///   - time: The clock of the waits.
  public init(
    _ request: Request, to path: String, identity: String? = nil, expecting digest: FileDigest? = nil,
    policy: DownloadPolicy = DownloadPolicy(), time: TimeSource = .system
  ) {
    self.request = request
    self.path = path
    self.identity = identity
    expectedDigest = digest
    self.policy = policy
    self.time = time
  }

  /// Downloads the file, or resumes its download, until it is complete.
  ///
  /// `timeouts.call` of the request limits the run with all its requests and waits.
  ///
  /// - Parameter meter: Receives the number of bytes in the file, including those of earlier runs; it is
  ///   finished when this function returns.
  /// - Throws: The error of the last request, whose `retryRefusal` says why no other one was sent;
  ///   `NetworkError.Kind.invalidRequest` if the request cannot be that of
  ///   a download, or the target exists and is not a regular file; `NetworkError.Kind.protocolViolation` if
  ///   the server contradicts itself; and `NetworkError.Kind.rejected` with a ``DownloadFault`` as
  ///   `underlying`.
  public func run(
    over dispatcher: some Dispatcher, reportingTo meter: TransferMeter? = nil
  ) async throws(NetworkError) -> Outcome {
    defer { meter?.finish() }
    try check()
    // Identified once, so that no request leaves with the credentials of another login.
    let request = request.identified(over: dispatcher)
    let owner = try request.storageOwner(digestedBy: Self.digest)
    let (file, plan) = try prepare(for: owner)
    let verification = DigestVerification(policy.digestCheck, expected: expectedDigest)
    let run = DownloadRun(
      isKept: owner.isKnown, request: verification.request(from: request), dispatcher: dispatcher, file: file,
      meter: meter,
      policy: policy, time: time, random: random, plan: plan, verification: verification)
    return try await run.perform()
  }

  /// Removes the unfinished file of an interrupted run; the target, and files of other accounts, are not
  /// changed.
  ///
  /// - Parameter dispatcher: The pipeline of the run, if its interceptors know the account; otherwise the
  ///   account is that of the request.
  /// - Throws: `NetworkError.Kind.rejected` with ``DownloadFault/occupied`` while the download is running.
  public func discardUnfinished(over dispatcher: (any Dispatcher)? = nil) throws(NetworkError) {
    let owner = try request.identified(over: dispatcher).storageOwner(digestedBy: Self.digest)
    let paths = try DownloadPaths(target: path, owner: owner)
    let file = try PartialFile(paths)
    file.discard()
  }

  private func prepare(for owner: StorageOwner) throws(NetworkError) -> (PartialFile, DownloadPlan) {
    do throws(NetworkError) {
      let paths = try DownloadPaths(target: path, owner: owner)
      let file = try PartialFile(paths)
      let size = try file.size()
      let complete = policy.revalidates && !hasCondition ? paths.readVersion() : nil
      return (
        file,
        DownloadPlan(
          identity: fingerprint, owner: owner.digest, found: try paths.readNote(), size: size,
          complete: complete,
          division: PartDivision(count: policy.parts, minimum: minimumPart))
      )
    } catch {
      var early = error
      early.requestMayHaveBeenProcessed = false
      throw early
    }
  }

  private static func digest(of fields: [String]) throws(NetworkError) -> String {
    do throws(CryptographyError) {
      return Hexadecimal.encode(try HashValue(ofFields: fields))
    } catch {
      throw NetworkError(.unsupported, error.description)
    }
  }

  /// Whether the request has a condition of its own.
  private var hasCondition: Bool {
    let names: [HTTPField.Name] = [.ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince]
    return names.contains { request.head.headerFields.contains($0) }
  }

  private var fingerprint: UInt64 {
    if let identity { return DownloadPlan.identity(of: [identity]) }
    let head = request.head
    return DownloadPlan.identity(of: [head.scheme ?? "", head.authority ?? "", head.path ?? ""])
  }

  private func check() throws(NetworkError) {
    let fields = request.head.headerFields
    guard request.head.method == .get, request.body.isEmpty else {
      throw NetworkError(
        .invalidRequest, "A download must be a GET without a body; send this request with a dispatcher.")
    }
    if let obstacle = request.obstacle(to: .dividing) {
      throw NetworkError(
        .invalidRequest,
        "The request of a download \(obstacle.clause); send this request with a dispatcher.")
    }
    guard fields[.range] == nil, fields[.ifRange] == nil else {
      throw NetworkError(
        .invalidRequest, "A download sets Range and If-Range itself; remove them from the request.")
    }
  }
}

extension FileDownload.Outcome: CustomStringConvertible {
  /// The status, the length, and what the run resumed and survived, in one line.
  public var description: String {
    if isUnchanged { return "\(head.status.code), \(length) bytes, unchanged" }
    let resumed = resumedFrom > 0 ? ", resumed at \(resumedFrom)" : ""
    return "\(head.status.code), \(length) bytes\(resumed)"
      + (failures > 0 ? ", after \(failures) failures" : "")
  }
}
