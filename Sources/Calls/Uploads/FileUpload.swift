public import HTTPTypes
public import Interception

/// An upload of a file that resumes where an earlier run was interrupted.
///
/// ```swift
/// let request = try Request("https://files.example.com/uploads", method: .post)
/// let upload = FileUpload(request, from: "/data/chart.bin", by: .tus(metadata: ["filename": "chart.bin"]))
/// let outcome = try await upload.run(over: pipeline)
/// ```
///
/// The request creates the upload on the server, which names a URL for it. That URL is recorded in
/// `NAME.upload` beside the file, and is on disk before content is sent. If a run fails or is cancelled, or
/// the process is killed, the record remains; the next run asks the server how much of the file it has, and
/// sends the rest. An upload that the server no longer has, or that has expired, is begun anew. The record is
/// removed when the upload is complete.
///
/// An upload belongs to an account: to `RequestContext.partition` of the request, or to the account that the
/// interceptors of the pipeline know. The name of the account's record has a further ending, a part of a
/// digest, and no other account continues or removes the upload. Without an account, only a request with the
/// same credentials does. If an interceptor adds credentials and can't tell whose they are, an upload has no
/// record, and only the run itself resumes it.
///
/// After a lost connection the run continues by itself, as its ``UploadPolicy`` says. An upload is only
/// resumed if the file is the same one, with the length and the modification time that it had.
///
/// All requests have the fields, options and context of the given one, and pass the same chain. If the server
/// names a URL of another origin, its requests don't have the credential
/// fields of `CredentialFields` and the pipeline, nor `Host`.
///
/// The URL of an upload may suffice to change it. Errors and their texts don't contain it, and only the owner
/// of the record can read it; but an interceptor that logs the paths of requests logs it.
///
/// The file is read in pieces of 64 KiB, and the record synchronized to disk, on the caller's executor.
public struct FileUpload: Sendable {
  /// The result of a complete upload.
  public struct Outcome: Sendable {
    /// The URL of the upload on the server; it may be a secret.
    public let url: String
    /// The file's length in bytes.
    public let length: Int64
    /// The number of bytes left by earlier runs that this run did not send again.
    public let resumedFrom: Int64
    /// The number of failures that the run survived.
    public let failures: Int
    /// The head of the last response.
    ///
    /// If the response to the last part was lost, this is the response to a HEAD.
    public let head: HTTPResponse
    /// The content of the last response; with ``UploadProtocol/httpDraft`` the content of the response to the
    /// request that the upload stands for.
    public let body: ResponseBody
    /// How the last response was obtained.
    public let exchange: Exchange
  }

  /// The request that creates the upload.
  package let request: Request
  /// The path of the file.
  package let path: String
  /// The protocol by which the upload is resumed.
  package let resumption: UploadProtocol
  /// The path of the record, without the ending for an account.
  package let recordPath: String
  /// When the run continues after a failure, and how much it sends at once.
  package let policy: UploadPolicy
  private let identity: String?
  private let time: TimeSource
  /// Returns the random part of a wait, from 0 up to but not including 1.
  package var random: @Sendable () -> Double = { .random(in: 0..<1) }

  /// Creates an upload, which starts with ``run(over:reportingTo:)``.
  ///
  /// - Parameters:
  ///   - request: A POST without a body; with ``UploadProtocol/httpDraft`` also a PUT. Its fields of the
  ///     content, such as `Content-Type`, describe the file. Its time limits apply to each request; by
  ///     default a stall of 20 s ends one.
  ///   - path: The file, a regular one, or a symbolic link to it.
  ///   - resumption: The protocol.
  ///   - recordPath: The record of the unfinished upload; by default the file's path with the ending
  ///     `.upload`. A file that is not a record is never replaced. While a run lasts, there is also a file
  ///     with the further ending `.lock`.
  ///   - identity: Identifies the upload's destination. It defaults to the URL; set it if the URL changes
  ///     from run to run, as signed URLs do.
  ///   - policy: When the run continues after a failure, and how much it sends at once.
  ///   - time: The clock of the waits and of the expiry.
  public init(
    _ request: Request, from path: String, by resumption: UploadProtocol, recordPath: String? = nil,
    identity: String? = nil, policy: UploadPolicy = UploadPolicy(), time: TimeSource = .system
  ) {
    self.request = request
    self.path = path
    self.resumption = resumption
    self.recordPath = recordPath ?? path + ".upload"
    self.identity = identity
    self.policy = policy
    self.time = time
  }

