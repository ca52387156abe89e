import Cryptography
import Interception
import Synchronization

/// The file that is uploaded, as it was when the run began.
struct UploadSource: Sendable {
  let path: String
  let stamp: FileStamp

  /// Examines a file.
  ///
  /// - Throws: `NetworkError.Kind.invalidRequest` if there is no regular file that can be read.
  init(_ path: String) throws(NetworkError) {
    _ = try FileByteSource.size(of: path)
    // Opened, because a file that can't be read is to be reported before anything is sent.
    try FileByteSource(path: path, range: 0..<0).cancel()
    guard let stamp = FileStamp.ofFile(at: path, followingLinks: true) else {
      throw NetworkError(.invalidRequest, "\(path) is not a regular file; pass the path of one.")
    }
    self.path = path
    self.stamp = stamp
  }

  /// Checks that the file is unchanged.
  func check() throws(NetworkError) {
    guard FileStamp.ofFile(at: path, followingLinks: true) == stamp else {
      throw .upload(
        .fileChanged,
        "\(path) changed while it was uploaded; run the upload again when the file is no longer written.")
    }
  }

  /// Returns a part of the file as a body, which reports its progress.
  func body(_ range: Range<Int64>, reportingTo progress: UploadProgress) -> RequestBody {
    guard !range.isEmpty else { return .empty }
    let path = path
    return .restartable(length: range.upperBound - range.lowerBound) { () throws(NetworkError) in
      TrackedByteSource(try FileByteSource(path: path, range: range), at: range.lowerBound, progress)
    }
  }

  /// Returns the value of tus's `Upload-Checksum` for a part of the file, which is read once for it.
  func checksum(
    _ checksum: UploadProtocol.Checksum, of range: Range<Int64>
  ) async throws(NetworkError) -> String {
    let source = try FileByteSource(path: path, range: range)
    defer { source.cancel() }
    do {
      var hash = try ContentHash(checksum == .sha1 ? .sha1 : .sha256)
      while let chunk = try await source.read() { try hash.update(chunk) }
      return "\(checksum) \(Base64.encode(try hash.finish()))"
    } catch let error as NetworkError {
      throw error
    } catch {
      throw NetworkError(.unsupported, "\(error)")
    }
  }
}

/// How much of an upload was handed to the transport, and which position the meter shows.
final class UploadProgress: Sendable {
  private struct State {
    var sent = UploadPlan.Sent()
    var reported: Int64 = -1
  }

  private let meter: TransferMeter?
  private let total: Int64
  private let state = Mutex(State())

  init(_ meter: TransferMeter?, total: Int64) {
    self.meter = meter
    self.total = total
  }

  /// How much of the present upload was handed to the transport.
  var sent: UploadPlan.Sent { state.withLock { $0.sent } }

  /// Records that a new upload begins, of which nothing was sent.
  func begin() { state.withLock { $0.sent = UploadPlan.Sent() } }

  /// Records that a request begins whose content starts at a position.
  func beginPart(at position: Int64) { state.withLock { $0.sent.latest = position } }

  /// Records that content up to a position was handed to the transport.
  func send(upTo position: Int64) {
    state.withLock { state in
      state.sent.latest = max(state.sent.latest, position)
      state.sent.farthest = max(state.sent.farthest, position)
    }
    report(position)
  }

  /// Reports a position to the meter, unless a greater one was reported before.
  func report(_ position: Int64) {
    state.withLock { state in
      guard position > state.reported else { return }
      state.reported = position
      // Within the lock, so that the positions never decrease.
      meter?.report(TransferMeter.Progress(.upload, bytes: position, total: total))
    }
  }
}

/// A part of a file that reports how far it was read.
private final class TrackedByteSource: ByteSource {
  private let source: FileByteSource
  private let progress: UploadProgress
  private let position: Atomic<Int64>

  init(_ source: FileByteSource, at start: Int64, _ progress: UploadProgress) {
    self.source = source
    self.progress = progress
    position = Atomic(start)
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    guard let chunk = try await source.read() else { return nil }
    progress.send(upTo: position.wrappingAdd(Int64(chunk.count), ordering: .relaxed).newValue)
    return chunk
  }

  func cancel() { source.cancel() }
}
