import CommandRunning
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Uploads

/// A file in a temporary folder, its uploads and their clock.
struct UploadFixture: Sendable {
  static let both: [UploadProtocol] = [.tus(), .httpDraft]

  private let folder: TemporaryFolder
  let clock = TestClock()
  var path: String { folder.url.appending(path: "chart.bin").path }
  var recordPath: String { path + ".upload" }

  init(_ content: [UInt8] = Array(0..<100)) throws {
    folder = try TemporaryFolder(prefix: "uploads")
    try write(content)
  }

  /// The sorted names of the files in the folder.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  func write(_ content: [UInt8], _ name: String = "chart.bin") throws {
    try Data(content).write(to: folder.url.appending(path: name))
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.url.appending(path: name)), as: UTF8.self)
  }

  /// Changes the modification time of the file.
  func touch() throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
  }

  /// Returns an upload to `https://a.example/files?key=k3y`, or to an authority over http.
  func upload(
    by resumption: UploadProtocol, _ policy: UploadPolicy = .oneAttempt, to authority: String? = nil,
    call: Duration? = nil, time: TimeSource? = nil
  ) -> FileUpload {
    var request = Request(
      method: .post, scheme: authority == nil ? "https" : "http", authority: authority ?? "a.example",
      path: "/files?key=k3y", headerFields: [.authorization: "Bearer t0ken"])
    request.options.timeouts.call = call
    var upload = FileUpload(
      request, from: path, by: resumption, policy: policy, time: time ?? TimeSource(clock))
    upload.random = { 1 }
    return upload
  }
}

extension Result where Failure == NetworkError {
  /// The error of a failure.
  var error: NetworkError? { if case .failure(let error) = self { error } else { nil } }
  /// The fault of a failure.
  var fault: UploadFault? { error?.underlying(as: UploadFault.self) }
}

extension FileUpload {
  /// Runs the upload, and returns its outcome or error.
  func result(
    over dispatcher: some Dispatcher, reportingTo meter: TransferMeter? = nil
  ) async -> Result<Outcome, NetworkError> {
    do throws(NetworkError) {
      return .success(try await run(over: dispatcher, reportingTo: meter))
    } catch {
      return .failure(error)
    }
  }
}