  /// Uploads the file, or resumes its upload, until it is complete.
  ///
  /// `timeouts.call` of the request limits the run with all its requests and waits. A creation whose response
  /// is lost is repeated, so the server may keep an empty upload until that expires. A part that the server
  /// may have taken is repeated only after the server has named its position; a `RetryInterceptor` does not
  /// repeat it, either.
  ///
  /// - Parameter meter: Receives the position in the file up to which content was stored by the server or
  ///   handed to the transport. The value never decreases, although a part may be sent again; the meter is
  ///   finished when this function returns.
  /// - Throws: The error of the last request, whose `retryRefusal` says why no other one was sent;
  ///   `NetworkError.Kind.invalidRequest` if the request cannot be that of an upload, or the file can't be
  ///   read; `NetworkError.Kind.protocolViolation` if the server contradicts itself; and otherwise
  ///   `NetworkError.Kind.rejected`. An ``UploadFault`` is the `underlying` error.
  public func run(
    over dispatcher: some Dispatcher, reportingTo meter: TransferMeter? = nil
  ) async throws(NetworkError) -> Outcome {
    defer { meter?.finish() }
    let run = try prepare(over: dispatcher, reportingTo: meter)
    return try await run.perform()
  }

  /// Removes the unfinished upload of an interrupted run from the server, and its record.
  ///
  /// Without a record of the same account nothing is sent. The record is also removed if the server no
  /// longer has the upload, or can't remove it, and if the dispatcher refuses the upload's URL for its
  /// length. Uploads and records of other accounts are not changed.
  ///
  /// - Throws: ``UploadFault/occupied`` while the upload is running, and the error of the request, after
  ///   which the record remains.
  public func discardUnfinished(over dispatcher: some Dispatcher) async throws(NetworkError) {
    let requests = UploadRequests(
      request: request.identified(over: dispatcher), resumption: resumption, length: 0)
    try requests.check()
    let owner = try requests.request.storageOwner(digestedBy: UploadRecord.digest)
    let file = try UploadRecordFile(recordPath + owner.suffix)
    let identity = try UploadRecord.digest(of: requests.identity(identity))
    let found = try file.read()
    if let found, found.owner != owner.digest { return }
    guard let record = found, record.identity == identity else { return try file.remove() }
    let response: Response
    do throws(NetworkError) {
      response = try await dispatcher.dispatch(requests.removal(of: record.target))
    } catch {
      if error.refusesURL(of: record.target, ofUpload: requests) { return try file.remove() }
      throw error.asUpload(of: request, hiding: [record.target])
    }
    // Servers may lack the extension for it (405, 501), and then remove unfinished uploads by themselves.
    guard (200..<300).contains(response.status.code) || [404, 405, 410, 501].contains(response.status.code)
    else { throw NetworkError.upload(.status(response.head)).of(request) }
    try file.remove()
  }

  private func prepare<Target: Dispatcher>(
    over dispatcher: Target, reportingTo meter: TransferMeter?
  ) throws(NetworkError) -> UploadRun<Target> {
    do throws(NetworkError) {
      guard recordPath != path else {
        throw NetworkError(
          .invalidRequest, "The upload's record has the path of the file, \(path); choose another one.")
      }
      let source = try UploadSource(path)
      let requests = UploadRequests(
        request: request.identified(over: dispatcher), resumption: resumption, length: source.stamp.size)
      try requests.check()
      let owner = try requests.request.storageOwner(digestedBy: UploadRecord.digest)
      let file = try UploadRecordFile(recordPath + owner.suffix)
      let identity = try UploadRecord.digest(of: requests.identity(identity))
      var found = try file.read()
      if found?.identity != identity || found?.owner != owner.digest { found = nil }
      if let stamp = found?.stamp, stamp != source.stamp {
        guard policy.restartsChangedFile else {
          throw .upload(
            .fileChanged,
            "\(path) has changed since its upload began; discard the unfinished upload, or set "
              + "UploadPolicy(restartsChangedFile:), to begin anew.")
        }
        found = nil
      }
      return UploadRun(
        requests, over: dispatcher, source: source, record: file, identity: identity, owner: owner,
        found: found,
        progress: UploadProgress(meter, total: source.stamp.size), policy: policy, time: time, random: random)
    } catch {
      var early = error
      early.requestMayHaveBeenProcessed = false
      throw early
    }
  }
}

extension FileUpload.Outcome: Concealed, CustomStringConvertible {
  /// The status, the length, and what the run resumed and survived, in one line, without the URL.
  public var description: String {
    let resumed = resumedFrom > 0 ? ", resumed at \(resumedFrom)" : ""
    return "\(head.status.code), \(length) bytes\(resumed)"
      + (failures > 0 ? ", after \(failures) failures" : "")
  }
}
