/// Handles with connections of their own, for ``UploadIsolation/ownConnection``.
///
/// A few idle ones are kept, with their connections, for the next requests to their origins. See
/// ``UploadIsolation`` for the affected versions and when to delete this.
struct DedicatedHandles {
  static let maximumIdle = 4

  private var idle: [(origin: WebOrigin, handle: ReusableHandle)] = []
  // Handles in use. One that was taken before the network changed is unknown here, and is not kept.
  private var lent: Set<ObjectIdentifier> = []

  /// Returns the handle of the origin's previous request, or one that `make` creates.
  mutating func take(for origin: WebOrigin, make: () -> ReusableHandle?) -> ReusableHandle? {
    let index = idle.lastIndex { $0.origin == origin }
    guard let handle = index.map({ idle.remove(at: $0).handle }) ?? make() else { return nil }
    lent.insert(ObjectIdentifier(handle))
    return handle
  }

  /// Takes a handle back; beyond the maximum, the one that has been idle longest is released.
  mutating func put(_ handle: ReusableHandle, for origin: WebOrigin) {
    handle.transfer = nil
    handle.begin()
    guard lent.remove(ObjectIdentifier(handle)) != nil else { return }
    idle.append((origin, handle))
    if idle.count > Self.maximumIdle { idle.removeFirst() }
  }
}

// Trailer fields of requests.
//
// Affected: 7.88; 8.14 is not. Once a handle has sent trailer fields, the next request of unknown length over
// it writes before the beginning of a buffer, because the handle keeps the state of the former fields. On any
// version such a request has a connection of its own: libcurl sends them over HTTP/1.1 only, and the origin's
// other requests may share one of HTTP/2. Upstream: no report is known.
extension RequestPlan {
  /// Whether its handle is used for no other request.
  var spendsHandle: Bool { trailers != nil }
}
