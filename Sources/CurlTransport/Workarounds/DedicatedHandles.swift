/// Handles that each have connections to themselves, for ``UploadIsolation/ownConnection``.
///
/// Some are kept, with their connections, for the next requests to their origins. Affected versions, and when
/// this can be deleted: see ``UploadIsolation``.
struct DedicatedHandles {
  private struct Idle {
    let origin: WebOrigin
    let handle: ReusableHandle
  }

  /// The maximum number of idle handles.
  static let maximumIdle = 4

  private var idle: [Idle] = []
  // Handles that come back after everything was forgotten are not kept.
  private var lent: Set<ObjectIdentifier> = []

  /// Returns the handle that the origin's previous request used, or a new one of `make`; nil where that makes
  /// none.
  mutating func take(for origin: WebOrigin, make: () -> ReusableHandle?) -> ReusableHandle? {
    let handle: ReusableHandle
    if let index = idle.lastIndex(where: { $0.origin == origin }) {
      handle = idle.remove(at: index).handle
    } else {
      guard let made = make() else { return nil }
      handle = made
    }
    lent.insert(ObjectIdentifier(handle))
    return handle
  }

  /// Takes a handle back; beyond the maximum the one that has been idle longest is released.
  mutating func put(_ handle: ReusableHandle, for origin: WebOrigin) {
    handle.transfer = nil
    handle.begin()
    guard lent.remove(ObjectIdentifier(handle)) != nil else { return }
    idle.append(Idle(origin: origin, handle: handle))
    if idle.count > Self.maximumIdle { idle.removeFirst() }
  }
}
