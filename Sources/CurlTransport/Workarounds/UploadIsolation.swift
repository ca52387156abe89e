/// How an upload is kept from corrupting other answers of its HTTP/2 connection.
///
/// Affected: libcurl before 8.1. Where an upload ends whose length was unknown, or that the server refuses
/// before its end, libcurl reads on at once (`http2_data_done_send`), even if it holds a part of another
/// answer that had no room, and writes the next part over that one. An answer without a length would be
/// corrupt without an error.
///
/// Upstream: issue 10525 is a relative of it; 8.1.0 has other buffers for HTTP/2 (pull request 10771), in
/// which a stream takes all that comes. Delete this, `DedicatedHandles` and what asks for them once the
/// oldest supported version is 8.1.
enum UploadIsolation: Hashable {
  /// The upload shares a connection like any other request.
  case none
  /// Its connection carries nothing else meanwhile.
  case ownConnection
  /// It is sent to its end even if the server refuses it, which is not far.
  case sentToEnd

  /// Whether a library corrupts answers beside uploads.
  static func isNeeded(by library: LoadedLibrary) -> Bool { library.version < LibraryVersion(8, 1) }

  /// Decides for a request.
  ///
  /// - Parameter isMultiplexed: Whether the origin's connections carry several requests; nil where that is
  ///   not known.
  init(for plan: RequestPlan, library: LoadedLibrary, isMultiplexed: @autoclosure () -> Bool?) {
    // Most requests have no content, and are spared the look-up.
    guard plan.hasBytes, plan.origin.scheme == .https, Self.isNeeded(by: library), isMultiplexed() != false
    else {
      self = .none
      return
    }
    self = plan.isLongUpload ? .ownConnection : .sentToEnd
  }
}
