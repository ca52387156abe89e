/// Handles that each have connections to themselves, for ``UploadIsolation/ownConnection``.
///
/// Some are kept, with their connections, for the next requests to their origins. Affected versions, and when this can be
/// deleted: see ``UploadIsolation``.
struct DedicatedHandles {
  private struct Idle {
    let origin: WebOrigin
    let member: HandlePool.Member
  }

  /// The maximum number of idle handles.
  static let maximumIdle = 4

  private var idle: [Idle] = []
  // Handles that come back after everything was forgotten are not kept.
  private var lent: Set<ObjectIdentifier> = []

  /// Returns the handle that the origin's previous request used, or a new one of `make`; nil where that makes none.
  mutating func take(for origin: WebOrigin, make: () -> HandlePool.Member?) -> HandlePool.Member? {
    let member: HandlePool.Member
    if let index = idle.lastIndex(where: { $0.origin == origin }) {
      member = idle.remove(at: index).member
    } else {
      guard let made = make() else { return nil }
      member = made
    }
    lent.insert(ObjectIdentifier(member))
    return member
  }

  /// Takes a handle back; beyond the maximum the one that has been idle longest is released.
  mutating func put(_ member: HandlePool.Member, for origin: WebOrigin) {
    member.transfer = nil
    member.begin()
    guard lent.remove(ObjectIdentifier(member)) != nil, !member.handle.isSpoiled else { return }
    idle.append(Idle(origin: origin, member: member))
    if idle.count > Self.maximumIdle { idle.removeFirst() }
  }
}
