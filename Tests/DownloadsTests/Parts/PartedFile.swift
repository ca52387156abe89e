import Downloads
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

/// A file of 100 bytes whose parts have at least 10.
///
/// Four at a time are 0..<20, 20..<40, 40..<60, 60..<80 and 80..<100.
struct PartedFile {
  static let content = (0..<100).map { UInt8($0) }
  let folder: DownloadFolder

  init() throws { folder = try DownloadFolder() }

  func download(
    _ parts: Int = 4, failureLimit: Int = 1, revalidates: Bool = false, call: Duration? = nil
  ) -> FileDownload {
    var request = Request(authority: "a.example", path: "/file")
    request.options.timeouts.call = call
    var download = FileDownload(
      request, to: folder.target,
      policy: DownloadPolicy(
        failureLimit: failureLimit, firstWait: .zero, revalidates: revalidates, parts: parts))
    download.minimumPart = 10
    return download
  }

  @discardableResult
  func failure(
    _ server: some Dispatcher, _ download: FileDownload, reportingTo meter: TransferMeter? = nil
  ) async -> NetworkError? {
    await #expect(throws: NetworkError.self) { try await download.run(over: server, reportingTo: meter) }
  }

  /// Returns a dispatcher that treats the request for the part at an offset differently, when all other parts
  /// are complete.
  func treating(
    _ start: Int, over server: RangeServer, meter: TransferMeter,
    _ respond: @escaping @Sendable (Request) async throws(NetworkError) -> Response
  ) -> ScriptedDispatcher {
    ScriptedDispatcher { request, _ throws(NetworkError) in
      let bounds = RangeServer.bounds(request.head.headerFields[.range])
      guard let bounds, bounds.start == start else { return try await server.dispatch(request) }
      let rest = Int64(Self.content.count - (bounds.end - bounds.start))
      for await progress in meter.updates() where progress.bytes == rest { break }
      return try await respond(request)
    }
  }
}

/// A body that never ends until it is cancelled.
final class SilentByteSource: ByteSource {
  private let state = WaitableValue((isRead: false, isCancelled: false))

  var isCancelled: Bool { state.value.isCancelled }

  func waitForReader() async { _ = try? await state.wait { $0.isRead } }

  func read() async throws(NetworkError) -> [UInt8]? {
    state.update { $0.isRead = true }
    _ = try? await state.wait { $0.isCancelled }
    throw NetworkError(.cancelled(.task), "The body was cancelled.")
  }

  func cancel() { state.update { $0.isCancelled = true } }
}
