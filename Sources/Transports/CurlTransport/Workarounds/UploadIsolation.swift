/// How an upload is kept from corrupting other responses on its HTTP/2 connection.
///
/// Affected: libcurl before 8.1. When an upload of unknown length ends, or the server refuses one before its
/// end, libcurl reads on at once (`http2_data_done_send`), and overwrites any part of another response that
/// it still holds; without a length, that response is corrupt without an error.
///
/// Upstream: issue 10525 is related; the new HTTP/2 buffers of 8.1.0 (pull request 10771) fix it. Delete
/// this, `DedicatedHandles` and their uses once the oldest supported version is 8.1.
enum UploadIsolation: Hashable {
  /// The upload shares a connection like any other request.
  case none
  /// Its connection carries no other request at the same time.
  case ownConnection
  /// A short upload is sent completely even if the server refuses it.
  case sentToEnd

  static func isNeeded(by library: LoadedLibrary) -> Bool { library.version < LibraryVersion(8, 1) }

  /// Decides for a request; `isMultiplexed` is whether its origin's connections carry several requests each.
  init(for plan: RequestPlan, library: LoadedLibrary, isMultiplexed: @autoclosure () -> Bool?) {
    // Most requests have no content, and need no look-up.
    let isAffected =
      plan.hasBytes && plan.origin.mayMultiplex && Self.isNeeded(by: library) && isMultiplexed() != false
    self = !isAffected ? .none : plan.isLongUpload ? .ownConnection : .sentToEnd
  }
}
